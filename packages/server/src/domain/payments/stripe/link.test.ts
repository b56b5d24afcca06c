import { afterEach, describe, expect, it } from 'vitest'
import {
  CREATE_INTENT,
  chargeOrder,
  checkoutOrder,
  useStripeProvider,
} from '../../../testing/stripe/stripe-provider.ts'
import type { CheckoutOrder } from '../provider.ts'

const CREATE_PAGE = 'POST /v1/checkout/sessions'

const { fake, stripe, connect, callsTo } = useStripeProvider()
const withLink = () => connect({ offersLink: true })
const TRIAL: Partial<CheckoutOrder> = { charge: undefined }

const displays = () =>
  callsTo(CREATE_PAGE).map(({ text }) =>
    new URLSearchParams(text).get('wallet_options[link][display]'),
  )

afterEach(() => {
  fake.ledger.refusesWalletOptions = false
})

/** Pays through Link, and returns the card that later charges name. */
async function saveLink(): Promise<string> {
  const { ref } = await withLink().startCheckout(checkoutOrder())
  fake.pay(ref, 'link')
  return (await stripe.find.checkout(ref)).method as string
}

const withoutType = (method: string) => method.replace(/:link$/, '')
const orderedTypes = () =>
  callsTo(CREATE_INTENT).map(({ text, idempotencyKey }) => [
    new URLSearchParams(text).get('allowed_payment_method_types[0]'),
    idempotencyKey,
  ])

describe('Link on a page of Stripe', () => {
  it('is turned off for payments and for cards that are saved', async () => {
    const { ref } = await stripe.startCheckout(checkoutOrder())
    await stripe.startCheckout(checkoutOrder(TRIAL))
    expect(displays()).toEqual(['never', 'never'])
    expect(() => fake.pay(ref, 'link')).toThrow('does not offer Link')
  })

  it('is offered to who pays if the publisher wants it, but never for a trial', async () => {
    expect(await withLink().startCheckout(checkoutOrder())).not.toHaveProperty('showsLink')
    await withLink().startCheckout(checkoutOrder(TRIAL))
    expect(displays()).toEqual([null, 'never'])
  })

  it.each([
    ['payment', {}],
    ['trial', TRIAL],
  ])(
    'stays, if Stripe refuses to turn it off for a %s: nobody is turned away',
    async (_what, more) => {
      fake.ledger.refusesWalletOptions = true
      const order = checkoutOrder(more)
      const page = await stripe.startCheckout(order)
      expect(page.showsLink).toBe(true)
      expect(await stripe.startCheckout(order)).toEqual(page)
      const keys = callsTo(CREATE_PAGE).map(({ idempotencyKey }) => idempotencyKey)
      const key = `gatehouse-checkout-${order.checkoutId}`
      expect(keys).toEqual([key, `${key}-nolink`, key, `${key}-nolink`])
    },
  )

  it.each([
    ['no parameter and no code', {}, 2],
    ['the parameter', { param: 'wallet_options[link][display]' }, 2],
    ['another parameter', { param: 'success_url' }, 1],
    ['a code alone', { code: 'url_invalid' }, 1],
  ])('is left out after a refusal that names %s', async (_what, error, calls) => {
    fake.fault = ({ route }) =>
      route === CREATE_PAGE
        ? { status: 400, rewrite: () => ({ error: { type: 'invalid_request_error', ...error } }) }
        : undefined
    await stripe.startCheckout(checkoutOrder()).catch(() => {})
    expect(callsTo(CREATE_PAGE)).toHaveLength(calls)
  })
})

describe('a Link account that was saved', () => {
  it('is charged as what it is', async () => {
    const method = await saveLink()
    expect(method).toMatch(/^cus_\w+:pm_\w+:link$/)
    const order = chargeOrder(method)
    expect(await stripe.charge(order)).toMatchObject({ status: 'succeeded' })
    expect(orderedTypes()).toEqual([['link', `gatehouse-charge-${order.paymentId}`]])
  })

  it('is charged once, also if its type was not stored', async () => {
    const order = chargeOrder(withoutType(await saveLink()))
    const finding = await stripe.charge(order)
    expect(finding).toMatchObject({ status: 'succeeded' })
    expect(await stripe.charge(order)).toEqual(finding)
    expect(fake.ledger.chargesOf(order.paymentId)).toHaveLength(1)
    const key = `gatehouse-charge-${order.paymentId}`
    expect(orderedTypes().slice(0, 2)).toEqual([
      ['card', key],
      ['link', `${key}-link`],
    ])
  })

  it('is no card any more after it was detached, as a card is not', async () => {
    const method = withoutType(await saveLink())
    for (const one of fake.ledger.methods.values()) one.customer = null
    const refused = { status: 'failed', failure: 'no_card' }
    expect(await stripe.charge(chargeOrder(method))).toMatchObject(refused)
    expect(await stripe.charge(chargeOrder(`${method}:link`))).toMatchObject(refused)
  })

  it('fails as a card if the key may not read what it is: the reader is asked for another', async () => {
    const method = withoutType(await saveLink())
    for (const one of fake.ledger.methods.values()) one.customer = null
    fake.fault = ({ route }) =>
      route === 'GET /v1/payment_methods/:id' ? 'no_permission' : undefined
    const refused = { status: 'failed', failure: 'no_card' }
    expect(await stripe.charge(chargeOrder(method))).toMatchObject(refused)
  })

  it('is recognized when it has another trial', async () => {
    fake.ledger.refusesWalletOptions = true
    const { ref } = await stripe.startCheckout(checkoutOrder(TRIAL))
    fake.pay(ref, 'link')
    expect(await stripe.find.checkout(ref)).toMatchObject({
      method: expect.stringMatching(/:link$/),
      fingerprint: 'link:payer@example.com',
    })
  })
})
