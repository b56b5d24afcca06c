import type { Db } from '../../db/database.ts'
import type { AccessTable, DeliveryTable, Seconds } from '../../db/tables.ts'
import type { HistoryRow } from '../history/history.ts'
import type { MailRow } from '../mail/outbox.ts'
import { listMailsOfUser } from '../mail/user-mails.ts'
import { listRefunds, type PaymentRow, type RefundRow } from '../payments/payments.ts'
import { ACTION_MERGED_AWAY } from './merge.ts'
import { getAnyUser } from './page.ts'
import { collectHistory } from './person-data.ts'

/** An event on a person's timeline. */
export type TimelineEvent =
  | { kind: 'change'; at: Seconds; row: HistoryRow }
  | { kind: 'expired'; at: Seconds; row: AccessTable }
  | { kind: 'payment'; at: Seconds; row: PaymentRow }
  /** A refund with everything it led to, oldest first: ordered, paid out, the end of the purchase, the mail. */
  | { kind: 'refund'; at: Seconds; row: RefundRow; rid: string | null; steps: TimelineEvent[] }
  | { kind: 'mail'; at: Seconds; row: MailRow }
  | { kind: 'download'; at: Seconds; row: DeliveryTable }

/** Oldest-first order of events in the same second: an effect follows its cause. */
const ORDER: readonly TimelineEvent['kind'][] = [
  'expired',
  'change',
  'payment',
  'refund',
  'mail',
  'download',
]

/** Left out: the payment that is made with it says the same, and what becomes of it follows. */
const ACTION_RENEWAL_BEGUN = 'renewal begun'

/** Returns everything that happened to a person, newest first. Sorted in memory, because one person has few rows. */
export async function readTimeline(
  db: Db,
  { aid, uid }: { aid: string; uid: string },
  now: Seconds,
): Promise<TimelineEvent[]> {
  await getAnyUser(db, aid, uid)
  const { rows: changes, uids } = await collectHistory(db, aid, uid)
  const payments = await rowsOf(db, 'payments', aid, [uid])
  const ids = payments.map(({ id }) => id)
  const all: TimelineEvent[] = [
    ...changes
      .filter((row) => !isPartOfMerge(row, uid) && row.action !== ACTION_RENEWAL_BEGUN)
      .map((row) => ({ kind: 'change', at: row.at, row }) as const),
    ...(await rowsOf(db, 'access', aid, [uid]))
      .filter(({ revoked, ends }) => revoked === null && ends <= now)
      .map((row) => ({ kind: 'expired', at: row.ends, row }) as const),
    ...payments.map((row) => ({ kind: 'payment', at: row.created, row }) as const),
    ...(await listMailsOfUser(db, aid, uid)).map(
      (row) => ({ kind: 'mail', at: timeOf(row, changes), row }) as const,
    ),
    // Includes merged uids: a delivery that was running during a merge is recorded after it, under the old uid.
    ...(await rowsOf(db, 'deliveries', aid, uids)).map(
      (row) => ({ kind: 'download', at: row.at, row }) as const,
    ),
  ]
  const refunds = await listRefunds(db, aid, ids)
  return gatherRefunds(all, refunds, payments).sort(newestFirst)
}

/** Whether a change is a part of a merge, which is told once: the record that was joined with another is not lost, and the
 * person who went away is this one. */
function isPartOfMerge({ action, uid, after }: HistoryRow, of: string): boolean {
  if (action === ACTION_MERGED_AWAY) return uid !== of
  return action === 'revoked' && 'merged_into' in (JSON.parse(after ?? '{}') as object)
}

/** Makes one event of each refund and the events that are part of it, in whose order they are. */
function gatherRefunds(
  events: readonly TimelineEvent[],
  refunds: readonly RefundRow[],
  payments: readonly PaymentRow[],
): TimelineEvent[] {
  const taken = new Set<TimelineEvent>()
  const gathered = refunds.map((row) => {
    const steps = events.filter((event) => !taken.has(event) && isStepOf(event, row))
    for (const step of steps) taken.add(step)
    const rid = payments.find(({ id }) => id === row.payment_id)?.rid ?? null
    return { kind: 'refund', at: row.created, row, rid, steps } as const
  })
  return [...events.filter((event) => !taken.has(event)), ...gathered]
}

/** The purchase ends with the refund that completes it, in the second in which that one succeeds. */
function isStepOf(event: TimelineEvent, { id, payment_id, settled }: RefundRow): boolean {
  if (event.kind === 'mail') return event.row.key === `refunded:${id}`
  if (event.kind !== 'change') return false
  const { action, at } = event.row
  const facts = JSON.parse(event.row.after ?? '{}') as Record<string, unknown>
  if (facts.refund === id) return true
  const isEnd = action === 'purchase ended' && facts.why === 'refunded'
  return isEnd && facts.payment === payment_id && at === settled
}

/** The time of the change that caused the mail, or of the mail itself. */
function timeOf({ key, created, clock_offset }: MailRow, changes: readonly HistoryRow[]) {
  return (
    changes.find((one) => one.mail_key === key)?.at ?? Math.floor(created / 1000) + clock_offset
  )
}

function newestFirst(a: TimelineEvent, b: TimelineEvent): number {
  const order = ORDER.indexOf(b.kind) - ORDER.indexOf(a.kind)
  const seq = a.kind === 'change' && b.kind === 'change' ? b.row.seq - a.row.seq : 0
  return b.at - a.at || order || seq
}

interface Rows {
  access: AccessTable
  payments: PaymentRow
  deliveries: DeliveryTable
}

async function rowsOf<K extends keyof Rows>(
  db: Db,
  table: K,
  aid: string,
  uids: readonly string[],
): Promise<Rows[K][]> {
  // `Rows` types the result, but the query builder can't infer it for a generic table name.
  const rows = await db
    .selectFrom(table as 'access')
    .selectAll()
    .where('aid', '=', aid)
    .where('uid', 'in', uids)
    .execute()
  return rows as unknown as Rows[K][]
}
