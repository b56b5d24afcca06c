import { inspect } from 'node:util'
import { afterEach, expect } from 'vitest'
import type {
  ChargeOrder,
  CheckoutOrder,
  PaymentProvider,
  RefundOrder,
} from '../../domain/payments/provider.ts'
import { ProviderError } from '../../domain/payments/provider-error.ts'
import { createStripe } from '../../domain/payments/stripe/stripe.ts'
import { newId } from '../../ids.ts'
import { useFixture } from '../fixtures.ts'
import { useFakeStripe } from '../use-service.ts'
import type { Fault } from './fake-stripe.ts'
import { DEFAULT_SEARCH_DELAY_MS, type FakeCard } from './ledger.ts'

export const HOUR_MS = 3600_000
export const CREATE_INTENT = 'POST /v1/payment_intents'
export const CANCEL_INTENT = 'POST /v1/payment_intents/:id/cancel'
export const CREATE_REFUND = 'POST /v1/refunds'

/** Whatever stands before Stripe may say how long to wait; Stripe itself doesn't. */
export const BUSY: Fault = {
  status: 503,
  rewrite: () => ({ error: { type: 'api_error', message: 'Try again later.' } }),
  headers: { 'retry-after': '7' },
}

/** Runs a fake of Stripe, and connects a provider to it, for the tests of the current file. */
export function useStripeProvider() {
  const fake = useFakeStripe()
  const connect = (
    more: { timeout?: number; secretKey?: string; offersLink?: boolean } = {},
  ): PaymentProvider =>
    createStripe({
      secretKey: fake.secretKey,
      webhookSecret: fake.webhookSecret,
      api: fake.url,
      timeout: 5_000,
      ...more,
    })
  const stripe = useFixture(async () => connect())
  afterEach(() => {
    fake.fault = () => undefined
    fake.ledger.newRefundStatus = 'succeeded'
    fake.ledger.searchDelayMs = DEFAULT_SEARCH_DELAY_MS
    fake.calls.length = 0
  })

  /** Saves a card and returns it as later charges name it. */
  async function saveCard(card: FakeCard = 'good'): Promise<string> {
    const { ref } = await stripe.startCheckout(checkoutOrder({ charge: undefined }))
    fake.pay(ref, card)
    return (await stripe.find.checkout(ref)).method as string
  }

  /** Makes a charge that can be refunded or disputed. */
  async function charged(more: Partial<ChargeOrder> = {}) {
    const order = chargeOrder(await saveCard(), more)
    const { ref } = await stripe.charge(order)
    return { order, ref: ref as string }
  }

  const failWith = (fault: Fault | undefined, route: string) => {
    fake.fault = (call) => (call.route === route ? fault : undefined)
  }
  const callsTo = (route: string) => fake.calls.filter((call) => call.route === route)

  return { fake, stripe, connect, saveCard, charged, failWith, callsTo }
}

export const checkoutOrder = (more: Partial<CheckoutOrder> = {}): CheckoutOrder => ({
  aid: 'AppAppApp1',
  checkoutId: newId(),
  paymentId: newId(),
  labels: {},
  charge: { amount: 499, currency: 'EUR' },
  currency: 'EUR',
  keepCard: true,
  title: 'Spring issue',
  email: 'reader@example.com',
  doneUrl: 'https://gate.example.com/checkout/done/1',
  backUrl: 'https://gate.example.com/checkout/back',
  created: Date.now(),
  expires: Date.now() + HOUR_MS,
  ...more,
})

export const chargeOrder = (method: string, more: Partial<ChargeOrder> = {}): ChargeOrder => ({
  aid: 'AppAppApp1',
  paymentId: newId(),
  money: { amount: 999, currency: 'EUR' },
  method,
  title: 'Monthly pass',
  labels: {},
  refusals: 0,
  ...more,
})

export const refundOrder = (paymentRef: string, more: Partial<RefundOrder> = {}): RefundOrder => ({
  aid: 'AppAppApp1',
  refundId: newId(),
  paymentRef,
  money: { amount: 999, currency: 'EUR' },
  labels: {},
  refusals: 0,
  ...more,
})

export async function troubleOf(work: Promise<unknown>): Promise<ProviderError> {
  const error = await work.then(
    (result) => expect.fail(`no trouble: ${inspect(result)}`),
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ProviderError)
  expect(inspect(error, { depth: 10, showHidden: true })).not.toMatch(/sk_test|whsec|@example/)
  return error as ProviderError
}

/** Changes a field of a field of a response. */
export const edit = (body: Record<string, unknown>, field: string, change: object) => ({
  ...body,
  [field]: { ...(body[field] as object), ...change },
})
