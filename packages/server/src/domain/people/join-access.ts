import type { Trx } from '../../db/database.ts'
import { lockRows, updateRows } from '../../db/queries/rows.ts'
import type { AccessTable, Seconds } from '../../db/tables.ts'
import { queuePeriods, recomputeEnd } from '../access/sources.ts'
import type { Change } from '../history/history.ts'
import { closeTime } from '../subscriptions/lifecycle.ts'
import { moveMoneyOfAccess } from './money.ts'

/** Joins two unrevoked records on the same resource: the sources of `gone` move to `kept`, and `gone` is revoked. The
 * caller holds the locks on both rows. */
export async function mergeAccessRecords(
  trx: Trx,
  gone: AccessTable,
  kept: AccessTable,
  actor: string,
  now: Seconds,
): Promise<Change[]> {
  const queued = await joinSources(trx, gone, kept, now)
  await queuePeriods(trx, kept, queued, now)
  await moveMoneyOfAccess(trx, kept.aid, gone.id, kept.id)
  const joined = joinedRecord(gone, kept)
  await writeTags(trx, kept, joined.tags)
  await updateRows(
    trx,
    'access',
    { aid: kept.aid, id: kept.id },
    { ...joined, tags: JSON.stringify(joined.tags) },
  )
  const ends = await recomputeEnd(trx, kept, now)
  const revoked = closeTime(gone, now)
  await updateRows(trx, 'access', { aid: gone.aid, id: gone.id }, { revoked })
  const changeOf = ({ aid, rid, uid, id: accessId, ends: before }: AccessTable) => ({
    ...{ aid, rid, uid, accessId, at: now, actor, before: { ends: before } },
  })
  return [
    { ...changeOf(gone), action: 'revoked', after: { revoked, merged_into: kept.id } },
    { ...changeOf(kept), action: 'merged', after: { ends, merged_from: gone.id } },
  ]
}

function joinedRecord(gone: AccessTable, kept: AccessTable) {
  const tagsOf = (record: AccessTable): string[] => JSON.parse(record.tags)
  // Shows the price that was paid; a free grant has none.
  const paid = kept.currency === null ? gone : kept
  return {
    tags: [...new Set([...tagsOf(kept), ...tagsOf(gone)])],
    user_ref: kept.user_ref ?? gone.user_ref,
    amount: paid.amount,
    currency: paid.currency,
  }
}

/**
 * Moves all open sources of `gone` to `kept`. A record has at most one open grant, so if both have one, the grant that
 * ends earlier is closed. Returns the sources whose periods the caller has to queue behind the others: those that
 * moved. If a subscription moved, it returns those of `kept` instead, because periods wait behind a subscription.
 */
async function joinSources(
  trx: Trx,
  gone: AccessTable,
  kept: AccessTable,
  now: Seconds,
): Promise<ReadonlySet<string>> {
  const open = await lockRows(
    trx,
    'sources',
    { aid: kept.aid, access_id: [gone.id, kept.id], closed: null },
    'id',
  )
  const grantOf = (id: string) =>
    open.find((source) => source.kind === 'grant' && source.access_id === id)
  const [keptGrant, goneGrant] = [grantOf(kept.id), grantOf(gone.id)]
  const losing =
    keptGrant && goneGrant ? (goneGrant.ends > keptGrant.ends ? keptGrant : goneGrant) : undefined
  if (losing) {
    await updateRows(
      trx,
      'sources',
      { aid: losing.aid, id: losing.id },
      { closed: closeTime(losing, now) },
    )
  }
  await trx
    .updateTable('sources')
    .set({ access_id: kept.id })
    .where((eb) => eb.and({ aid: gone.aid, access_id: gone.id }))
    .where('closed', 'is', null)
    .execute()
  const hasSubscription = open.some(
    ({ kind, access_id }) => kind === 'subscription' && access_id === gone.id,
  )
  const side = hasSubscription ? kept.id : gone.id
  return new Set(open.filter(({ access_id }) => access_id === side).map(({ id }) => id))
}

async function writeTags(trx: Trx, kept: AccessTable, tags: readonly string[]): Promise<void> {
  const { aid, id } = kept
  const old: string[] = JSON.parse(kept.tags)
  const added = tags.filter((tag) => !old.includes(tag))
  if (added.length === 0) return
  await trx
    .insertInto('access_tags')
    .values(added.map((tag) => ({ aid, tag, access_id: id })))
    .execute()
}
