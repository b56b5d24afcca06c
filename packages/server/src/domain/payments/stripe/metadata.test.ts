import { describe, expect, it } from 'vitest'
import type { Seconds } from '../../../db/tables.ts'
import { readLabels, toMetadata } from './metadata.ts'

const TERMS = { recurring: 1, period: 'P1M', trial_days: 7, isVouched: true } as const

describe('our labels at Stripe', () => {
  const labels = {
    installation: 'i1',
    aid: 'a1',
    rid: 'r1',
    uid: 'u1',
    userRef: 'reader-1',
    subscriptionId: 's1',
    periodStart: 1_700_000_000 as Seconds,
    attempt: 0,
    checkoutId: 'c1',
    paymentId: 'p1',
    refundId: 'f1',
    reference: 'ref-1',
    terms: TERMS,
  }

  it('have names that never change, and are read as they were written', () => {
    const metadata = toMetadata(labels)
    expect(metadata).toEqual({
      gatehouse_installation: 'i1',
      gatehouse_aid: 'a1',
      gatehouse_rid: 'r1',
      gatehouse_uid: 'u1',
      gatehouse_user_ref: 'reader-1',
      gatehouse_subscription: 's1',
      gatehouse_period: '1700000000',
      gatehouse_attempt: '0',
      gatehouse_checkout: 'c1',
      gatehouse_payment: 'p1',
      gatehouse_refund: 'f1',
      gatehouse_reference: 'ref-1',
      gatehouse_terms: JSON.stringify(TERMS),
    })
    expect(readLabels(metadata)).toEqual(labels)
  })

  it('are left out where they are unknown', () => {
    expect(Object.keys(toMetadata({ aid: 'a1', uid: undefined }))).toEqual(['gatehouse_aid'])
    expect(Object.values(readLabels(null)).filter((one) => one !== undefined)).toEqual([])
  })

  it.each(['', '-1', '1.5', '1e3', 'x12', '12x', '1234567890123'])(
    'count as absent if somebody has written %j instead of a number',
    (text) => {
      const read = readLabels({ gatehouse_period: text, gatehouse_attempt: text })
      expect(read).toMatchObject({ periodStart: undefined, attempt: undefined })
    },
  )

  it.each([
    '',
    'null',
    '{"recurring":1',
    JSON.stringify({ ...TERMS, recurring: 2 }),
    JSON.stringify({ ...TERMS, period: 1 }),
    JSON.stringify({ ...TERMS, trial_days: -1 }),
    JSON.stringify({ ...TERMS, isVouched: 'yes' }),
    JSON.stringify({ ...TERMS, isVouched: undefined }),
  ])('count as absent if somebody has written %j instead of the terms', (text) => {
    expect(readLabels({ gatehouse_terms: text }).terms).toBeUndefined()
  })

  it('may have terms of a single sale, which have no period', () => {
    const terms = { ...TERMS, recurring: 0, period: null }
    expect(readLabels({ gatehouse_terms: JSON.stringify(terms) }).terms).toEqual(terms)
  })
})
