import { expect, it } from 'vitest'
import { codeOf, type Ending } from './closings.ts'
import type { HeldRecord, HeldSource } from './held-records.ts'

const ENDS = 1_000
const EARLY = 500

const PURCHASE = { kind: 'purchase', payment_id: 'p1', ends: ENDS, closed: EARLY } as HeldSource
const SUBSCRIPTION = {
  ...{ kind: 'subscription', subscription_id: 's1', subscription_status: 'ended' },
  ...{ ends: ENDS, closed: EARLY, ended: EARLY },
} as HeldSource

const recordOf = (...sources: HeldSource[]): HeldRecord => ({
  ...{ id: 'a1', rid: 'news', ends: ENDS, revoked: null, sources },
})
const purchaseEnded = (why: string, payment = 'p1', access_id = 'a1'): Ending => ({
  ...{ access_id, action: 'purchase ended', at: EARLY, after: JSON.stringify({ why, payment }) },
})
const subscriptionEnded = (why: string, at = EARLY): Ending => ({
  ...{ access_id: 'a1', action: 'subscription ended', at, after: JSON.stringify({ why }) },
})

it.each([
  ['nothing is left of it', []],
  ['a grant ran out', [{ kind: 'grant', ends: ENDS, closed: EARLY } as HeldSource]],
])('has expired if %s', (_, sources) => {
  expect(codeOf(recordOf(...sources), [])).toBe('expired')
})

it.each([
  ['refunded', 'refunded'],
  ['dispute lost', 'dispute_lost'],
  ['archived', 'expired'],
  ['something new', 'refunded'],
])('says of a purchase that was %s: %s', (why, code) => {
  expect(codeOf(recordOf(PURCHASE), [purchaseEnded(why)])).toBe(code)
})

it('says what ended a purchase last', () => {
  const endings = [purchaseEnded('dispute lost'), purchaseEnded('refunded')]
  expect(codeOf(recordOf(PURCHASE), endings)).toBe('refunded')
  expect(codeOf(recordOf(PURCHASE), endings.toReversed())).toBe('dispute_lost')
})

it.each([
  ['another purchase', purchaseEnded('dispute lost', 'p2')],
  ['another record', purchaseEnded('dispute lost', 'p1', 'a2')],
  ['a subscription', subscriptionEnded('dispute lost')],
  ['nobody knows what', { ...purchaseEnded(''), after: null }],
])('is not told by the end of %s', (_, ending) => {
  expect(codeOf(recordOf(PURCHASE), [ending])).toBe('refunded')
})

it('has expired if its time was up before', () => {
  const endings = [purchaseEnded('refunded')]
  expect(codeOf(recordOf({ ...PURCHASE, closed: null }), endings)).toBe('expired')
  expect(codeOf(recordOf({ ...PURCHASE, closed: ENDS }), endings)).toBe('expired')
  const canceled = [subscriptionEnded('refunded', ENDS)]
  const whole = { ...SUBSCRIPTION, closed: ENDS, ended: ENDS }
  expect(codeOf(recordOf(whole), canceled)).toBe('expired')
})

it.each([
  ['unpaid', 'unpaid'],
  ['refunded', 'refunded'],
  ['dispute lost', 'dispute_lost'],
  ['canceled', 'expired'],
  ['something new', 'expired'],
])('says of a subscription that was %s: %s', (why, code) => {
  expect(codeOf(recordOf(SUBSCRIPTION), [subscriptionEnded(why)])).toBe(code)
})

it('is not told by the end of a purchase, or of another time, if it is a subscription', () => {
  expect(codeOf(recordOf(SUBSCRIPTION), [purchaseEnded('refunded')])).toBe('expired')
  expect(codeOf(recordOf(SUBSCRIPTION), [subscriptionEnded('refunded', EARLY - 1)])).toBe('expired')
  expect(codeOf(recordOf(SUBSCRIPTION), [])).toBe('expired')
})

it('is unpaid while a renewal is, and after the subscription has ended for it', () => {
  const due = { ...SUBSCRIPTION, subscription_status: 'past_due', closed: null, ended: null }
  expect(codeOf(recordOf(due as HeldSource), [])).toBe('unpaid')
  const over = { ...SUBSCRIPTION, closed: ENDS + 1, ended: ENDS + 1 }
  expect(codeOf(recordOf(over), [subscriptionEnded('unpaid', ENDS + 1)])).toBe('unpaid')
  expect(codeOf(recordOf(over), [])).toBe('expired')
})
