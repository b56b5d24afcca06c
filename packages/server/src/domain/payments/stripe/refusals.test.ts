import { describe, expect, it } from 'vitest'
import { SORTED_CODES, UNSORTED_CODES } from '../../../testing/stripe/error-codes.ts'
import { takeViolations } from '../../../testing/stripe/judge/violations.ts'
import { REFUSALS } from '../../../testing/stripe/refusals.ts'
import {
  BUSY,
  CANCEL_INTENT,
  CREATE_INTENT,
  CREATE_REFUND,
  chargeOrder,
  refundOrder,
  troubleOf,
  useStripeProvider,
} from '../../../testing/stripe/stripe-provider.ts'
import { OrderRefused } from '../provider-error.ts'
import { chargeFailureOf } from './refusals.ts'

const { fake, stripe, saveCard, charged, failWith, callsTo } = useStripeProvider()

const refusal = (error: object, status = 400) => ({ status, rewrite: () => ({ error }) })
const invalid = (code?: string, param?: string) => ({ type: 'invalid_request_error', code, param })

/** An order that the fake refuses, because its amount is too small: no charge is made. */
const refusedOrder = async () =>
  chargeOrder(await saveCard(), { money: { amount: 1, currency: 'EUR' } })

describe('a charge that Stripe refuses', () => {
  it.each([
    ['a customer that is missing', 'resource_missing', 'customer', 'no_card'],
    ['a card that is missing', 'resource_missing', 'payment_method', 'no_card'],
    ['a card that nobody may use any more', undefined, 'payment_method', 'no_card'],
    ['too small an amount', 'amount_too_small', 'amount', 'declined'],
    ['too large an amount', 'amount_too_large', 'amount', 'declined'],
    ['an amount of too many decimals', 'invalid_charge_amount', 'amount', 'declined'],
  ])('for %s has failed', async (_what, code, param, failure) => {
    const order = await refusedOrder()
    failWith(refusal(invalid(code, param)), CREATE_INTENT)
    const { money } = order
    expect(await stripe.charge(order)).toEqual({ status: 'failed', ref: undefined, money, failure })
  })

  it.each([
    ['a card parameter that is refused for another reason', 'parameter_unknown', 'payment_method'],
    ['another thing that is missing', 'resource_missing', 'currency'],
    ['a parameter without a reason', undefined, 'off_session'],
    ['no reason', undefined, undefined],
  ])('for %s has not failed', async (_what, code, param) => {
    const order = await refusedOrder()
    failWith(refusal(invalid(code, param)), CREATE_INTENT)
    await troubleOf(stripe.charge(order))
  })

  it.each([
    ['a card that is missing', invalid('resource_missing', 'payment_method'), 500],
    ['a card that is missing', invalid('resource_missing', 'payment_method'), 409],
    [
      'a card that is missing',
      { ...invalid('resource_missing', 'customer'), type: 'api_error' },
      400,
    ],
    ['too small an amount', invalid('amount_too_small'), 503],
  ])('for %s has not failed if the answer is an error of Stripe', async (_what, error, status) => {
    const order = await refusedOrder()
    failWith(refusal(error, status), CREATE_INTENT)
    await troubleOf(stripe.charge(order))
  })

  it('has not failed if Stripe calls it declined under the status of its own errors', async () => {
    const order = chargeOrder(await saveCard('declined_later'))
    failWith({ status: 500, rewrite: (body) => body }, CREATE_INTENT)
    await troubleOf(stripe.charge(order))
    expect(callsTo(CANCEL_INTENT)).toEqual([])
  })

  it('is looked for if the refusal does not show it, and canceled', async () => {
    const order = chargeOrder(await saveCard('declined_later'))
    failWith({ rewrite: (body) => withoutIntent(body) }, CREATE_INTENT)
    const finding = await stripe.charge(order)
    expect(finding).toMatchObject({ status: 'failed', failure: 'declined' })
    expect(fake.ledger.intents.get(finding.ref as string)?.status).toBe('canceled')
  })

  it.each([
    ['card_declined', 'declined'],
    ['expired_card', 'no_card'],
    ['authentication_required', 'needs_payer'],
  ])('has failed if the list shows that nothing was made: %s', async (code, failure) => {
    const order = await refusedOrder()
    failWith({ refuse: { type: 'card_error', message: '', code }, status: 402 }, CREATE_INTENT)
    const { money } = order
    expect(await stripe.charge(order)).toEqual({ status: 'failed', ref: undefined, money, failure })
  })

  it('has failed with a code that the types do not know yet', async () => {
    const order = await refusedOrder()
    const code = 'a_new_code'
    failWith({ refuse: { type: 'card_error', message: '', code }, status: 402 }, CREATE_INTENT)
    expect(await stripe.charge(order)).toMatchObject({ status: 'failed', failure: 'declined' })
    expect(takeViolations()).toEqual([expect.stringContaining('a_new_code')])
  })

  it('is undecided if the refusal shows another payment', async () => {
    const order = chargeOrder(await saveCard('declined_later'))
    const rewrite = ({ error }: Record<string, unknown>) => {
      const shown = error as { payment_intent: object }
      const metadata = { gatehouse_payment: 'other' }
      return { error: { ...shown, payment_intent: { ...shown.payment_intent, metadata } } }
    }
    failWith({ rewrite }, CREATE_INTENT)
    await troubleOf(stripe.charge(order))
    expect(callsTo(CANCEL_INTENT)).toEqual([])
  })
})

