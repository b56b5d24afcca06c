import { describe, expect, it, vi } from 'vitest'
import type { FakeSession } from '../../../testing/stripe/ledger.ts'
import {
  checkoutOrder,
  HOUR_MS,
  troubleOf,
  useStripeProvider,
} from '../../../testing/stripe/stripe-provider.ts'
import type { CheckoutOrder } from '../provider.ts'
import { createStripeApi } from './api.ts'
import { startCheckout } from './checkout.ts'
import { connectStripe } from './connection.ts'

const { fake, stripe, failWith, callsTo } = useStripeProvider()

const isOf =
  ({ checkoutId }: CheckoutOrder) =>
  (session: FakeSession) =>
    session.client_reference_id === checkoutId

const orderedParams = () => {
  const [call] = callsTo('POST /v1/checkout/sessions')
  return Object.fromEntries(new URLSearchParams(call?.text))
}

describe('the page of a checkout by Stripe', () => {
  it('names the payment wherever it can be looked for', async () => {
    const order = checkoutOrder()
    const { ref } = await stripe.startCheckout(order)
    const session = fake.pay(ref)
    const names = {
      gatehouse_aid: order.aid,
      gatehouse_checkout: order.checkoutId,
      gatehouse_payment: order.paymentId,
    }
    expect(session).toMatchObject({ client_reference_id: order.checkoutId, metadata: names })
    expect(fake.ledger.intents.get(session.payment_intent as string)?.metadata).toEqual(names)

    const saving = checkoutOrder({ charge: undefined })
    const setup = fake.pay((await stripe.startCheckout(saving)).ref)
    expect(fake.ledger.setups.get(setup.setup_intent as string)?.metadata).toMatchObject({
      gatehouse_payment: saving.paymentId,
    })
  })

  it('is ordered for a payment with its price and title', async () => {
    const order = checkoutOrder()
    await stripe.startCheckout(order)
    expect(orderedParams()).toMatchObject({
      ...{ mode: 'payment', success_url: order.doneUrl, cancel_url: order.backUrl },
      'line_items[0][quantity]': '1',
      'line_items[0][price_data][unit_amount]': '499',
      'line_items[0][price_data][product_data][name]': order.title,
      'payment_intent_data[description]': order.title,
      'payment_intent_data[setup_future_usage]': 'off_session',
    })
    const [call] = callsTo('POST /v1/checkout/sessions')
    expect(call?.idempotencyKey).toBe(`gatehouse-checkout-${order.checkoutId}`)
  })

  it('is ordered for a card by card, with its title', async () => {
    const order = checkoutOrder({ charge: undefined, keepCard: false })
    await stripe.startCheckout(order)
    expect(orderedParams()).toMatchObject({
      ...{ mode: 'setup', currency: 'eur', customer_creation: 'always' },
      'allowed_payment_method_types[0]': 'card',
      'setup_intent_data[description]': order.title,
    })
  })

  it('is the same page when it is asked for twice', async () => {
    const order = checkoutOrder()
    const pages = [await stripe.startCheckout(order), await stripe.startCheckout(order)]
    expect(pages[1]).toEqual(pages[0])
  })

  it('is the same page when it is asked for later, and the service has another address since', async () => {
    const order = checkoutOrder()
    failWith('reset_after', 'POST /v1/checkout/sessions')
    await troubleOf(stripe.startCheckout(order))
    fake.fault = () => undefined
    const page = await stripe.startCheckout({ ...order, doneUrl: 'https://other.example.com/done' })
    expect([...fake.ledger.sessions.values()].filter(isOf(order))).toHaveLength(1)
    expect(page.ref).toBe([...fake.ledger.sessions.values()].find(isOf(order))?.id)
    const query = new URLSearchParams(callsTo('GET /v1/checkout/sessions')[0]?.text)
    expect(query.get('created[gte]')).toBe(String(Math.floor(order.created / 1000) - 3600))
  })

  it.each([
    ['is no other page', (session: FakeSession) => (session.client_reference_id = 'another')],
    ['is no page that has ended', (session: FakeSession) => (session.status = 'expired')],
  ])('that was begun with other words %s', async (_what, change) => {
    const order = checkoutOrder()
    const { ref } = await stripe.startCheckout(order)
    change(fake.ledger.sessions.get(ref) as FakeSession)
    await troubleOf(stripe.startCheckout({ ...order, title: 'Renamed' }))
  })

  it.each([
    ['that ends as wanted', 8 * HOUR_MS],
    ['that would end too soon', 60_000],
    ['that would end too late', 400 * 24 * HOUR_MS],
  ])('%s is asked for with the same bytes, a minute later too', async (_what, wanted) => {
    const now = Date.now()
    const order = checkoutOrder({ created: now, expires: now + wanted })
    vi.useFakeTimers({ toFake: ['Date'], now })
    try {
      await stripe.startCheckout(order)
      vi.setSystemTime(now + 59_000)
      await stripe.startCheckout(order)
    } finally {
      vi.useRealTimers()
    }
    const texts = callsTo('POST /v1/checkout/sessions').map(({ text }) => text)
    expect(texts).toHaveLength(2)
    expect(texts[1]).toBe(texts[0])
  })

  it.each([
    ['as wanted', 5 * HOUR_MS, 5 * HOUR_MS],
    ['not sooner than Stripe can', 60_000, HOUR_MS / 2],
    ['not later than Stripe can', 400 * 24 * HOUR_MS, 24 * HOUR_MS],
  ])('ends %s', async (_rule, wanted, expected) => {
    const now = Date.now()
    const { ref } = await stripe.startCheckout(checkoutOrder({ expires: now + wanted }))
    const left = (fake.ledger.sessions.get(ref)?.expires_at as number) * 1000 - now
    expect(Math.abs(left - expected)).toBeLessThanOrEqual(3 * 60_000)
  })

  it('ends half an hour after a very late order', async () => {
    const now = Date.now()
    const order = checkoutOrder({ created: now - 5 * HOUR_MS, expires: now - 4 * HOUR_MS })
    const { ref } = await stripe.startCheckout(order)
    const left = (fake.ledger.sessions.get(ref)?.expires_at as number) * 1000 - now
    expect(Math.abs(left - 31 * 60_000)).toBeLessThan(30_000)
  })

  it('leaves an address that Stripe would refuse to the payer', async () => {
    const { ref } = await stripe.startCheckout(checkoutOrder({ email: 'jürgen@example.com' }))
    expect(fake.ledger.sessions.get(ref)?.customer_email).toBeNull()
    const plain = await stripe.startCheckout(checkoutOrder({ email: "o'neil+a@example.co.uk" }))
    expect(fake.ledger.sessions.get(plain.ref)?.customer_email).toBe("o'neil+a@example.co.uk")
    const two = await stripe.startCheckout(checkoutOrder({ email: 'a@example.com,b@example.com' }))
    expect(fake.ledger.sessions.get(two.ref)?.customer_email).toBeNull()
  })

  it.each(['a..b@example.com', '.a@example.com', 'a.@example.com', 'a@-x.com', 'a@x-.com', 'a@b'])(
    'never names %s, which no provider accepts',
    async (email) => {
      await stripe.startCheckout(checkoutOrder({ email }))
      expect(orderedParams()).not.toHaveProperty('customer_email')
      expect(callsTo('POST /v1/checkout/sessions')).toHaveLength(1)
    },
  )

  it.each([
    ['a payment', {}],
    ['a card', { charge: undefined }],
  ])('for %s asks the payer for an address that Stripe refuses', async (_what, more) => {
    const email = 'reader@refused.example'
    fake.ledger.refusedEmails.add(email)
    const order = checkoutOrder({ email, ...more })
    const page = await stripe.startCheckout(order)
    expect(fake.ledger.sessions.get(page.ref)?.customer_email).toBeNull()
    expect(await stripe.startCheckout(order)).toEqual(page)
    const key = `gatehouse-checkout-${order.checkoutId}`
    expect(callsTo('POST /v1/checkout/sessions').map((call) => call.idempotencyKey)).toEqual([
      ...[key, `${key}-noemail`, key, `${key}-noemail`],
    ])
  })

  it('does without everything that Stripe refuses', async () => {
    const email = 'reader@refused.example'
    fake.ledger.refusedEmails.add(email)
    fake.ledger.refusesWalletOptions = true
    const order = checkoutOrder({ email })
    expect(await stripe.startCheckout(order)).toMatchObject({ showsLink: true })
    fake.ledger.refusesWalletOptions = false
    expect(callsTo('POST /v1/checkout/sessions').at(-1)?.idempotencyKey).toBe(
      `gatehouse-checkout-${order.checkoutId}-nolink-noemail`,
    )
  })

  it.each([{ code: 'email_invalid' }, { param: 'customer_email' }])(
    'is asked for once more after the refusal %j, and no more without an address',
    async (error) => {
      const rewrite = () => ({ error: { type: 'invalid_request_error', ...error } })
      failWith({ status: 400, rewrite }, 'POST /v1/checkout/sessions')
      await troubleOf(stripe.startCheckout(checkoutOrder()))
      expect(callsTo('POST /v1/checkout/sessions')).toHaveLength(2)
      await troubleOf(stripe.startCheckout(checkoutOrder({ email: undefined })))
      expect(callsTo('POST /v1/checkout/sessions')).toHaveLength(3)
    },
  )

  it.each([
    ['that Stripe has no units for', { amount: 1234, currency: 'KWD' }, '1.234 KWD'],
    ['too small for Stripe', { amount: 49, currency: 'EUR' }, '0.49 EUR'],
  ])('is refused for an amount %s', async (_what, charge, shown) => {
    const refused = expect(stripe.startCheckout(checkoutOrder({ charge }))).rejects
    await refused.toMatchObject({
      code: 'payments_not_set_up',
      message: expect.stringContaining(shown),
    })
  })

  it.each([
    ['a payment', { amount: 499, currency: 'EUR' }, 'url_invalid'],
    ['a card', undefined, 'url_invalid'],
    ['a card', undefined, 'invalid_charge_amount'],
  ])('for %s of %j that Stripe refuses with %s is undecided', async (_what, charge, code) => {
    const rewrite = () => ({ error: { type: 'invalid_request_error', code } })
    failWith({ status: 400, rewrite }, 'POST /v1/checkout/sessions')
    const { message } = await troubleOf(stripe.startCheckout(checkoutOrder({ charge })))
    expect(message).toContain(code)
  })

  it.each([
    ['javascript:alert(1)'],
    ['http://evil.example.com/pay'],
    ['//evil.example.com'],
    ['https:'],
    [''],
  ])('never sends a payer to %s', async (url) => {
    failWith({ rewrite: (body) => ({ ...body, url }) }, 'POST /v1/checkout/sessions')
    await troubleOf(stripe.startCheckout(checkoutOrder()))
  })

  it('of another is not taken for this one', async () => {
    const rewrite = (body: object) => ({ ...body, client_reference_id: 'another' })
    failWith({ rewrite }, 'POST /v1/checkout/sessions')
    await troubleOf(stripe.startCheckout(checkoutOrder()))
  })

  it('is a page of Stripe, or of what is configured in its place', async () => {
    const { secretKey, url } = fake
    const api = createStripeApi(connectStripe({ secretKey, api: url }))
    await troubleOf(startCheckout(api, checkoutOrder(), undefined))
    const page = 'https://checkout.stripe.com/c/pay/cs_1'
    failWith({ rewrite: (body) => ({ ...body, url: page }) }, 'POST /v1/checkout/sessions')
    expect(await startCheckout(api, checkoutOrder(), undefined)).toMatchObject({ url: page })
    expect(await stripe.startCheckout(checkoutOrder())).toMatchObject({ url: page })
  })
})
