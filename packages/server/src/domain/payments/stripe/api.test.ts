import { describe, expect, it } from 'vitest'
import { newId } from '../../../ids.ts'
import { seededRandom } from '../../../testing/random.ts'
import { startSmtp } from '../../../testing/smtp/smtp.ts'
import { type Fault, randomFaults } from '../../../testing/stripe/fake-stripe.ts'
import { QUICK_FAULTS } from '../../../testing/stripe/faults.ts'
import type { FakeCard } from '../../../testing/stripe/ledger.ts'
import {
  BUSY,
  CREATE_INTENT,
  CREATE_REFUND,
  chargeOrder,
  checkoutOrder,
  refundOrder,
  troubleOf,
  useStripeProvider,
} from '../../../testing/stripe/stripe-provider.ts'
import type { ChargeOrder } from '../provider.ts'
import { ProviderError } from '../provider-error.ts'
import { createStripe } from './stripe.ts'

const TIMEOUT_MS = 250

const { fake, stripe, connect, saveCard, charged, failWith, callsTo } = useStripeProvider()

const FAULTS: readonly Fault[] = [
  'hang_before',
  'hang_after',
  ...QUICK_FAULTS,
  'drip',
  'huge',
  'not_json',
  'wrong_types',
]

describe.each(FAULTS)('while Stripe is in trouble (%s)', (fault) => {
  it('a charge is undecided, asked once, and in the end made once', async () => {
    const hasty = connect({ timeout: TIMEOUT_MS })
    const order = chargeOrder(await saveCard())
    failWith(fault, CREATE_INTENT)
    await troubleOf(hasty.charge(order))
    expect(callsTo(CREATE_INTENT)).toHaveLength(1)
    failWith(undefined, CREATE_INTENT)
    const { paymentId, method, money } = order
    const found = await stripe.find.payment({ paymentId, method, ref: undefined })
    expect(found ?? (await stripe.charge(order))).toMatchObject({ status: 'succeeded', money })
    expect(fake.ledger.chargesOf(paymentId)).toHaveLength(1)
  })

  it('a refund is undecided, asked once, and in the end made once', async () => {
    const hasty = connect({ timeout: TIMEOUT_MS })
    const order = refundOrder((await charged()).ref)
    failWith(fault, CREATE_REFUND)
    await troubleOf(hasty.refund(order))
    expect(callsTo(CREATE_REFUND)).toHaveLength(1)
    failWith(undefined, CREATE_REFUND)
    const { refundId, paymentRef, money } = order
    const found = await stripe.find.refund({ refundId, paymentRef })
    expect(found ?? (await stripe.refund(order))).toMatchObject({ status: 'succeeded', money })
    expect(fake.ledger.refundsOf(refundId)).toHaveLength(1)
  })

  it('nothing that is looked for is said to be unknown', async () => {
    const hasty = connect({ timeout: TIMEOUT_MS })
    const { order, ref } = await charged()
    const { paymentId, method } = order
    const checkout = await stripe.startCheckout(checkoutOrder())
    fake.fault = () => fault
    await Promise.all([
      troubleOf(hasty.find.payment({ paymentId, method, ref })),
      troubleOf(hasty.find.payment({ paymentId, method, ref: undefined })),
      troubleOf(hasty.find.refund({ refundId: newId(), paymentRef: ref })),
      troubleOf(hasty.find.checkout(checkout.ref)),
      troubleOf(hasty.startCheckout(checkoutOrder())),
    ])
  })
})

