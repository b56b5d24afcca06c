import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FakeStripe, startFakeStripe } from './fake-stripe.ts'
import { takeViolations } from './judge/violations.ts'
import { REFUSALS } from './refusals.ts'

describe('the fake Stripe', () => {
  let fake: FakeStripe

  beforeAll(async () => {
    fake = await startFakeStripe()
  })
  afterAll(() => fake.stop())

  interface Answer {
    object: string
    id: string
    url: string
    data: { id: string }[]
    has_more: boolean
    error?: { type: string; message: string; code?: string; param?: string }
  }

  const VERSION = '2026-10-28.endive'

  async function ask(method: string, path: string, body = '', key?: string, version = VERSION) {
    const response = await fetch(`${fake.url}/v1/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${fake.secretKey}`,
        'stripe-version': version,
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(method === 'GET' ? {} : { body }),
    })
    const { status, headers } = response
    const isReplayed = headers.get('idempotent-replayed') === 'true'
    return { status, headers, isReplayed, body: (await response.json()) as Answer }
  }

  it.each([
    ['customers', 'email=a%40example.com&colour=red', 'colour'],
    ['checkout/sessions', 'mode=payment&payment_method_types[0]=card', 'payment_method_types'],
    ['payment_intents', 'amount=100&currency=eur&card[number]=4242', 'card'],
  ])('refuses a parameter that it does not know: %s?%s', async (path, body, param) => {
    const answer = await ask('POST', path, body)
    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatchObject({ code: 'parameter_unknown', param })
    expect((await ask('GET', 'refunds?color=red')).body.error).toMatchObject({ param: 'color' })
    expect(takeViolations().join('\n')).toContain(`parameter \`${param}\`: Received unknown`)
  })

  it.each([
    ['payment_intents', 'amount=1.5&currency=eur', 'amount'],
    ['payment_intents', 'amount=100&confirm=yes', 'confirm'],
    ['checkout/sessions', 'mode=gift', 'mode'],
    ['customers', 'email=', 'email'],
    ['customers', 'metadata=red', 'metadata'],
    ['customers', 'email[a]=b', 'email'],
    ['refunds', 'metadata[a][b]=c', 'metadata[a]'],
    ['customers', `metadata[a]=${'x'.repeat(501)}`, 'metadata[a]'],
    ['customers', `metadata[${'x'.repeat(41)}]=a`, `metadata[${'x'.repeat(41)}]`],
    [
      'customers',
      `${Array.from({ length: 51 }, (_, n) => `metadata[${n}]=a`).join('&')}`,
      'metadata',
    ],
    ['checkout/sessions', 'line_items[a][quantity]=1', 'line_items'],
    ['webhook_endpoints', 'enabled_events[0]=a.b&url=https://a.example', 'enabled_events[0]'],
    ['webhook_endpoints', 'enabled_events[0]=refund.created', 'url'],
  ])('refuses a value of the wrong type, or none: %s?%s', async (path, body, param) => {
    const { status, body: response } = await ask('POST', path, body)
    expect([status, response.error?.param]).toEqual([400, param])
    expect(takeViolations().join('\n')).toContain(`POST /v1/${path}: parameter \`${param}\``)
  })

  it.each([
    ['refunds?expand[0]=metadata', 'This property cannot be expanded (metadata).'],
    [
      'refunds?expand[0]=charge',
      "This property cannot be expanded (charge). You may want to try expanding 'data.charge' instead.",
    ],
    [
      'refunds?expand[0]=data.charge.payment_intent.latest_charge.customer',
      'You cannot expand more than 4 levels of a property.',
    ],
  ])('expands only what Stripe expands: %s', async (path, message) => {
    const { status, body } = await ask('GET', path)
    expect([status, body.error?.message]).toEqual([400, expect.stringContaining(message)])
    expect(takeViolations()).toHaveLength(1)
  })

  it.each([
    ['GET', 'coffees', 'Stripe has no such route'],
    ['GET', 'payouts', 'the fake has no such route'],
    ['PUT', 'refunds/re_1/very/deep', 'Stripe has no such route'],
  ])('knows no %s %s', async (method, path, violation) => {
    const { status, body } = await ask(method, path)
    expect([status, body.error?.type]).toEqual([404, 'invalid_request_error'])
    expect(body.error?.message).toContain('Unrecognized request URL')
    expect(takeViolations().join()).toContain(violation)
  })

  it('demands the version of the API that the types are made for', async () => {
    const { status, body } = await ask('GET', 'refunds', '', undefined, '2023-08-16')
    expect([status, body.error?.message]).toEqual([400, 'Invalid Stripe API version: 2023-08-16'])
    expect(takeViolations()).toHaveLength(1)
  })

  it('names each request, and the address of each list', async () => {
    const [one, other] = [await ask('GET', 'refunds'), await ask('GET', 'refunds')]
    expect(one.headers.get('request-id')).toMatch(/^req_\w+$/)
    expect(one.headers.get('request-id')).not.toBe(other.headers.get('request-id'))
    expect(one.body).toMatchObject({ object: 'list', url: '/v1/refunds' })
  })

  it.each([
    ['limit=101', 'limit'],
    ['limit=0', 'limit'],
    ['starting_after=re_unknown', 'starting_after'],
  ])('refuses a page that Stripe would refuse: %s', async (query, param) => {
    const { status, body } = await ask('GET', `refunds?${query}`)
    expect([status, body.error?.param]).toEqual([400, param])
  })

  it.each([
    ['eur', 49, 50],
    ['gbp', 29, 30],
    ['huf', 17_400, 17_500],
    ['jpy', 49, 50],
    ['kwd', 40, 50],
  ])('takes no amount below the minimum in %s', async (currency, low, enough) => {
    const codeOf = async (amount: number) => {
      const { body } = await ask('POST', 'payment_intents', `amount=${amount}&currency=${currency}`)
      return body.error?.code
    }
    expect(await codeOf(low)).toBe('amount_too_small')
    expect(await codeOf(enough)).toBe('resource_missing')
    expect(await codeOf(100_000_000)).toBe('amount_too_large')
  })

  it('says which limit was passed, but not how long to wait', async () => {
    fake.fault = () => 'rate_limited'
    const { status, headers } = await ask('GET', 'refunds')
    fake.fault = () => undefined
    expect([status, headers.get('retry-after')]).toEqual([429, null])
    expect(headers.get('stripe-rate-limited-reason')).toBe('endpoint-rate')
  })

  it.each([
    ['mode=setup', 'currency'],
    ['mode=payment', 'line_items'],
    ['mode=setup&currency=eur&line_items[0][quantity]=1', 'line_items'],
    [
      'mode=payment&line_items[0][quantity]=1&setup_intent_data[description]=a',
      'setup_intent_data',
    ],
  ])('makes no page with parameters of another mode: %s', async (body, param) => {
    const answer = await ask('POST', 'checkout/sessions', body)
    expect([answer.status, answer.body.error?.param]).toEqual([400, param])
  })

  it('makes the intent of a page that saves a card with the page', async () => {
    const expires = Math.floor(Date.now() / 1000) + 3600
    const { body } = await ask(
      'POST',
      'checkout/sessions',
      `mode=setup&currency=eur&expires_at=${expires}&success_url=https%3A%2F%2Fa.example`,
    )
    const { setup_intent } = fake.ledger.sessions.get(body.id) ?? {}
    const setup = fake.ledger.setups.get(setup_intent as string)
    expect(setup?.status).toBe('requires_payment_method')
    fake.pay(body.id)
    expect(setup?.status).toBe('succeeded')
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
    const { status, body, isReplayed } = await refund()
    expect({ status, body, isReplayed }).toEqual({
      status: first.status,
      body: first.body,
      isReplayed: true,
    })
    const now = Date.now()
    fake.ledger.now = () => now + 24 * 3_600_000
    expect((await refund()).body.error).toMatchObject({ code: 'resource_missing' })
    fake.ledger.now = Date.now
    await ask('POST', 'customers', 'colour=red', 'key-3')
    expect((await ask('POST', 'customers', 'name=Ann', 'key-3')).status).toBe(200)
    expect(takeViolations()).toHaveLength(1)
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
    const search = async () => (await ask('GET', `payment_intents/search?query=${query}`)).body
    fake.ledger.now = () => 3 * 3_600_000 + 59_000
    expect((await search()).data).toEqual([])
    fake.ledger.now = Date.now
    expect((await search()).data.map(({ id }) => id)).toEqual([ids[1]])
  })

  it('can be started again with the same books', async () => {
    const { id } = fake.ledger.addCustomer('ann@example.com')
    await fake.stop()
    fake = await startFakeStripe({ ledger: fake.ledger })
    expect((await ask('GET', `payment_intents?customer=${id}`)).status).toBe(200)
  })
})
