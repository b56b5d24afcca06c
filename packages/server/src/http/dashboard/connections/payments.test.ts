import { afterEach, describe, expect, it } from 'vitest'
import { countAtStake } from '../../../domain/connections/at-stake.ts'
import type { Refusal } from '../../../testing/dashboard-api.ts'
import { databases } from '../../../testing/databases.ts'
import { backUp } from '../../../testing/restores/restore.ts'
import { buyWithStripe, RENEWING_TERMS } from '../../../testing/stripe/stripe-shop.ts'
import {
  useApplication,
  useFakeStripe,
  useService,
  useSignedIn,
} from '../../../testing/use-service.ts'
import type { ConnectionsView, PaymentsChanged, PaymentsTested } from './schemas.ts'

const KEY = 'sk_test_fake0123456789'
const SECOND_KEY = 'rk_test_second0123456789'
const WEBHOOK = 'https://shop.example.com/sandbox/events/stripe'

describe.each(databases)('Settings, Payments on $name', (database) => {
  const fake = useFakeStripe()
  const service = useService(database, () => ({
    useRealTime: true,
    env: { GATEHOUSE_STRIPE_API: fake.url, GATEHOUSE_BASE_URL: 'https://shop.example.com' },
  }))
  const app = useApplication(service, { environment: 'sandbox', resources: ['news', 'article'] })
  const owner = useSignedIn(service, 'owner')
  const developer = useSignedIn(service, 'developer')

  const at = (path: string) => `/connections/sandbox${path}`
  const view = async () => (await owner.request<ConnectionsView>('GET', at(''))).body
  const connect = (body: object) => owner.request<PaymentsChanged>('PUT', at('/payments'), body)
  const refusal = async (body: object, environment = 'sandbox') => {
    const path = `/connections/${environment}/payments`
    const { status, body: answer } = await owner.request<Refusal>('PUT', path, body)
    return [status, answer.error.parameter, answer.error.problem]
  }
  const lastAudit = async () => {
    const query = service.ctx.control.read.selectFrom('audit').selectAll()
    return await query.orderBy('seq', 'desc').limit(1).executeTakeFirstOrThrow()
  }
  afterEach(() => {
    fake.fault = () => undefined
  })

  it.each([
    ['pk_live_0123456789', 'production', /^this is a publishable key/],
    ['whsec_0123456789', 'production', /^this is the signing secret of a webhook/],
    ['sk_test_0123456789', 'production', /^this is a test key; production needs a live key$/],
    ['rk_live_0123456789', 'sandbox', /^this is a live key; the sandbox needs a test key$/],
    ['sk_test', 'sandbox', /^not a Stripe key/],
    ['', 'sandbox', /^not a Stripe key/],
  ])('refuses %j in %s in its own words, and asks nobody', async (key, environment, problem) => {
    fake.calls.length = 0
    const found = await refusal({ secret_key: key }, environment)
    expect(found).toEqual([400, 'secret_key', expect.stringMatching(problem)])
    expect(fake.calls).toEqual([])
  })

  it('refuses an API key in place of the signing secret', async () => {
    const found = await refusal({ secret_key: KEY, webhook_secret: SECOND_KEY })
    expect(found).toEqual([400, 'webhook_secret', expect.stringMatching(/^this is an API key/)])
    expect((await view()).payments.source).toBe('none')
  })

  it('says what Stripe has against a key, and stores nothing', async () => {
    const refused = await refusal({ secret_key: 'sk_test_unknown0123' })
    expect(refused).toEqual([402, 'secret_key', expect.stringMatching(/^Stripe refuses this key/)])
    fake.fault = () => 'no_permission'
    const lacking = await refusal({ secret_key: KEY })
    expect(lacking).toEqual([402, 'secret_key', expect.stringMatching(/may not read payments/)])
    fake.fault = () => 'reset_before'
    expect((await connect({ secret_key: KEY })).status).toBe(503)
    expect((await view()).payments).toMatchObject({ source: 'none', provider: 'test_cards' })
    expect((await lastAudit()).outcome).toBe('provider_unavailable')
  })

  it('connects without a restart, registers the webhook, and shows no secret', async () => {
    expect(service.ctx.environments.sandbox.provider?.name).toBe('test')
    const { status, body, text } = await connect({ secret_key: ` ${KEY}\n` })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      webhook_problem: null,
      payments: {
        ...{ source: 'staff', provider: 'stripe', mode: 'test', key_ending: '6789' },
        account: { id: 'acct_fake1', name: 'Fake Magazine' },
        connected_by: 'Test',
        webhook: { state: 'automatic', url: WEBHOOK, is_public: true },
      },
    })
    expect(service.ctx.environments.sandbox.provider?.name).toBe('stripe')
    const [endpoint] = [...fake.ledger.endpoints.values()]
    expect(endpoint).toMatchObject({ url: WEBHOOK, status: 'enabled' })
    expect(endpoint?.enabled_events).toContain('checkout.session.completed')
    const audit = await lastAudit()
    expect(audit).toMatchObject({ action: 'payments.connect', outcome: 'done' })
    expect(JSON.parse(audit.details)).toEqual({
      ...{ account: 'acct_fake1', webhook: 'ok', replaced: false },
    })
    for (const shown of [text, JSON.stringify(audit), JSON.stringify(await view())]) {
      expect(shown).not.toContain(KEY)
      expect(shown).not.toContain(endpoint?.secret)
    }
  })

  it("accepts the events that the new endpoint's secret signs", async () => {
    const [endpoint] = [...fake.ledger.endpoints.values()]
    const event = { object: 'event', type: 'customer.created', data: { object: {} } }
    const send = async (secret: string | undefined) => {
      const { headers, body } = fake.signEvent(event, Date.now(), secret)
      const url = `${service.url}/sandbox/events/stripe`
      return (await fetch(url, { method: 'POST', headers, body })).status
    }
    expect(await send(endpoint?.secret)).toBe(200)
    expect(await send('whsec_another0123')).toBe(400)
  })

  it('tests the connection with a real call', async () => {
    fake.calls.length = 0
    const tested = await owner.request<PaymentsTested>('POST', at('/payments/test'))
    expect(tested.body).toEqual({ account: { id: 'acct_fake1', name: 'Fake Magazine' } })
    expect(fake.calls.map(({ route }) => route)).toEqual([
      ...['GET /v1/payment_intents', 'GET /v1/account'],
    ])
    fake.fault = () => 'key_refused'
    const failed = await owner.request<Refusal>('POST', at('/payments/test'))
    expect([failed.status, failed.body.error.code]).toEqual([402, 'connection_failed'])
    expect((await lastAudit()).action).toBe('payments.test')
  })

  it('keeps the endpoint for another key of the same account', async () => {
    fake.moreKeys.push(SECOND_KEY)
    await buyWithStripe(app.environment, app.aid, fake, {
      ...{ rid: 'news', userRef: 'ann', terms: RENEWING_TERMS },
    })
    const before = [...fake.ledger.endpoints.keys()]
    const { body } = await connect({ secret_key: SECOND_KEY })
    expect(body.payments).toMatchObject({ key_ending: '6789', webhook: { state: 'automatic' } })
    expect([...fake.ledger.endpoints.keys()]).toEqual(before)
    expect(JSON.parse((await lastAudit()).details)).toMatchObject({ replaced: true })
  })

  it('refuses the key of another account while something depends on this one', async () => {
    const { account } = fake.ledger
    fake.ledger.account = { ...account, id: 'acct_other', name: 'Other' }
    const refused = await owner.request<Refusal>('PUT', at('/payments'), { secret_key: KEY })
    expect(refused.body.error).toMatchObject({
      code: 'connection_in_use',
      message: expect.stringMatching(/^This key belongs to another Stripe account, but 1 subsc/),
    })
    expect((await view()).payments.account?.id).toBe('acct_fake1')
    expect(await countAtStake(app.environment.database.read, 'stripe')).toEqual({
      ...{ payments: 0, subscriptions: 1 },
    })
    const confirmed = await connect({ secret_key: KEY, confirm: true })
    expect(confirmed.body.payments.account?.id).toBe('acct_other')
    fake.ledger.account = account
  })

  it('knows the account by what was sold, if the key may not read its id', async () => {
    fake.fault = ({ route }) => (route === 'GET /v1/account' ? 'no_permission' : undefined)
    expect((await connect({ secret_key: SECOND_KEY })).body.payments.account).toBeNull()
    const { intents } = fake.ledger
    const known = new Map(intents)
    intents.clear()
    const other = await owner.request<Refusal>('PUT', at('/payments'), { secret_key: KEY })
    expect(other.body.error.code).toBe('connection_in_use')
    for (const [id, intent] of known) intents.set(id, intent)
    expect((await connect({ secret_key: KEY })).status).toBe(200)
  })

  it('says which right is missing for the webhook, and takes a pasted secret', async () => {
    await owner.request('POST', at('/payments/disconnect'), { confirm: true })
    expect(fake.ledger.endpoints.size).toBe(0)
    fake.fault = ({ route }) => (/webhook/.test(route) ? 'no_permission' : undefined)
    const { body } = await connect({ secret_key: KEY })
    expect([body.webhook_problem, body.payments.webhook.state]).toEqual(['no_permission', 'none'])
    expect(body.payments.webhook.events).toHaveLength(13)
    const pasted = await owner.request<PaymentsChanged>('POST', at('/payments/webhook'), {
      webhook_secret: fake.webhookSecret,
    })
    expect(pasted.body.payments.webhook.state).toBe('manual')
    expect(pasted.text).not.toContain(fake.webhookSecret)
  })

  it('is disconnected only by somebody who knows what depends on it', async () => {
    const refused = await owner.request<Refusal>('POST', at('/payments/disconnect'), {})
    expect(refused.body.error.message).toMatch(/^1 subscription depend/)
    const { body } = await owner.request<ConnectionsView>('POST', at('/payments/disconnect'), {
      confirm: true,
    })
    expect(body.payments).toMatchObject({ source: 'none', provider: 'test_cards', account: null })
    const again = await owner.request<Refusal>('POST', at('/payments/disconnect'), {})
    expect([again.status, again.body.error.code]).toEqual([402, 'not_connected'])
  })

  it('is changed by owners alone, and seen by everybody', async () => {
    expect((await developer.request('GET', at(''))).status).toBe(200)
    for (const [method, path, body] of [
      ['PUT', '/payments', { secret_key: KEY }],
      ['POST', '/payments/test', undefined],
      ['POST', '/payments/webhook', {}],
      ['POST', '/payments/disconnect', {}],
      ['PUT', '/mail', { host: 'a', port: 1, security: 'tls', user: '', sender: '' }],
      ['POST', '/mail/test', undefined],
      ['POST', '/mail/disconnect', undefined],
    ] as const) {
      expect((await developer.request(method, at(path), body)).status, path).toBe(403)
    }
    expect((await owner.request('GET', '/connections/elsewhere')).status).toBe(404)
  })

  it('is in a backup without a readable secret', async () => {
    await connect({ secret_key: KEY, confirm: true })
    const { readFileSync } = await import('node:fs')
    const { gunzipSync } = await import('node:zlib')
    const bytes = readFileSync(await backUp(service.ctx))
    const text = bytes[0] === 0x1f ? gunzipSync(bytes).toString() : bytes.toString()
    expect(text).toContain('connection/payments')
    expect(text).not.toContain(KEY)
  })
})