describe('what Stripe is told, and not told', () => {
  it('no call takes longer than its time, however much comes', async () => {
    const hasty = connect({ timeout: TIMEOUT_MS })
    const order = chargeOrder(await saveCard())
    for (const fault of ['hang_before', 'drip'] as const) {
      failWith(fault, CREATE_INTENT)
      const startedAt = performance.now()
      const { message } = await troubleOf(hasty.charge(order))
      expect(message).toContain('250 ms')
      expect(performance.now() - startedAt).toBeLessThan(TIMEOUT_MS * 8)
    }
    failWith('huge', CREATE_INTENT)
    expect((await troubleOf(stripe.charge(order))).message).toContain('larger than')
  })

  it('the pause that Stripe asks for is passed on', async () => {
    const order = chargeOrder(await saveCard())
    failWith(BUSY, CREATE_INTENT)
    expect((await troubleOf(stripe.charge(order))).retryAfter).toBe(7_000)
  })

  it('a key for another order is trouble, and no second charge', async () => {
    const order = chargeOrder(await saveCard())
    await stripe.charge(order)
    await troubleOf(stripe.charge({ ...order, title: 'Renamed' }))
    expect(fake.ledger.chargesOf(order.paymentId)).toHaveLength(1)
  })

  it('a key that Stripe refuses is named by its setting', async () => {
    const order = chargeOrder(await saveCard())
    const test = connect({ secretKey: 'sk_test_somethingelse' })
    expect((await troubleOf(test.charge(order))).message).toContain(
      'GATEHOUSE_SANDBOX_STRIPE_SECRET_KEY',
    )
    const live = connect({ secretKey: 'rk_live_somethingelse' })
    const { message } = await troubleOf(live.charge(order))
    expect(message).toContain(' GATEHOUSE_STRIPE_SECRET_KEY ')
    expect(message).not.toContain('somethingelse')
  })

  it('an address where nobody is, is trouble', async () => {
    const nowhere = createStripe({
      secretKey: fake.secretKey,
      webhookSecret: fake.webhookSecret,
      api: 'http://127.0.0.1:1',
    })
    const { message } = await troubleOf(nowhere.startCheckout(checkoutOrder()))
    expect(message).toContain('ECONNREFUSED')
  })

  it('whoever can’t prove to be Stripe is told nothing', async () => {
    const stranger = await startSmtp({ secure: true })
    const stripeThere = createStripe({
      secretKey: fake.secretKey,
      webhookSecret: fake.webhookSecret,
      api: `https://127.0.0.1:${stranger.port}`,
    })
    const { message } = await troubleOf(stripeThere.startCheckout(checkoutOrder()))
    expect(message).toMatch(/CERT|SIGNED/)
    await stranger.stop()
  })

  it('a parameter that Stripe no longer takes is nobody’s declined card', async () => {
    const error = {
      ...({ type: 'invalid_request_error', message: '' } as const),
      ...{ code: 'parameter_unknown', param: 'off_session' },
    }
    const order = chargeOrder(await saveCard())
    failWith({ status: 400, refuse: error }, CREATE_INTENT)
    expect((await troubleOf(stripe.charge(order))).message).toContain('parameter_unknown')
  })

  it.each([500, 302, 404, 418])('a success under the status %d is trouble', async (status) => {
    const order = chargeOrder(await saveCard())
    failWith({ status, rewrite: (body) => body }, CREATE_INTENT)
    expect((await troubleOf(stripe.charge(order))).message).toContain(String(status))
  })

  it('a missing permission is named, and the setting of its key', async () => {
    const error = { type: 'invalid_request_error', message: "The key sk_test_…89 can't do this" }
    const order = chargeOrder(await saveCard())
    failWith({ status: 403, rewrite: () => ({ error }) }, CREATE_INTENT)
    expect((await troubleOf(stripe.charge(order))).message).toMatch(/STRIPE_SECRET_KEY.*permission/)
  })

  it('payers pay by card, in the currency of the price', async () => {
    await stripe.startCheckout(checkoutOrder())
    const params = new URLSearchParams(fake.calls[0]?.text)
    expect(params.get('adaptive_pricing[enabled]')).toBe('false')
    expect(params.get('allowed_payment_method_types[0]')).toBe('card')
    expect(params.get('line_items[0][price_data][currency]')).toBe('eur')
  })

  it('one version of the interface, and nothing about this machine', async () => {
    await saveCard()
    for (const { headers } of fake.calls) {
      expect(headers['stripe-version']).toBe('2026-10-28.endive')
      expect(headers['x-stripe-client-telemetry']).toBeUndefined()
      expect(headers['x-stripe-client-user-agent']).not.toMatch(/platform|telemetry_id/)
    }
  })
})

describe('under random trouble', () => {
  const SEED = Number(process.env.SEED ?? 20_270_501)
  /** `npm run stress money` carries out 2,000. */
  const ORDERS = 20
  const WORKERS = 10

  /** Retries as the service does: looks for the order first, then repeats it with the same idempotency key. */
  async function carryOut<T extends { status: string }>(
    find: () => Promise<T | undefined>,
    order: () => Promise<T>,
  ): Promise<T> {
    for (let tries = 0; ; tries++) {
      try {
        const finding = (tries > 0 ? await find() : undefined) ?? (await order())
        if (finding.status !== 'pending') return finding
      } catch (error) {
        expect(error).toBeInstanceOf(ProviderError)
      }
    }
  }

  it(`every charge and every refund is made once (seed ${SEED})`, async () => {
    const random = seededRandom(SEED)
    const hasty = connect({ timeout: 100 })
    const cards: FakeCard[] = ['good', 'good', 'good', 'declined_later', 'needs_payer_later']
    const orders: ChargeOrder[] = []
    for (let count = 0; count < ORDERS; count++) {
      const card = cards[Math.floor(random() * cards.length)] as FakeCard
      orders.push(chargeOrder(await saveCard(card)))
    }
    fake.fault = randomFaults(
      random,
      0.4,
      FAULTS.filter((fault) => fault !== 'huge'),
    )

    async function chargeAndRefund(order: ChargeOrder): Promise<void> {
      const { paymentId, method } = order
      const paid = await carryOut(
        () => hasty.find.payment({ paymentId, method, ref: undefined }),
        () => hasty.charge(order),
      )
      const isGood = fake.ledger.methods.get(method.split(':')[1] as string)?.card === 'good'
      expect(paid.status).toBe(isGood ? 'succeeded' : 'failed')
      expect(fake.ledger.chargesOf(paymentId)).toHaveLength(isGood ? 1 : 0)
      if (!isGood) return
      const input = refundOrder(paid.ref as string)
      const { refundId, paymentRef } = input
      const refunded = await carryOut(
        () => hasty.find.refund({ refundId, paymentRef }),
        () => hasty.refund(input),
      )
      expect(refunded.status).toBe('succeeded')
      expect(fake.ledger.refundsOf(refundId)).toHaveLength(1)
    }

    const waiting = [...orders]
    await Promise.all(
      Array.from({ length: WORKERS }, async () => {
        for (let order = waiting.pop(); order; order = waiting.pop()) await chargeAndRefund(order)
      }),
    )
    expect(fake.ledger.intents.size).toBeGreaterThanOrEqual(ORDERS)
  })
})
