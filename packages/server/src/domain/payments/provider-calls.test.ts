import { describe, expect, it } from 'vitest'
import type { PaymentProvider } from './provider.ts'
import { measureProvider, ProviderCalls } from './provider-calls.ts'
import { ProviderError } from './provider-error.ts'

describe('the calls to a payment provider', () => {
  const isDown = () => Promise.reject(new ProviderError('is down'))
  const provider = {
    name: 'fake',
    startCheckout: async () => ({ ref: 'cs_1', url: 'https://pay.example.com/1' }),
    expireCheckout: isDown,
    charge: isDown,
    refund: isDown,
    check: async () => {},
    find: { checkout: isDown, payment: async () => undefined, charges: isDown, refund: isDown },
    readEvent: async () => undefined,
  } as unknown as PaymentProvider

  it('are counted by what they are and how they ended, and end as before', async () => {
    const calls = new ProviderCalls()
    const counted = measureProvider(provider, calls)
    expect(counted.name).toBe('fake')
    expect(await counted.startCheckout({} as never)).toMatchObject({ ref: 'cs_1' })
    await counted.startCheckout({} as never)
    await expect(counted.charge({} as never)).rejects.toThrow('is down')
    await counted.find.payment({} as never)
    await expect(counted.find.checkout('cs_1')).rejects.toThrow(ProviderError)
    // No call: its signature is checked here.
    await counted.readEvent({} as never)
    expect(calls.list().map(({ seconds: _, ...one }) => one)).toEqual([
      { operation: 'startCheckout', outcome: 'answered', calls: 2 },
      { operation: 'charge', outcome: 'failed', calls: 1 },
      { operation: 'find', outcome: 'answered', calls: 1 },
      { operation: 'find', outcome: 'failed', calls: 1 },
    ])
    for (const { seconds } of calls.list()) expect(seconds).toBeGreaterThanOrEqual(0)
  })
})
