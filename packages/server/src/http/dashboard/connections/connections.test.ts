import { afterEach, describe, expect, it } from 'vitest'
import { countAtStake } from '../../../domain/connections/at-stake.ts'
import { databases } from '../../../testing/databases.ts'
import { backUp } from '../../../testing/restores/restore.ts'
import { buyWithStripe, RENEWING_TERMS } from '../../../testing/stripe/stripe-shop.ts'
import {
  useApplication,
  useFakeStripe,
  useService,
  useSignedIn,
  useSmtp,
} from '../../../testing/use-service.ts'
import type { ConnectionsView, PaymentsChanged, PaymentsTested } from './schemas.ts'

interface Refusal {
  error: { code: string; message: string; parameter?: string; problem?: string }
}

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
    fake.ledger.account = { id: 'acct_other', name: 'Other' }
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

describe.each(databases)('Settings, Mail on $name', (database) => {
  const smtp = useSmtp()
  const service = useService(database)
  const owner = useSignedIn(service, 'owner')

  const server = () => ({
    ...{ host: '127.0.0.1', port: smtp.port, security: 'none' },
    ...{ user: 'post@example.com', password: 'p:a/s s@%', sender: 'Shop <shop@example.com>' },
  })
  const path = '/connections/production/mail'
  const connect = (more: object = {}) =>
    owner.request<ConnectionsView & Refusal>('PUT', path, { ...server(), ...more })
  const refusal = async (more: object) => {
    const { status, body } = await connect(more)
    return [status, body.error.parameter, body.error.problem]
  }
  afterEach(() => {
    smtp.fault = () => undefined
  })

  it.each([
    ['host', 'smtp://mail.example.com', /^enter only the name/],
    ['host', 'post@example.com', /not an email address/],
    ['host', 'a b', /^must be a host name/],
    ['host', '2130706433', /^must be a host name/],
    ['host', '169.254.169.254', /can't be a mail server/],
    ['port', 0, /^must be 1 or more/],
    ['security', 'ssl', /^must be tls or starttls or none/],
    ['sender', 'nobody', /^must be an address like/],
    ['sender', 'a@b.example\r\nBcc: c@d.example', /^must be an address like/],
    ['user', '', /^enter the user name that belongs to the password/],
  ])('refuses %s %j before it asks anybody', async (field, value, problem) => {
    expect(await refusal({ [field]: value })).toEqual([400, field, expect.stringMatching(problem)])
    expect(smtp.connections).toBe(0)
  })

  it('sends nothing in the open, except to this machine', async () => {
    const found = await refusal({ host: 'mail.example.com' })
    expect(found).toEqual([400, 'security', expect.stringMatching(/needs TLS or STARTTLS/)])
  })

  it('tells what a server answers from a list, and stores nothing', async () => {
    expect(await refusal({ host: 'no-such-host.invalid', security: 'tls' })).toEqual([
      ...[402, 'host', expect.stringMatching(/^no server has this name/)],
    ])
    expect(await refusal({ security: 'starttls' })).toEqual([
      ...[402, 'security', expect.stringMatching(/^the server does not offer STARTTLS/)],
    ])
    expect(await refusal({ security: 'tls' })).toEqual([
      ...[402, 'security', expect.stringMatching(/^no secure connection could be made/)],
    ])
    smtp.fault = (step) => (step === 'connect' ? 554 : undefined)
    expect(await refusal({})).toEqual([402, 'port', expect.stringMatching(/is not a mail server/)])
    await smtp.refuse()
    expect(await refusal({})).toEqual([
      ...[402, 'port', expect.stringMatching(/^the server does not accept connections/)],
    ])
    await smtp.accept()
    expect(service.ctx.environments.production.delivery).toBe('kept')
  })

  it('connects, and shows everything but the password', async () => {
    const { status, body, text } = await connect()
    expect(status).toBe(200)
    expect(body.mail).toMatchObject({
      ...{ source: 'staff', host: '127.0.0.1', port: smtp.port, security: 'none' },
      ...{ user: 'post@example.com', sender: 'Shop <shop@example.com>' },
      ...{ sender_domain: 'example.com', connected_by: 'Test' },
    })
    expect(text).not.toContain('p:a/s')
    expect(smtp.logins.at(-1)).toMatchObject({ user: 'post@example.com', password: 'p:a/s s@%' })
    const audit = await service.ctx.control.read.selectFrom('audit').selectAll().execute()
    expect(audit.at(-1)).toMatchObject({ action: 'mail.connect', outcome: 'done' })
    expect(JSON.stringify(audit)).not.toContain('p:a/s')
  })

  it('sends a test email to whoever asks for it', async () => {
    const { body } = await owner.request<{ sent_to: string }>('POST', `${path}/test`)
    expect(body.sent_to).toBe(owner.member.email)
    const [mail] = smtp.mailsTo(owner.member.email)
    expect([mail?.sender, mail?.mail.subject]).toEqual([
      ...['shop@example.com', 'Test email from Gatehouse'],
    ])
  })

  it.each([
    ['sender', 550, 'sender', /^the server does not accept this sender/],
    ['sender', 530, 'user', /^the server requires a user name/],
    ['recipient', 550, 'sender', /address of the recipient/],
    ['data', 554, 'sender', /^the server does not accept the message/],
  ] as const)('says in our words that a test was refused at %s with %i', async (...row) => {
    const [step, code, field, problem] = row
    smtp.fault = (now) => (now === step ? code : undefined)
    const { status, body, text } = await owner.request<Refusal>('POST', `${path}/test`)
    expect([status, body.error.parameter, body.error.problem]).toEqual([
      ...[402, field, expect.stringMatching(problem)],
    ])
    expect(text).not.toContain('not with us')
  })

  it('keeps the password while the server and the user stay the same, and only then', async () => {
    const { password: _, ...rest } = server()
    const change = (more: object) =>
      owner.request<ConnectionsView & Refusal>('PUT', path, { ...rest, ...more })
    const renamed = await change({ sender: 'News <news@example.com>' })
    expect(renamed.body.mail.sender).toBe('News <news@example.com>')
    expect(smtp.logins.at(-1)?.password).toBe('p:a/s s@%')
    for (const more of [{ host: 'localhost' }, { port: 1 }, { user: 'other' }]) {
      const { status, body } = await change(more)
      expect([status, body.error.parameter]).toEqual([400, 'password'])
    }
  })

  it('is disconnected, and mails are kept again', async () => {
    const { body } = await owner.request<ConnectionsView>('POST', `${path}/disconnect`)
    expect(body.mail).toMatchObject({ source: 'none', host: null, user: null })
    expect(service.ctx.environments.production.delivery).toBe('kept')
    const test = await owner.request<Refusal>('POST', `${path}/test`)
    expect(test.body.error.code).toBe('not_connected')
  })
})

describe.each(databases)("the operator's settings on $name", (database) => {
  const service = useService(database, {
    env: {
      GATEHOUSE_STRIPE_SECRET_KEY: 'sk_live_operator1234',
      GATEHOUSE_STRIPE_WEBHOOK_SECRET: 'whsec_operator1',
      GATEHOUSE_SMTP_URL: 'smtps://ann:secret@mail.example.com:465',
    },
  })
  const owner = useSignedIn(service, 'owner')

  it('win, are shown as such without a secret, and are not changed here', async () => {
    const { body, text } = await owner.request<ConnectionsView>('GET', '/connections/production')
    expect(body.payments).toMatchObject({ source: 'operator', key_ending: '1234', connected: null })
    expect(body.mail).toMatchObject({ source: 'operator', host: 'mail.example.com', port: 465 })
    expect(text).not.toMatch(/ann|secret|sk_live|whsec/)
    for (const [method, path, sent] of [
      ['PUT', '/payments', { secret_key: 'sk_live_0123456789' }],
      ['POST', '/payments/disconnect', {}],
      ['PUT', '/mail', { host: 'a.example', port: 1, security: 'tls', user: '', sender: 'a@b.c' }],
      ['POST', '/mail/disconnect', undefined],
    ] as const) {
      const answer = await owner.request<Refusal>(method, `/connections/production${path}`, sent)
      expect(answer.body.error.code, path).toBe('set_by_operator')
    }
  })
})
