import { describe, expect, it } from 'vitest'
import { FOREVER } from '../../db/tables.ts'
import { formatTime } from '../../format-time.ts'
import type { HistoryRow } from '../history/history.ts'
import type { Decision } from './decide.ts'
import type { HeldSource } from './held-records.ts'
import { describeDecision } from './sentences.ts'

const NOW = 1_800_000_000
const LATER = NOW + 60
const at = formatTime

const sourceOf = (more: Partial<HeldSource>): HeldSource =>
  ({
    ...{ id: 's', kind: 'purchase', created: NOW - 60, starts: null, ends: LATER, closed: null },
    ...{ paid: 499, currency: 'EUR', payment_status: 'succeeded', subscription_status: null },
    ...{ trial_ends: null, canceled: null, ended: null, ...more },
  }) as HeldSource

function tell(decision: object, sources: HeldSource[], changes: Partial<HistoryRow>[] = []) {
  const record = { id: 'a', rid: 'news', ends: LATER, revoked: null, sources }
  return describeDecision({ rid: 'news', record, ...decision } as Decision, {
    ...{ userRef: 'ann', changes: changes as HistoryRow[], now: NOW },
  })
}

describe('access that is live', () => {
  const begin = 'ann has access to news without an end, because of'
  const live = (source: Partial<HeldSource>, changes: Partial<HistoryRow>[] = []) =>
    tell({ granted: true, until: undefined }, [sourceOf(source)], changes)
  const paid = { kind: 'subscription', subscription_status: 'active' } as const
  const purchase = `the purchase of 4.99 EUR on ${at(NOW - 60)}`

  it.each([
    ['a purchase', {}, purchase],
    ['a period that has begun', { starts: NOW }, purchase],
    ['a period that begins', { starts: NOW + 1 }, `${purchase}, which begins on ${at(NOW + 1)}`],
    ['a disputed purchase', { payment_status: 'disputed' }, `${purchase}, which is disputed`],
    [
      'a subscription',
      { ...paid, current_period_end: NOW + 1 },
      `a subscription paid until ${at(NOW + 1)}`,
    ],
    [
      'a subscription of which the next payment is under way',
      { ...paid, current_period_end: NOW },
      `a subscription paid until ${at(NOW)}, which is being renewed`,
    ],
    [
      'a trial',
      { ...paid, current_period_end: LATER, trial_ends: LATER },
      `a subscription on trial until ${at(LATER)}`,
    ],
  ] as [string, Partial<HeldSource>, string][])('is explained by %s', (_, source, how) => {
    expect(live(source)).toBe(`${begin} ${how}.`)
  })

  it('is explained by the last grant, and by its time alone if nobody knows who made it', () => {
    const granted = [
      { action: 'granted' as const, at: NOW - 9, actor: 'api' },
      { action: 'granted' as const, at: NOW - 5, actor: 'cli' },
      { action: 'merged' as const, at: NOW - 1, actor: 'staff' },
    ]
    expect(live({ kind: 'grant' }, granted)).toBe(`${begin} the grant on ${at(NOW - 5)} by cli.`)
    expect(live({ kind: 'grant' })).toBe(`${begin} the grant on ${at(NOW - 60)}.`)
  })
})

describe('access that is over', () => {
  const over = (code: string, source?: Partial<HeldSource>, changes: Partial<HistoryRow>[] = []) =>
    tell({ granted: false, code, since: NOW }, source ? [sourceOf(source)] : [], changes)
  const expired = `The access of ann to news expired on ${at(NOW)}`

  it('says who revoked it last, if that is known', () => {
    const revoked = [
      { action: 'revoked' as const, actor: 'api' },
      { action: 'revoked' as const, actor: 'cli' },
      { action: 'granted' as const, actor: 'staff' },
    ]
    const sentence = `The access of ann to news was revoked on ${at(NOW)}`
    expect(over('revoked', {}, revoked)).toBe(`${sentence} by cli.`)
    expect(over('revoked', {})).toBe(`${sentence}.`)
  })

  it('says that it expired where nothing is left of what gave it', () => {
    expect(over('expired')).toBe(`${expired}.`)
    const since = { granted: false, code: 'expired' }
    expect(tell(since, [])).toBe(`The access of ann to news expired on ${at(FOREVER)}.`)
  })

  const subscription = {
    ...{ kind: 'subscription' as const, subscription_status: 'ended' as const },
    current_period_end: NOW - 9,
  }
  it.each([
    ['because the subscription ended', { ...subscription, ended: NOW }],
    [
      'because the subscription was canceled and what was paid has run out',
      { ...subscription, ended: NOW, canceled: NOW - 9 },
    ],
    [
      `when it was not renewed: there was a subscription paid until ${at(NOW - 9)}, which is being renewed`,
      subscription,
    ],
  ])('says of a subscription: %s', (how, source) => {
    expect(over('expired', source)).toBe(`${expired}, ${how}.`)
  })

  it('is no access at all without a record', () => {
    const decision = { granted: false, code: 'never_granted', record: undefined }
    expect(tell(decision, [])).toBe('ann never had access to news.')
  })
})
