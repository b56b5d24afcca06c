import type { ControlDatabase, Db, Trx } from '../../db/database.ts'
import { listRows } from '../../db/queries/rows.ts'
import type { ControlTables, RefusedCallTable } from '../../db/tables.ts'

export type RefusedCall = RefusedCallTable

/** How many refused calls are stored per application, the newest ones. Unsigned calls, which anybody can send, must not
 * displace signed ones. */
const MAX_KEPT = { signed: 150, unsigned: 50 } as const

/** Stores refused calls. It ignores those with an unknown AID, which anybody can send. */
export async function recordRefusedCalls(
  trx: Trx<ControlTables>,
  environment: string,
  calls: readonly RefusedCall[],
): Promise<void> {
  if (calls.length === 0) return
  const aids = await trx
    .selectFrom('aids')
    .select('aid')
    .where('environment', '=', environment)
    .where('aid', 'in', [...new Set(calls.map(({ aid }) => aid))])
    .orderBy('aid')
    // Two processes that write at the same time would not see each other's entries, and keep too many.
    .forUpdate()
    .execute()
  for (const { aid } of aids) {
    const own = calls.filter((call) => call.aid === aid)
    const newest = [
      ...own.filter(({ key_id }) => key_id !== null).slice(-MAX_KEPT.signed),
      ...own.filter(({ key_id }) => key_id === null).slice(-MAX_KEPT.unsigned),
    ]
    await trx
      .insertInto('refused_calls')
      .values(newest)
      // The response to a commit can get lost. The entries are then written a second time.
      .onConflict((oc) => oc.column('id').doNothing())
      .execute()
    await deleteOlder(trx, aid, 'signed')
    await deleteOlder(trx, aid, 'unsigned')
  }
}

async function deleteOlder(
  trx: Trx<ControlTables>,
  aid: string,
  kind: keyof typeof MAX_KEPT,
): Promise<void> {
  const isOfKind = kind === 'signed' ? ('is not' as const) : ('is' as const)
  const last = await trx
    .selectFrom('refused_calls')
    .select(['at', 'id'])
    .where('aid', '=', aid)
    .where('key_id', isOfKind, null)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .offset(MAX_KEPT[kind])
    .limit(1)
    .executeTakeFirst()
  if (!last) return
  await trx
    .deleteFrom('refused_calls')
    .where('aid', '=', aid)
    .where('key_id', isOfKind, null)
    .where((eb) =>
      eb.or([eb('at', '<', last.at), eb.and([eb('at', '=', last.at), eb('id', '<=', last.id)])]),
    )
    .execute()
}

/** Newest first. */
export async function listRefusedCalls(
  { read }: ControlDatabase,
  aid: string,
): Promise<RefusedCall[]> {
  return await read
    .selectFrom('refused_calls')
    .selectAll()
    .where('aid', '=', aid)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_KEPT.signed + MAX_KEPT.unsigned)
    .execute()
}

/** Records the last day on which each key was used, unless a later day is stored already. */
export async function recordKeyUses(
  trx: Trx<ControlTables>,
  uses: ReadonlyMap<string, number>,
): Promise<void> {
  if (uses.size === 0) return
  const rows = [...uses].map(([key_id, day]) => ({ key_id, day })).sort(byKey)
  await trx
    .insertInto('key_uses')
    .values(rows)
    .onConflict((oc) =>
      oc
        .column('key_id')
        .doUpdateSet((eb) => ({ day: eb.ref('excluded.day') }))
        .whereRef('key_uses.day', '<', 'excluded.day'),
    )
    .execute()
}

/** A fixed order, so that concurrent writers can't deadlock. */
const byKey = (a: { key_id: string }, b: { key_id: string }) => (a.key_id < b.key_id ? -1 : 1)

/** Returns the last day of use by key id. */
export async function findKeyUses(
  db: Db<ControlTables>,
  keyIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await listRows(db, 'key_uses', { key_id: keyIds })
  return new Map(rows.map(({ key_id, day }) => [key_id, day]))
}
