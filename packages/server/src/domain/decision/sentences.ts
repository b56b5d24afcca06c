import { FOREVER, type Seconds } from '../../db/tables.ts'
import { formatTime } from '../../format-time.ts'
import { showMoney } from '../apps/currency.ts'
import type { HistoryRow } from '../history/history.ts'
import type { RefusedCode } from './codes.ts'
import type { Decision, GrantedDecision, RefusedDecision } from './decide.ts'
import type { HeldSource } from './held-records.ts'
import { listOpen } from './judge.ts'

type Changes = readonly HistoryRow[]

/** The facts that a sentence needs besides the decision. */
export interface Situation {
  userRef: string
  /** The history of the record that decides. */
  changes: Changes
  now: Seconds
}

/** Says in one sentence, for operators, why a user may see a resource or not. */
export function describeDecision(decision: Decision, situation: Situation): string {
  return decision.granted
    ? describeGranted(decision, situation)
    : describeRefused(decision, situation)
}

const nameResource = ({ rid, via }: Decision) => (via === undefined ? rid : `${rid} through ${via}`)

function describeGranted(decision: GrantedDecision, { userRef, changes, now }: Situation): string {
  const { until, record } = decision
  const end = until === undefined ? 'without an end' : `until ${formatTime(until)}`
  const names = listOpen(record, now).map((source) => describeSource(source, changes, now))
  return `${userRef} has access to ${nameResource(decision)} ${end}, because of ${names.join(' and ')}.`
}

function describeRefused(decision: RefusedDecision, { userRef, changes, now }: Situation): string {
  const { rid, code, since = FOREVER, record } = decision
  if (record === undefined) return `${userRef} never had access to ${rid}.`
  const what = `The access of ${userRef} to ${nameResource(decision)}`
  if (code === 'revoked') {
    const by = changes.findLast(({ action }) => action === 'revoked')?.actor
    return `${what} was revoked on ${formatTime(since)}${by === undefined ? '' : ` by ${by}`}.`
  }
  const [last] = record.sources
  const how = last === undefined ? '' : `, ${describeEnd(last, code, changes, now)}`
  return `${what} expired on ${formatTime(since)}${how}.`
}

/** Describes a source, to follow "because of …". */
function describeSource(source: HeldSource, changes: Changes, now: Seconds): string {
  if (source.kind === 'grant') return nameGrant(source, changes)
  if (source.kind === 'subscription') return nameSubscription(source, now)
  const begins = source.starts !== null && source.starts > now
  const dispute = source.payment_status === 'disputed' ? ', which is disputed' : ''
  return `${namePurchase(source)}${dispute}${begins ? `, which begins on ${formatTime(source.starts as Seconds)}` : ''}`
}

function nameGrant(source: HeldSource, changes: Changes): string {
  const granted = changes.findLast(({ action }) => action === 'granted')
  const by = granted ? ` by ${granted.actor}` : ''
  return `the grant on ${formatTime(granted?.at ?? source.created)}${by}`
}

const namePurchase = ({ paid, currency, created }: HeldSource) =>
  `the purchase of ${showMoney(paid as number, currency as string)} on ${formatTime(created)}`

function nameSubscription(source: HeldSource, now: Seconds): string {
  const end = source.current_period_end as Seconds
  const isTrial = source.trial_ends === end
  const until = `${isTrial ? 'on trial' : 'paid'} until ${formatTime(end)}`
  switch (source.subscription_status) {
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
function describeEnd(
  source: HeldSource,
  code: RefusedCode,
  changes: Changes,
  now: Seconds,
): string {
  if (source.kind === 'subscription') return describeSubscriptionEnd(source, code, now)
  if (code === 'dispute_lost') return `because the dispute about ${namePurchase(source)} was lost`
  if (code === 'refunded') return `because ${namePurchase(source)} was refunded`
  return `as ${describeSource(source, changes, now)} said`
}

const SUBSCRIPTION_ENDS: Partial<Record<RefusedCode, string>> = {
  unpaid: 'because the renewal of the subscription was unpaid',
  refunded: 'because the payment of the subscription was refunded',
  dispute_lost: 'because the dispute about the payment of the subscription was lost',
}

function describeSubscriptionEnd(source: HeldSource, code: RefusedCode, now: Seconds): string {
  const known = SUBSCRIPTION_ENDS[code]
  if (known !== undefined) return known
  if (source.canceled !== null) {
    return 'because the subscription was canceled and what was paid has run out'
  }
  return source.ended === null
    ? `when it was not renewed: there was ${nameSubscription(source, now)}`
    : 'because the subscription ended'
}
