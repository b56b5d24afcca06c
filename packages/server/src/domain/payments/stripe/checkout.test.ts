import { describe, expect, it } from 'vitest'
import {
  CANCEL_INTENT,
  chargeOrder,
  checkoutOrder,
  edit,
  troubleOf,
  useStripeProvider,
} from '../../../testing/stripe/stripe-provider.ts'

const { fake, stripe, failWith, callsTo } = useStripeProvider()

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
    expect(callsTo(CANCEL_INTENT)).toEqual([])
    fake.pay(ref)
    expect(await stripe.find.payment(wanted)).toMatchObject({ status: 'succeeded' })
  })

  it('expires', async () => {
    const { ref } = await stripe.startCheckout(checkoutOrder())
    fake.expire(ref)
    expect(await stripe.find.checkout(ref)).toEqual({ status: 'expired' })
  })

  it('is closed by us, unless the payer was faster', async () => {
    const [open, paid] = [checkoutOrder(), checkoutOrder()]
    const { ref } = await stripe.startCheckout(open)
    expect(await stripe.expireCheckout(ref)).toEqual({ status: 'expired' })
    expect(fake.ledger.sessions.get(ref)?.status).toBe('expired')
    const faster = await stripe.startCheckout(paid)
    fake.pay(faster.ref)
    expect(await stripe.expireCheckout(faster.ref)).toMatchObject({ status: 'paid' })
    const lost = await stripe.startCheckout(checkoutOrder())
    failWith('reset_before', 'POST /v1/checkout/sessions/:id/expire')
    const { message } = await troubleOf(stripe.expireCheckout(lost.ref))
    expect(message).toContain('ECONNRESET')
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
    expect(await stripe.find.checkout(ref)).toMatchObject({
      payment: { dispute: { lost: 0, open: { amount: 499 } } },
    })
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

  it.each<[string, (body: Record<string, unknown>) => unknown]>([
    ['a card of another checkout', (body) => edit(body, 'setup_intent', { metadata: {} })],
    [
      'a card that is not saved yet',
      (body) => edit(body, 'setup_intent', { status: 'processing' }),
    ],
    ['a card of nobody', (body) => edit(body, 'setup_intent', { customer: null })],
    ['no card', (body) => edit(body, 'setup_intent', { payment_method: null })],
    ['nothing', (body) => ({ ...body, setup_intent: null })],
    ['the checkout of another name', (body) => ({ ...body, id: 'cs_other' })],
  ])('has not saved a card by %s', async (_what, rewrite) => {
    const { ref } = await stripe.startCheckout(checkoutOrder({ charge: undefined }))
    fake.pay(ref)
    failWith({ rewrite }, 'GET /v1/checkout/sessions/:id')
    await troubleOf(stripe.find.checkout(ref))
  })

  it.each([
    ['is named without its number', (body: Record<string, unknown>) => named(body)],
    ['has no known number', (body: Record<string, unknown>) => withCard(body, null)],
    ['has an empty number', (body: Record<string, unknown>) => withCard(body, { fingerprint: '' })],
  ])('has saved a card that %s', async (_what, rewrite) => {
    const { ref } = await stripe.startCheckout(checkoutOrder({ charge: undefined }))
    fake.pay(ref)
    failWith({ rewrite }, 'GET /v1/checkout/sessions/:id')
    const saved = { status: 'paid', method: expect.stringMatching(/^cus_\w+:pm_1$/) }
    expect(await stripe.find.checkout(ref)).toEqual(saved)
  })

  it('has expired if Stripe does not know it', async () => {
    expect(await stripe.find.checkout('cs_unknown')).toEqual({ status: 'expired' })
  })

  it('has expired if its payment was canceled after the payer had left', async () => {
    const { ref } = await stripe.startCheckout(checkoutOrder())
    const { payment_intent } = fake.pay(ref, 'slow')
    const intent = fake.ledger.intents.get(payment_intent as string) as { status: string }
    intent.status = 'canceled'
    expect(await stripe.find.checkout(ref)).toMatchObject({
      status: 'expired',
      payment: { status: 'failed', failure: 'declined' },
    })
  })
})

const named = (body: Record<string, unknown>) =>
  edit(body, 'setup_intent', { payment_method: 'pm_1' })
const withCard = (body: Record<string, unknown>, card: object | null) =>
  edit(body, 'setup_intent', { payment_method: { id: 'pm_1', card } })
