import { describe, expect, it } from 'vitest'
import { troubleOf, useStripeProvider } from '../../../testing/stripe/stripe-provider.ts'
import { createStripeApi } from './api.ts'
import { connectStripe } from './connection.ts'

const { fake, failWith, callsTo } = useStripeProvider()
const LIST = 'GET /v1/payment_intents'
const connect = (more: Partial<Parameters<typeof connectStripe>[0]> = {}) =>
  createStripeApi(connectStripe({ secretKey: fake.secretKey, api: fake.url, ...more }))

const OWN = { gatehouse_payment: 'p1' }

async function countOf(customer: string): Promise<number> {
  let count = 0
  for await (const _one of connect().intentsOf(customer)) count++
  return count
}

describe('a list of Stripe', () => {
  it.each([
    [0, 1],
    [1, 1],
    [100, 1],
    [101, 2],
    [200, 2],
  ])('of %d items is read whole, in %d pages', async (items, pages) => {
    const { id: customer } = fake.ledger.addCustomer(null)
    for (let count = 0; count < items; count++) {
      fake.ledger.addIntent({ amount: 999, currency: 'eur', customer, metadata: OWN })
    }
    expect(await countOf(customer)).toBe(items)
    const calls = callsTo(LIST).map(({ text }) => new URLSearchParams(text))
    expect(calls).toHaveLength(pages)
    expect(calls.every((call) => call.get('limit') === '100')).toBe(true)
    expect(calls.map((call) => call.has('starting_after'))).toEqual(
      calls.map((_call, page) => page > 0),
    )
  })

  it('that promises more and shows nothing is not read again and again', async () => {
    const { id: customer } = fake.ledger.addCustomer(null)
    failWith({ rewrite: () => ({ object: 'list', data: [], has_more: true }) }, LIST)
    const { message } = await troubleOf(countOf(customer))
    expect(message).toContain('a list without an end')
    expect(callsTo(LIST)).toHaveLength(1)
  })

  it.each<[string, object]>([
    ['that does not say whether there is more', { data: [] }],
    ['without items', { has_more: false }],
    [
      'of other things',
      { data: [{ object: 'charge', id: 'ch_1', metadata: OWN }], has_more: false },
    ],
  ])('%s is not readable', async (_what, body) => {
    const { id: customer } = fake.ledger.addCustomer(null)
    failWith({ rewrite: () => body }, LIST)
    await troubleOf(countOf(customer))
  })

  it('skips what is not ours, whatever it looks like, also at the end of a page', async () => {
    const { id: customer } = fake.ledger.addCustomer(null)
    const add = (metadata: Record<string, string>) =>
      fake.ledger.addIntent({ amount: 999, currency: 'eur', customer, metadata })
    const strange = Array.from({ length: 100 }, () => add({}))
    add(OWN)
    for (const [i, one] of strange.entries()) {
      fake.ledger.markOdd(one.id, 'of another system')
      Object.assign(one, [{ metadata: null }, { status: 7 }, { currency: 'ZZ' }, {}][i % 4])
    }
    expect(await countOf(customer)).toBe(1)
    expect(callsTo(LIST)).toHaveLength(2)
  })

  it('names what is ours and can’t be read', async () => {
    const { id: customer } = fake.ledger.addCustomer(null)
    const intent = fake.ledger.addIntent({
      ...{ amount: 999, currency: 'eur', customer, metadata: OWN },
    })
    fake.ledger.markOdd(intent.id, 'it has no status')
    Object.assign(intent, { status: null })
    const { message } = await troubleOf(countOf(customer))
    expect(message).toBe(`the status of ${intent.id} can't be read`)
  })
})

describe('a connection to Stripe', () => {
  it('names the setting that its key is in', async () => {
    const keySetting = 'Settings, Payments'
    const wrong = connect({ secretKey: 'sk_test_wrong', keySetting })
    expect((await troubleOf(wrong.check())).message).toContain(keySetting)
  })

  it('passes on the headers of a trace', async () => {
    await connect({ traceHeaders: () => ({ traceparent: '00-1-2-01' }) }).check()
    expect(fake.calls[0]?.headers.traceparent).toBe('00-1-2-01')
  })

  it('tells Stripe nothing about how long earlier calls took', async () => {
    const api = connect()
    for (let call = 0; call < 3; call++) await api.check()
    expect(fake.calls).toHaveLength(3)
    for (const { headers } of fake.calls) {
      expect(Object.keys(headers)).not.toContain('x-stripe-client-telemetry')
    }
  })

  it('reaches a replacement of Stripe by its IPv6 address', async () => {
    const { message } = await troubleOf(connect({ api: 'http://[::1]:1' }).check())
    expect(message).toMatch(/ECONNREFUSED|EADDRNOTAVAIL|ENETUNREACH|EAFNOSUPPORT/)
  })
})