const withoutIntent = ({ error }: Record<string, unknown>) => ({
  error: { ...(error as object), payment_intent: undefined },
})

describe('a refusal', () => {
  const reason = (code?: string, param?: string) => ({
    ...{ code, param, isCardError: false, isAmountError: AMOUNTS.includes(code ?? '') },
  })
  const AMOUNTS = ['amount_too_small', 'amount_too_large', 'invalid_charge_amount']

  it('means what its code says, for every code of the pinned version', () => {
    expect(UNSORTED_CODES).toEqual([])
    const found = Object.values(SORTED_CODES)
      .flat()
      .map((code) => [code, chargeFailureOf(reason(code)) ?? 'waits'])
    const expected = Object.entries(SORTED_CODES).flatMap(([verdict, codes]) =>
      codes.map((code) => [code, verdict]),
    )
    expect(found).toEqual(expected)
  })

  it.each(['customer', 'mandate', 'payment_method'])('of the %s is of the card', (param) => {
    expect(chargeFailureOf(reason(undefined, param))).toBe('no_card')
    expect(chargeFailureOf(reason('resource_missing', param))).toBe('no_card')
    expect(chargeFailureOf(reason('parameter_unknown', param))).toBeUndefined()
  })

  it('of an order is told in words, with Stripe’s code, parameter and request', async () => {
    const { ref } = await charged()
    failWith(REFUSALS.balance, CREATE_REFUND)
    const refused = await troubleOf(stripe.refund(refundOrder(ref)))
    expect(refused).toBeInstanceOf(OrderRefused)
    expect(refused.message).toMatch(
      /^Not enough balance for this refund\. Add funds in Stripe's dashboard under Balances, or wait for new sales\. Stripe: 400, insufficient_balance_for_refund, req_\w+$/,
    )
    const ours = { code: 'parameter_unknown', param: 'metadata[a]', message: '' }
    const type = 'invalid_request_error'
    failWith({ refuse: { type, ...ours }, status: 400 }, CREATE_REFUND)
    const { message } = await troubleOf(stripe.refund(refundOrder(ref)))
    expect(message).toMatch(/Stripe: 400, parameter_unknown, req_\w+, parameter metadata\[a]$/)
  })

  it('is repeated under the same key, and not under the next', async () => {
    const order = chargeOrder(await saveCard())
    failWith(REFUSALS.capability, CREATE_INTENT)
    expect(await troubleOf(stripe.charge(order))).toBeInstanceOf(OrderRefused)
    failWith(undefined, CREATE_INTENT)
    expect(await troubleOf(stripe.charge(order))).toBeInstanceOf(OrderRefused)
    expect(await stripe.charge({ ...order, refusals: 1 })).toMatchObject({ status: 'succeeded' })
    expect(callsTo(CREATE_INTENT).map(({ idempotencyKey }) => idempotencyKey)).toEqual([
      ...Array(2).fill(`gatehouse-charge-${order.paymentId}`),
      `gatehouse-charge-${order.paymentId}-2`,
    ])
  })

  it('of a charge that was made all the same is the charge', async () => {
    const order = chargeOrder(await saveCard())
    const made = await stripe.charge(order)
    failWith(REFUSALS.capability, CREATE_INTENT)
    expect(await stripe.charge({ ...order, refusals: 1 })).toEqual(made)
  })

  it('does not come for want of a URL to return to', async () => {
    fake.ledger.demandsReturnUrl = true
    expect(await stripe.charge(chargeOrder(await saveCard()))).toMatchObject({
      status: 'succeeded',
    })
    fake.ledger.demandsReturnUrl = false
  })
})

