import type { Db } from '../../db/database.ts'
import type { PaymentStatus, Seconds, SourceTable, SubscriptionStatus } from '../../db/tables.ts'
import { formatTime } from '../../format-time.ts'
import { showMoney } from '../apps/currency.ts'
import type { HistoryRow } from '../history/history.ts'

/** A source with the payment or subscription behind it. */
export interface SourceDetails extends SourceTable {
  paid: number | null
  currency: string | null
  payment_status: PaymentStatus | null
  subscription_status: SubscriptionStatus | null
  current_period_end: Seconds | null
  trial_ends: Seconds | null
  ended: Seconds | null
}

/** Lists all sources of a record, closed ones too. */
export async function listSourceDetails(
  db: Db,
  aid: string,
  accessId: string,
): Promise<SourceDetails[]> {
  return await db
    .selectFrom('sources as s')
    .leftJoin('payments as p', (join) =>
      join.onRef('p.aid', '=', 's.aid').onRef('p.id', '=', 's.payment_id'),
    )
    .leftJoin('subscriptions as b', (join) =>
      join.onRef('b.aid', '=', 's.aid').onRef('b.id', '=', 's.subscription_id'),
    )
    .selectAll('s')
    .select(['p.amount as paid', 'p.currency', 'p.status as payment_status'])
    .select(['b.status as subscription_status', 'b.current_period_end', 'b.trial_ends', 'b.ended'])
    .where((eb) => eb.and({ 's.aid': aid, 's.access_id': accessId }))
    .orderBy('s.created')
    .orderBy('s.id')
    .execute()
}

/** When this source stopped, or will stop, granting access. */
export const effectiveEnd = ({ ends, closed }: SourceDetails): Seconds =>
  Math.min(ends, closed ?? ends)

type Changes = readonly HistoryRow[]

/** Describes a source, to follow "because of …". `changes` is the history of its record. */
export function describeSource(hold: SourceDetails, changes: Changes, now: Seconds): string {
  if (hold.kind === 'grant') return nameGrant(hold, changes)
  if (hold.kind === 'subscription') return nameSubscription(hold, now)
  const begins = hold.starts !== null && hold.starts > now
  const dispute = hold.payment_status === 'disputed' ? ', which is disputed' : ''
  return `${namePurchase(hold)}${dispute}${begins ? `, which begins on ${formatTime(hold.starts as Seconds)}` : ''}`
}

function nameGrant(hold: SourceDetails, changes: Changes): string {
  const granted = changes.findLast(({ action }) => action === 'granted')
  const by = granted ? ` by ${granted.actor}` : ''
  return `the grant on ${formatTime(granted?.at ?? hold.created)}${by}`
}

const namePurchase = ({ paid, currency, created }: SourceDetails) =>
  `the purchase of ${showMoney(paid as number, currency as string)} on ${formatTime(created)}`

function nameSubscription(hold: SourceDetails, now: Seconds): string {
  const end = hold.current_period_end as Seconds
  const isTrial = hold.trial_ends === end
  const until = `${isTrial ? 'on trial' : 'paid'} until ${formatTime(end)}`
  switch (hold.subscription_status) {
    case 'canceled':
      return `a subscription that was canceled and is ${until}`
    case 'past_due':
      return `a subscription ${until}, whose renewal is unpaid`
    default:
      return end > now
        ? `a subscription ${until}`
        : `a subscription ${until}, which is being renewed`
  }
}

/** Explains how a source ended, to follow "The access expired on …, ". */
export function describeEnd(hold: SourceDetails, changes: Changes, now: Seconds): string {
  if (hold.kind === 'subscription') return describeSubscriptionEnd(hold, changes, now)
  const isEarly = hold.closed !== null && hold.closed < hold.ends
  if (hold.kind === 'purchase' && isEarly) {
    return hold.payment_status === 'lost'
      ? `because the dispute about ${namePurchase(hold)} was lost`
      : `because ${namePurchase(hold)} was refunded`
  }
  return `as ${describeSource(hold, changes, now)} said`
}

const SUBSCRIPTION_ENDS: Record<string, string> = {
  canceled: 'because the subscription was canceled and what was paid has run out',
  unpaid: 'because the renewal of the subscription was unpaid',
  refunded: 'because the payment of the subscription was refunded',
  'dispute lost': 'because the dispute about the payment of the subscription was lost',
}

function describeSubscriptionEnd(hold: SourceDetails, changes: Changes, now: Seconds): string {
  if (hold.ended === null)
    return `when it was not renewed: there was ${nameSubscription(hold, now)}`
  const row = changes.findLast(({ action }) => action === 'subscription ended')
  const { why } = JSON.parse(row?.after ?? '{}') as { why?: string }
  return SUBSCRIPTION_ENDS[why ?? ''] ?? 'because the subscription ended'
}
