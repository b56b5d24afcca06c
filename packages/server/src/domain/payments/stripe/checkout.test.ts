import { describe, expect, it, vi } from 'vitest'
import type { FakeSession } from '../../../testing/stripe/ledger.ts'
import {
  chargeOrder,
  checkoutOrder,
  edit,
  HOUR_MS,
  troubleOf,
  useStripeProvider,
} from '../../../testing/stripe/stripe-provider.ts'
import type { CheckoutOrder } from '../provider.ts'

const { fake, stripe, failWith, callsTo } = useStripeProvider()

const isOf =
  ({ checkoutId }: CheckoutOrder) =>
  (session: FakeSession) =>
    session.client_reference_id === checkoutId

describe('a checkout by Stripe', () => {
  it('takes the price once, and keeps the card for later charges', async () => {
    const order = checkoutOrder()
    const { ref, url } = await stripe.startCheckout(order)
    expect(url).toBe(`${fake.url}/pay/${ref}`)
    expect(await stripe.find.checkout(ref)).toEqual({ status: 'open', url })

    const session = fake.pay(ref)
    const intent = fake.ledger.intents.get(session.payment_intent as string)
    const method = `${session.customer}:${intent?.payment_method}`
    expect(await stripe.find.checkout(ref)).toEqual({
      status: 'paid',
      payment: { status: 'succeeded', ref: intent?.id, money: order.charge },
      method,
    })
    expect(fake.ledger.chargesOf(order.paymentId)).toHaveLength(1)

    const later = chargeOrder(method)
    expect(await stripe.charge(later)).toMatchObject({ status: 'succeeded', money: later.money })
  })

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

  it('keeps no card where none was asked for', async () => {
    const { ref } = await stripe.startCheckout(checkoutOrder({ keepCard: false }))
    const session = fake.pay(ref)
    expect(session.customer).toBeNull()
    const finding = await stripe.find.checkout(ref)
    expect(finding).toMatchObject({ status: 'paid', payment: { status: 'succeeded' } })
    expect(finding).not.toHaveProperty('method')
  })

  it('saves a card without a charge', async () => {
    const { ref } = await stripe.startCheckout(checkoutOrder({ charge: undefined }))
    const session = fake.pay(ref)
    expect(session).toMatchObject({ mode: 'setup', payment_intent: null, currency: 'eur' })
    const finding = await stripe.find.checkout(ref)
    expect(finding).toEqual({
      status: 'paid',
      method: expect.stringMatching(/^cus_\w+:pm_\w+$/),
      fingerprint: 'fp_good',
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
  })

  it('is asked for with the same bytes, a minute later too', async () => {
    const order = checkoutOrder({ created: Date.now() - 60_000, expires: Date.now() + 8 * HOUR_MS })
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      await stripe.startCheckout(order)
      vi.setSystemTime(Date.now() + 60_000)
      await stripe.startCheckout(order)
    } finally {
      vi.useRealTimers()
    }
    const texts = callsTo('POST /v1/checkout/sessions').map(({ text }) => text)
    expect(texts).toHaveLength(2)
    expect(texts[1]).toBe(texts[0])
  })

  it('stays open after a declined card, and is paid by the next one', async () => {
    const order = checkoutOrder()
    const { ref } = await stripe.startCheckout(order)
    fake.pay(ref, 'declined')
    expect(await stripe.find.checkout(ref)).toMatchObject({ status: 'open' })
    fake.pay(ref)
    expect(await stripe.find.checkout(ref)).toMatchObject({ status: 'paid' })
    expect(fake.ledger.chargesOf(order.paymentId)).toHaveLength(1)
  })

  it('is left to its payer, whose card was declined, by whoever looks at its payment', async () => {
    const order = checkoutOrder()
    const { ref } = await stripe.startCheckout(order)
    const intent = fake.pay(ref, 'declined').payment_intent as string
    const wanted = { paymentId: order.paymentId, ref: intent, method: undefined }
    expect(await stripe.find.payment(wanted)).toMatchObject({ status: 'pending' })
    fake.pay(ref)
    expect(await stripe.find.payment(wanted)).toMatchObject({ status: 'succeeded' })
  })

  it('expires', async () => {
    const { ref } = await stripe.startCheckout(checkoutOrder())
    fake.expire(ref)
    expect(await stripe.find.checkout(ref)).toEqual({ status: 'expired' })
  })

  it.each([
    [true, { status: 'paid', payment: { status: 'succeeded' } }],
    [false, { status: 'expired', payment: { status: 'failed', failure: 'declined' } }],
  ])('is not paid while the bank thinks it over (then paid: %s)', async (isPaid, finding) => {
    const { ref } = await stripe.startCheckout(checkoutOrder())
    const { payment_intent } = fake.pay(ref, 'slow')
    expect(await stripe.find.checkout(ref)).toMatchObject({
      status: 'open',
      payment: { status: 'pending' },
    })
    fake.finishSlow(payment_intent as string, isPaid)
    expect(await stripe.find.checkout(ref)).toMatchObject(finding)
  })

  it('tells of a dispute that came at once', async () => {
    const { ref } = await stripe.startCheckout(checkoutOrder())
    fake.openDispute(fake.pay(ref).payment_intent as string)
    expect(await stripe.find.checkout(ref)).toMatchObject({ payment: { dispute: 'opened' } })
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

  it('leaves an address that Stripe would refuse to the payer', async () => {
    const { ref } = await stripe.startCheckout(checkoutOrder({ email: 'jürgen@example.com' }))
    expect(fake.ledger.sessions.get(ref)?.customer_email).toBeNull()
    const plain = await stripe.startCheckout(checkoutOrder({ email: "o'neil+a@example.co.uk" }))
    expect(fake.ledger.sessions.get(plain.ref)?.customer_email).toBe("o'neil+a@example.co.uk")
  })

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

  it.each<[string, (body: Record<string, unknown>) => unknown]>([
    ['a checkout of another system', (body) => ({ ...body, metadata: {} })],
    [
      'a checkout and a payment of another system',
      (body) => edit({ ...body, metadata: {} }, 'payment_intent', { metadata: {} }),
    ],
    ['a payment of another checkout', (body) => edit(body, 'payment_intent', { metadata: {} })],
    ['a payment in no currency', (body) => edit(body, 'payment_intent', { currency: 'zzz' })],
    ['a payment of no amount', (body) => edit(body, 'payment_intent', { amount_received: '499' })],
    ['a payment in no known state', (body) => edit(body, 'payment_intent', { status: 'fine' })],
    ['a card of nobody', (body) => edit(body, 'payment_intent', { customer: null })],
    ['no payment', (body) => ({ ...body, payment_intent: null })],
    ['a payment by name only', (body) => ({ ...body, payment_intent: 'pi_123' })],
  ])('is not taken for paid by %s', async (_what, rewrite) => {
    const { ref } = await stripe.startCheckout(checkoutOrder())
    fake.pay(ref)
    failWith({ rewrite }, 'GET /v1/checkout/sessions/:id')
    await troubleOf(stripe.find.checkout(ref))
  })
})
