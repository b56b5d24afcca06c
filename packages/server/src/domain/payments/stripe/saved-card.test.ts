import { describe, expect, it } from 'vitest'
import { ProviderError } from '../provider-error.ts'
import { decodeSavedCard, encodeSavedCard, stripeTitle } from './saved-card.ts'

describe('a card that Stripe has saved', () => {
  it('is kept with its customer', () => {
    const method = encodeSavedCard({ customer: 'cus_1a', payment_method: 'pm_2b' }, 'card')
    expect(method).toBe('cus_1a:pm_2b')
    expect(decodeSavedCard(method)).toEqual({ customer: 'cus_1a', paymentMethod: 'pm_2b' })
  })

  it('is kept with its type, if that is another than a card', () => {
    const method = encodeSavedCard({ customer: 'cus_1a', payment_method: 'pm_2b' }, 'link')
    expect(method).toBe('cus_1a:pm_2b:link')
    expect(decodeSavedCard(method)).toEqual({
      ...{ customer: 'cus_1a', paymentMethod: 'pm_2b', type: 'link' },
    })
  })

  it.each([
    { customer: null, payment_method: 'pm_1' },
    { customer: 'cus_1', payment_method: null },
  ])('is not half a card: %j', (half) => {
    expect(() => encodeSavedCard(half, undefined)).toThrow(ProviderError)
  })

  it.each([
    'test-card-4242',
    'cus_1',
    'cus_1:',
    'cus_:pm_1',
    'pm_1:cus_1',
    'xcus_1:pm_1',
    'cus_1:pm_1:2',
    'cus_1:pm_1 ',
    'cus_1:pm_1:',
    'cus_1:pm_1:link:link',
    'cus-1:pm_1',
    'cus_1:pm-1',
  ])('is not %j', (method) => {
    expect(decodeSavedCard(method)).toBeUndefined()
  })
})

describe('a title for Stripe', () => {
  it('is cut to what Stripe takes, between whole characters', () => {
    expect(stripeTitle('Spring issue')).toBe('Spring issue')
    expect(stripeTitle('a'.repeat(250))).toHaveLength(250)
    expect(stripeTitle('😀'.repeat(251))).toBe('😀'.repeat(250))
  })
})
