import type { SubscriptionItem } from '@gatehouse/server/dashboard-api'
import { badgeOf } from '../../components/display/state-badge.tsx'
import { formatDay, formatMoney } from '../../format.ts'
import { texts } from '../../texts.ts'
import { describeEnd } from '../access/end-choice.ts'

export const SubscriptionBadge = badgeOf<SubscriptionItem['status']>(texts.subscriptions.states, {
  trialing: 'live',
  active: 'live',
  past_due: 'failed',
  canceled: 'ending',
  ended: 'ended',
})

/** 4.99 EUR every month */
export const describePrice = ({ price, period }: SubscriptionItem): string =>
  `${formatMoney(price)} ${texts.subscriptions.every(period)}`

/** The display name of the subscriber. */
export const subscriberLabel = ({ email, user_ref }: SubscriptionItem): string =>
  email === '' ? user_ref : email

interface Next {
  kind: keyof typeof texts.subscriptions.short
  /** In seconds. */
  at: number
}

function nextOf(one: SubscriptionItem): Next {
  const { status, next_due, next_step, current_period_end: end } = one
  if (status === 'ended') return { kind: 'ended', at: one.ended ?? end }
  if (next_due === null) return { kind: 'charging', at: end }
  if (status === 'canceled') return { kind: 'ends', at: end }
  if (status === 'past_due')
    return { kind: next_step === 'renew' ? 'retries' : 'graceEnds', at: next_due }
  if (status === 'trialing') return { kind: 'free', at: one.trial_ends ?? end }
  return { kind: 'renews', at: end }
}

/** What happens next, in short form for a list. */
export function nextEventLabel(one: SubscriptionItem): string {
  const { kind, at } = nextOf(one)
  const { short } = texts.subscriptions
  return kind === 'charging' ? short.charging : short[kind](formatDay(at * 1000))
}

/** What happens next, as a sentence. */
export function describeNextEvent(one: SubscriptionItem): string {
  const { kind, at } = nextOf(one)
  const { story } = texts.subscriptions
  const day = formatDay(at * 1000)
  switch (kind) {
    case 'charging':
      return story.charging
    case 'renews':
    case 'free':
      return story[kind](day, describePrice(one))
    case 'retries':
      return story.retries(one.tries, day, describeEnd(one.access_ends))
    case 'graceEnds':
      return story.graceEnds(one.tries, day)
    default:
      return story[kind](day)
  }
}
