import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FakeStripe, startFakeStripe } from './fake-stripe.ts'
import { REFUSALS } from './refusals.ts'

describe('the fake Stripe', () => {
  let fake: FakeStripe

  beforeAll(async () => {
    fake = await startFakeStripe()
  })
  afterAll(() => fake.stop())

  interface Answer {
    id: string
    data: { id: string }[]
    has_more: boolean
    error?: { type: string; code?: string; param?: string }
  }

  async function ask(method: string, path: string, body = '', key?: string) {
    const response = await fetch(`${fake.url}/v1/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${fake.secretKey}`,
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(method === 'GET' ? {} : { body }),
    })
    const isReplayed = response.headers.get('idempotent-replayed') === 'true'
    return { status: response.status, isReplayed, body: (await response.json()) as Answer }
  }

  it.each([
    ['customers', 'email=a%40example.com&colour=red', 'colour'],
    ['checkout/sessions', 'mode=payment&payment_method_types[0]=card', 'payment_method_types[0]'],
    ['refunds', 'payment_intent=pi_1&metadata[a][b]=c', 'metadata[a][b]'],
    ['payment_intents', 'amount=100&currency=eur&card[number]=4242', 'card[number]'],
  ])('refuses a parameter that it does not know: %s?%s', async (path, body, param) => {
    const answer = await ask('POST', path, body)
    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatchObject({ code: 'parameter_unknown', param })
    expect((await ask('GET', 'refunds?color=red')).body.error).toMatchObject({ param: 'color' })
  })

  it.each([
    ['payment_intents', 'amount=1.5&currency=eur', 'amount'],
    ['payment_intents', 'amount=100&confirm=yes', 'confirm'],
    ['checkout/sessions', 'mode=gift', 'mode'],
    ['customers', 'email=', 'email'],
    ['customers', `metadata[a]=${'x'.repeat(501)}`, 'metadata[a]'],
  ])('refuses a value of the wrong type: %s?%s', async (path, body, param) => {
    const { status, body: response } = await ask('POST', path, body)
    expect([status, response.error?.param]).toEqual([400, param])
  })

  it('knows a key until it is made to forget it, and refuses it for another request', async () => {
    const first = await ask('POST', 'customers', 'name=Ann', 'key-1')
    expect((await ask('POST', 'customers', 'name=Ann', 'key-1')).body.id).toBe(first.body.id)
    const other = await ask('POST', 'customers', 'name=Bob', 'key-1')
    expect([other.status, other.body.error?.type]).toEqual([400, 'idempotency_error'])
    fake.forgetKeys()
    const again = await ask('POST', 'customers', 'name=Ann', 'key-1')
    expect(again.status).toBe(200)
    expect(again.body.id).not.toBe(first.body.id)
  })

  it('keeps every answer that it gave after it had begun, for a day of its clock', async () => {
    const refund = () => ask('POST', 'refunds', 'payment_intent=pi_gone&amount=1', 'key-2')
    fake.fault = () => REFUSALS.balance
    const first = await refund()
    expect([first.status, first.isReplayed]).toEqual([400, false])
    expect(first.body.error).toMatchObject({ message_code: 'insufficient_balance_for_refund' })
    fake.fault = () => undefined
    expect(await refund()).toEqual({ ...first, isReplayed: true })
    const now = Date.now()
    fake.ledger.now = () => now + 24 * 3_600_000
    expect((await refund()).body.error).toMatchObject({ code: 'resource_missing' })
    fake.ledger.now = Date.now
    await ask('POST', 'customers', 'colour=red', 'key-3')
    expect((await ask('POST', 'customers', 'name=Ann', 'key-3')).status).toBe(200)
  })

  it('lists the newest first, page by page, and by the time of creation', async () => {
    const ids: string[] = []
    for (let hour = 0; hour < 5; hour++) {
      fake.ledger.now = () => hour * 3_600_000
      const metadata = { n: String(hour) }
      ids.unshift(fake.ledger.addIntent({ amount: 100, currency: 'eur', metadata }).id)
    }
    fake.ledger.now = Date.now
    const list = async (query: string) => (await ask('GET', `payment_intents?${query}`)).body
    const first = await list('limit=2')
    expect([first.data.map(({ id }) => id), first.has_more]).toEqual([ids.slice(0, 2), true])
    const rest = await list(`limit=9&starting_after=${ids[1]}`)
    expect([rest.data.map(({ id }) => id), rest.has_more]).toEqual([ids.slice(2), false])
    const late = await list('created[gte]=10800')
    expect(late.data.map(({ id }) => id)).toEqual(ids.slice(0, 2))
    const query = encodeURIComponent("metadata['n']:'3'")
    const found = await ask('GET', `payment_intents/search?query=${query}`)
    expect(found.body.data.map(({ id }) => id)).toEqual([ids[1]])
  })

  it('can be started again with the same books', async () => {
    const { id } = fake.ledger.addCustomer('ann@example.com')
    await fake.stop()
    fake = await startFakeStripe({ ledger: fake.ledger })
    expect((await ask('GET', `payment_intents?customer=${id}`)).status).toBe(200)
  })
})
