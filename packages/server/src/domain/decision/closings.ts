import type { Db } from '../../db/database.ts'
import { padList } from '../../db/queries/pad-list.ts'
import type { HistoryTable } from '../../db/tables.ts'
import { wasEndedEarly } from '../access/source-details.ts'
import type { RefusedCode } from './codes.ts'
import type { HeldRecord, HeldSource } from './held-records.ts'

export type Ending = Pick<HistoryTable, 'access_id' | 'action' | 'at' | 'after'>

/** The reasons that the history gives for the end of a source. */
const CODES: Readonly<Record<string, RefusedCode>> = {
  refunded: 'refunded',
  'dispute lost': 'dispute_lost',
  unpaid: 'unpaid',
  canceled: 'expired',
  archived: 'expired',
}

/** Names what ended the last source of each expired record. The history tells it where the rows don't: a payment that
 * was refunded first may be lost in a dispute later. */
export async function findClosingCodes(
  db: Db,
  aid: string,
  records: readonly HeldRecord[],
): Promise<ReadonlyMap<string, RefusedCode>> {
  const closed = records.filter(({ sources }) => wasClosed(sources[0]))
  const endings = await listEndings(
    db,
    aid,
    closed.map(({ id }) => id),
  )
  return new Map(records.map((record) => [record.id, codeOf(record, endings)]))
}

/** Whether something closed a source, other than its time. */
const wasClosed = (source: HeldSource | undefined) =>
  source !== undefined && source.kind !== 'grant' && source.closed !== null

async function listEndings(db: Db, aid: string, accessIds: readonly string[]): Promise<Ending[]> {
  if (accessIds.length === 0) return []
  return await db
    .selectFrom('history')
    .select(['access_id', 'action', 'at', 'after'])
    .where('aid', '=', aid)
    .where('access_id', 'in', padList(accessIds))
    .where('action', 'in', ['purchase ended', 'subscription ended'])
    .orderBy('seq')
    .execute()
}

/** Names what ended the last source of a record, as the history says. */
export function codeOf({ id, sources }: HeldRecord, endings: readonly Ending[]): RefusedCode {
  const [last] = sources
  if (last === undefined) return 'expired'
  const isEarly = wasEndedEarly(last)
  const why = reasonIn(endings.filter(({ access_id }) => access_id === id).findLast(endOf(last)))
  if (last.kind === 'purchase') return isEarly ? (CODES[why ?? ''] ?? 'refunded') : 'expired'
  // The time of an unpaid subscription runs out before the worker ends it.
  const isUnpaid = why === 'unpaid' || last.subscription_status === 'past_due'
  if (isUnpaid) return 'unpaid'
  return isEarly ? (CODES[why ?? ''] ?? 'expired') : 'expired'
}

const endOf =
  (source: HeldSource) =>
  ({ action, at, after }: Ending): boolean =>
    source.kind === 'purchase'
      ? action === 'purchase ended' && factsIn(after).payment === source.payment_id
      : action === 'subscription ended' && at === source.ended

const reasonIn = (ending: Ending | undefined) => ending && factsIn(ending.after).why

const factsIn = (after: string | null) =>
  JSON.parse(after ?? '{}') as { why?: string; payment?: string }
