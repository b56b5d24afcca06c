import type { AccessDetails, SourceItem } from '@gatehouse/server/dashboard-api'
import { describe, expect, it } from 'vitest'
import { findNeedless } from './paid-twice.ts'

const NOW = 1_000

function source(id: string, more: Partial<SourceItem> = {}): SourceItem {
  const payment = { id: `p-${id}`, amount: { amount: 499, currency: 'EUR' }, status: 'succeeded' }
  const blank = { starts: null, expires: null, closed: null, subscription: null }
  return { id, kind: 'purchase', created: 10, payment, ...blank, ...more }
}

const subscription = (status: string, more: Partial<SourceItem> = {}) =>
  source('sub', {
    ...{ kind: 'subscription', payment: null, expires: 2_000 },
    subscription: { id: 'b', status, current_period_end: 2_000 },
    ...more,
  })

const found = (sources: SourceItem[], revoked: number | null = null) =>
  findNeedless([{ resource_name: 'Maps', revoked, sources } as unknown as AccessDetails], NOW).map(
    (one) => `${one.resource} ${one.source.id}`,
  )

describe('what somebody paid for although they own it', () => {
  const first = source('first')
  const refunded = { id: 'p', amount: { amount: 1, currency: 'EUR' }, status: 'refunded' }
  it.each([
    ['a second lifetime purchase', [source('second', { created: 20 }), first], ['Maps second']],
    ['a period', [first, source('days', { created: 20, expires: 2_000 })], ['Maps days']],
    ['a subscription', [first, subscription('active', { created: 20 })], ['Maps sub']],
    ['an earlier subscription', [subscription('active', { created: 5 }), first], ['Maps sub']],
  ])('is %s', (_, sources, told) => expect(found(sources)).toEqual(told))

  it.each([
    ['one purchase', [first]],
    ['a purchase and a grant', [first, source('gift', { kind: 'grant', payment: null })]],
    ['two periods', [source('a', { expires: 2_000 }), source('b', { expires: 3_000 })]],
    ['a period before it', [source('days', { created: 5, expires: 2_000 }), first]],
    ['one that was refunded', [first, source('x', { created: 20, payment: refunded })]],
    ['one that was closed', [first, source('x', { created: 20, closed: 30 })]],
    ['a canceled subscription', [first, subscription('canceled')]],
  ])('is not %s', (_, sources) => expect(found(sources)).toEqual([]))

  it('is nothing where the access is revoked', () =>
    expect(found([first, source('second', { created: 20 })], 500)).toEqual([]))
})
