import type { Trx } from '../../db/database.ts'
import { fail } from '../../errors.ts'

interface Pair {
  aid: string
  from: string
  into: string
}

/** Refuses to merge two open subscriptions to one resource: staff must decide which one to keep. */
export async function requireNoTwoSubscriptions(
  trx: Trx,
  { aid, from, into }: Pair,
): Promise<void> {
  const open = await trx
    .selectFrom('subscriptions')
    .select(['rid', 'uid'])
    .where('aid', '=', aid)
    .where('uid', 'in', [from, into])
    .where('status', '<>', 'ended')
    .execute()
  const both = open.find(({ rid, uid }) =>
    open.some((other) => other.rid === rid && other.uid !== uid),
  )
  if (both) {
    throw fail(
      'already_subscribed',
      `Both users have a subscription to ${both.rid} that is not ended. End one of them first, ` +
        'with: gatehouse access revoke.',
    )
  }
}

/** Moves payments, subscriptions and checkouts to another user. */
export async function moveMoney(trx: Trx, { aid, from, into }: Pair): Promise<void> {
  for (const table of ['payments', 'subscriptions', 'checkouts'] as const) {
    await trx
      .updateTable(table)
      .set({ uid: into })
      .where((eb) => eb.and({ aid, uid: from }))
      .execute()
  }
}

/** Moves payments and subscriptions to another access record, when two records are joined. */
export async function moveMoneyOfAccess(
  trx: Trx,
  aid: string,
  gone: string,
  kept: string,
): Promise<void> {
  for (const table of ['payments', 'subscriptions'] as const) {
    await trx
      .updateTable(table)
      .set({ access_id: kept })
      .where((eb) => eb.and({ aid, access_id: gone }))
      .execute()
  }
}