describe('a look that Stripe refuses', () => {
  it('does not say that a payment, a refund or a checkout is unknown', async () => {
    const { order, ref } = await charged()
    const { paymentId, method } = order
    fake.fault = () => refusal(invalid('parameter_unknown', 'expand'))
    await troubleOf(stripe.find.payment({ paymentId, method: undefined, ref }))
    await troubleOf(stripe.find.payment({ paymentId, method, ref: undefined }))
    await troubleOf(stripe.find.refund({ refundId: 'r1', paymentRef: ref }))
    await troubleOf(stripe.find.checkout('cs_1'))
  })
})

describe('a payment that is given up', () => {
  /** Answers the call that cancels, after which the payment has the given state. */
  function answerCancel(
    state: string,
    answer: (body: Record<string, unknown>) => unknown,
    status = 400,
  ) {
    fake.fault = ({ route, id }) => {
      const intent = fake.ledger.intents.get(id)
      if (route !== CANCEL_INTENT || !intent) return undefined
      const rewrite = (body: Record<string, unknown>) => {
        intent.status = state
        return answer(body)
      }
      return { status, rewrite }
    }
  }
  const isOver = () => ({ error: invalid('payment_intent_unexpected_state') })
  const declined = async () => chargeOrder(await saveCard('declined_later'))

  it('has failed if it was canceled in the meantime', async () => {
    const order = await declined()
    answerCancel('canceled', isOver)
    expect(await stripe.charge(order)).toMatchObject({ status: 'failed', failure: 'declined' })
  })

  it('has not failed if it can neither be canceled nor has it changed', async () => {
    const order = await declined()
    answerCancel('requires_payment_method', isOver)
    const { message } = await troubleOf(stripe.charge(order))
    expect(message).toContain("can't be canceled")
  })

  it('has not failed if Stripe takes the order to cancel and does otherwise', async () => {
    const order = await declined()
    answerCancel('processing', (body) => ({ ...body, status: 'processing' }), 200)
    expect(await stripe.charge(order)).toMatchObject({ status: 'pending' })
  })

  it('is undecided if it disappears', async () => {
    const order = await declined()
    answerCancel('requires_payment_method', () => {
      fake.ledger.intents.clear()
      return isOver()
    })
    await troubleOf(stripe.charge(order))
  })

  it('tells why it can’t be canceled', async () => {
    const order = await declined()
    answerCancel('requires_payment_method', () => ({ error: invalid('parameter_unknown') }))
    expect((await troubleOf(stripe.charge(order))).message).toContain('parameter_unknown')
    failWith(BUSY, CANCEL_INTENT)
    expect((await troubleOf(stripe.charge(order))).retryAfter).toBe(7_000)
  })

  it('is canceled once, however often it is looked at', async () => {
    const order = await declined()
    const { ref } = await stripe.charge(order)
    const wanted = { paymentId: order.paymentId, method: undefined, ref }
    expect(await stripe.find.payment(wanted)).toMatchObject({ status: 'failed', ref })
    expect(callsTo(CANCEL_INTENT)).toHaveLength(1)
  })
})
