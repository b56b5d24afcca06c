import type { SubscriptionItem } from '@gatehouse/server/dashboard-api'
import { badgeOf } from '../../components/display/state-badge.tsx'
import { formatMoney } from '../../format.ts'
import { texts } from '../../texts.ts'
import { describeEnd, formatDayIn } from '../access/end-choice.ts'

export const SubscriptionBadge = badgeOf<SubscriptionItem['status']>(texts.subscriptions.states, {
  trialing: 'live',
  active: 'live',
  past_due: 'failed',
  canceled: 'ending',
  ended: 'ended',
})

/** The price and how often it is charged: `4.99 EUR every month`. */
export const describePrice = ({ price, period }: SubscriptionItem): string =>
  `${formatMoney(price)} ${texts.subscriptions.every(period)}`

/** The display name of the subscriber. */
export const subscriberLabel = ({ email, user_ref }: SubscriptionItem): string =>
  email === '' ? user_ref : email

interface Next {
  kind: keyof typeof texts.subscriptions.story
  /** In seconds. */
  at: number
}

/** Why a subscription ended. `ended` stands for the other reasons: it was refunded or revoked. */
function endOf({ canceled, tries }: SubscriptionItem): Next['kind'] {
  if (canceled !== null) return 'endedCanceled'
  return tries > 0 ? 'endedUnpaid' : 'ended'
}

function nextOf(one: SubscriptionItem): Next {
  const { status, next_due, next_step, current_period_end: end } = one
  if (status === 'ended') return { kind: endOf(one), at: one.ended ?? end }
  if (next_due === null) return { kind: 'charging', at: end }
  if (status === 'canceled') return { kind: 'ends', at: end }
  if (status === 'past_due')
    return { kind: next_step === 'renew' ? 'retries' : 'graceEnds', at: next_due }
  if (status === 'trialing') return { kind: 'free', at: one.trial_ends ?? end }
  return { kind: 'renews', at: end }
}

/** Why a subscription ended, in a word; undefined if it has not, or for another reason. */
export function endReasonLabel(one: SubscriptionItem): string | undefined {
  const { kind } = nextOf(one)
  const { endReasons } = texts.subscriptions
  return kind === 'endedCanceled' || kind === 'endedUnpaid' ? endReasons[kind] : undefined
}

/** The next event, in short form for a list, without the reason of an end. */
export function nextDayLabel(one: SubscriptionItem, zone: string): string {
  const { kind, at } = nextOf(one)
  const { short } = texts.subscriptions
  if (kind === 'charging') return short.charging
  const name = kind === 'endedCanceled' || kind === 'endedUnpaid' ? 'ended' : kind
  return short[name](formatDayIn(zone, at))
}

/** The next event, in short form. */
export function nextEventLabel(one: SubscriptionItem, zone: string): string {
  const reason = endReasonLabel(one)
  const label = nextDayLabel(one, zone)
  return reason === undefined ? label : `${label} (${reason.toLowerCase()})`
}

/** The next event, as a sentence. */
export function describeNextEvent(one: SubscriptionItem, zone: string): string {
  const { kind, at } = nextOf(one)
  const { story } = texts.subscriptions
  const day = formatDayIn(zone, at)
  switch (kind) {
    case 'charging':
      return story.charging
    case 'renews':
    case 'free':
      return story[kind](day, describePrice(one))
    case 'retries':
      return story.retries(one.tries, day, describeEnd(one.access_ends, zone))
    case 'graceEnds':
      return story.graceEnds(one.tries, day)
    default:
      return story[kind](day)
  }
}
