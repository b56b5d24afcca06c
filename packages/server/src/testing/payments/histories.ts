import { ApiError } from '@gatehouse/sdk'
import fc from 'fast-check'
import { expect } from 'vitest'
import { FOREVER } from '../../db/tables.ts'
import {
  createCardChangeCheckout,
  startCheckout,
} from '../../domain/payments/checkout/checkouts.ts'
import { refreshCheckout } from '../../domain/payments/checkout/poll-checkouts.ts'
import { applyEvent } from '../../domain/payments/events.ts'
import { findPayment } from '../../domain/payments/payments.ts'
import { DISPUTE_OUTCOMES } from '../../domain/payments/test-cards/test-cards.ts'
import type { TestService } from '../service.ts'
import { DAY } from '../time.ts'
import { MoneyModel } from './model.ts'
import { cardNumber, openShop, type Shop } from './shop.ts'

const AMOUNT = 499

const days = fc.option(fc.constantFrom(2, 5, 20), { nil: undefined })
const nth = fc.nat({ max: 5 })
const step = fc.oneof(
  fc.record({ do: fc.constant('grant' as const), days }),
  fc.record({ do: fc.constant('purchase' as const), days }),
  fc.record({ do: fc.constant('purchase' as const), days: fc.constantFrom(2, 5, 20) }),
  fc.record({
    do: fc.constant('subscribe' as const),
    days: fc.constantFrom(3, 10),
    isCardGood: fc.boolean(),
  }),
  fc.record({ do: fc.constant('cancel' as const) }),
  fc.record({ do: fc.constant('resume' as const) }),
  fc.record({ do: fc.constant('card' as const), isCardGood: fc.boolean() }),
  fc.record({ do: fc.constant('refund' as const), nth, amount: fc.constantFrom(100, 399, AMOUNT) }),
  fc.record({
    do: fc.constant('dispute' as const),
    nth,
    outcome: fc.constantFrom(...DISPUTE_OUTCOMES),
    amount: fc.constantFrom(100, 399, AMOUNT, AMOUNT),
  }),
  fc.record({ do: fc.constant('revoke' as const), refund: fc.boolean() }),
  fc.record({ do: fc.constant('advance' as const), days: fc.constantFrom(1, 2, 4, 9) }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** The new card pays for the period that was refused. The one after it is over by then, and is not charged. */
const UNPAID_FOR_TWO_PERIODS: Step[] = [
  { do: 'subscribe', days: 3, isCardGood: false },
  { do: 'advance', days: 9 },
  { do: 'card', isCardGood: true },
]

/** A dispute about everything is lost, open again on appeal, and won in the end, while another purchase waits. */
const APPEALED: Step[] = [
  { do: 'purchase', days: 20 },
  { do: 'purchase', days: 5 },
  { do: 'dispute', nth: 0, outcome: 'lost', amount: AMOUNT },
  { do: 'advance', days: 2 },
  { do: 'dispute', nth: 0, outcome: 'opened', amount: AMOUNT },
  { do: 'dispute', nth: 0, outcome: 'won', amount: AMOUNT },
  { do: 'refund', nth: 0, amount: AMOUNT },
]

export interface Histories {
  numRuns: number
  seed: number
  /** After how many histories the invariants are checked, which reads all rows. */
  checkEvery: number
}

/** Plays random histories of paid access on a new shop, and compares each step with the model. */
export async function playHistories(
  service: TestService,
  { numRuns, seed, checkEvery }: Histories,
): Promise<void> {
  const shop = await openShop(service)
  await shop.addResource('thing')
  let reader = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const player = new Player(shop, `reader-${reader++}`)
      for (const one of steps) {
        await player.play(one)
        await player.compare(one)
      }
      await player.leave()
      if (reader % checkEvery === 0) await service.requireInvariants()
    }),
    { seed, numRuns, examples: [[UNPAID_FOR_TWO_PERIODS], [APPEALED]] },
  )
  await service.requireInvariants()
}

/** Applies a history to the service and to the model. */
class Player {
  readonly #shop: Shop
  readonly #model = new MoneyModel()
  readonly #named: { rid: string; user_ref: string }
  readonly #start: number
  /** The ids of the payments seen so far. */
  readonly #known: string[] = []

  constructor(shop: Shop, userRef: string) {
    this.#shop = shop
    this.#named = { rid: 'thing', user_ref: userRef }
    this.#start = shop.environment.clock()
  }

  /** Ends what would be renewed in all histories to come. */
  async leave(): Promise<void> {
    await this.#revoke(false)
  }

  async compare(last: Step): Promise<void> {
    const { client } = this.#shop
    const { ends, isLive } = this.#model
    const access = await client.findAccess(this.#named)
    const expected = isLive
      ? { live: true, expires: ends === Infinity ? undefined : this.#start + (ends ?? 0) * DAY }
      : { live: false }
    const found = access ? { live: true, expires: access.expires } : { live: false }
    expect(found, JSON.stringify(last)).toEqual(expected)
    const { data } = await client.searchSubscriptions(this.#named)
    const latest = data.find(({ status }) => status !== 'ended') ?? data[0]
    expect(latest?.status, JSON.stringify(last)).toBe(this.#model.subscription?.status)
    const cents = (amount: number) => Math.round(amount * 100)
    const paid = (await this.#payments()).map((one) => [cents(one.refunded), cents(one.lost)])
    expect(paid, JSON.stringify(last)).toEqual(
      this.#model.payments.map((one) => [one.refunded, one.lost]),
    )
  }

  /** Returns the payments that were taken, oldest first: in the order of the steps that made them and, of one step, in
   * the order of their times. */
  async #payments() {
    const { data } = await this.#shop.client.searchPayments({ ...this.#named, pagesize: 1000 })
    const taken = data.filter(({ status }) => status !== 'failed')
    const settled = new Map<string, number>()
    for (const { id } of taken) {
      const row = await findPayment(this.#shop.environment.database.read, this.#shop.aid, id)
      settled.set(id, row?.settled ?? 0)
    }
    const at = (id: string) => settled.get(id) ?? 0
    const ids = taken.map(({ id }) => id).filter((id) => !this.#known.includes(id))
    this.#known.push(...ids.sort((a, b) => at(a) - at(b) || (a < b ? -1 : 1)))
    return taken.sort((a, b) => this.#known.indexOf(a.id) - this.#known.indexOf(b.id))
  }

  async play(one: Step): Promise<void> {
    const { client } = this.#shop
    const model = this.#model
    switch (one.do) {
      case 'grant': {
        const now = this.#shop.environment.clock()
        const end = one.days === undefined ? {} : { expiration: now + one.days * DAY }
        const email = `${this.#named.user_ref}@example.com`
        await client.grantAccess({ ...this.#named, email, ...end })
        model.grant(one.days)
        break
      }
      case 'purchase':
        await this.#buy({ period: one.days === undefined ? null : `${one.days} days` })
        model.purchase(one.days, AMOUNT)
        break
      case 'subscribe':
        await this.#subscribe(one.days, one.isCardGood)
        break
      case 'cancel':
        expect(await done(client.cancelSubscription(this.#named))).toBe(model.cancel())
        break
      case 'resume':
        expect(await done(client.resumeSubscription(this.#named))).toBe(model.resume())
        break
      case 'card':
        await this.#changeCard(one.isCardGood)
        break
      case 'refund':
        await this.#refund(one.nth, one.amount)
        break
      case 'dispute':
        await this.#dispute(one)
        break
      case 'revoke':
        await this.#revoke(one.refund)
        break
      case 'advance':
        await this.#shop.advance(one.days * DAY)
        model.advance(one.days)
        break
    }
  }

  async #buy(terms: { period: string | null; recurring?: 0 | 1 }, isCardGood = true) {
    const vouchedEmail = `${this.#named.user_ref}@example.com`
    await this.#shop.buy({
      rid: 'thing',
      userRef: this.#named.user_ref,
      vouchedEmail,
      terms: { amount: AMOUNT, ...terms },
      card: isCardGood ? 'good' : 'declined_later',
    })
  }

  async #subscribe(period: number, isCardGood: boolean): Promise<void> {
    const input = this.#buy({ period: `${period} days`, recurring: 1 }, isCardGood)
    if (this.#model.isSubscribed) {
      await expect(input).rejects.toMatchObject({ code: 'already_subscribed' })
      return
    }
    await input
    this.#model.subscribe(period, AMOUNT, isCardGood)
  }

  async #changeCard(isCardGood: boolean): Promise<void> {
    const { client, environment, aid, cards } = this.#shop
    const { data } = await client.searchSubscriptions(this.#named)
    const subscription = data.find(({ status }) => status !== 'ended')
    if (!subscription) return
    const checkout = await createCardChangeCheckout(
      environment,
      { aid, id: subscription.id, linkNumber: 0 },
      FOREVER,
    )
    const urls = { done: 'http://localhost/', back: 'http://localhost/' }
    const page = await startCheckout(environment, checkout, urls)
    const card = cardNumber(isCardGood ? 'good' : 'declined_later')
    await cards.pay(page.split('/').at(-1) as string, card)
    await refreshCheckout(environment, checkout)
    await this.#shop.work()
    this.#model.changeCard(isCardGood)
  }

  async #refund(nth: number, amount: number): Promise<void> {
    const payment = (await this.#payments())[nth]
    const expected = this.#model.payments[nth]
    expect(payment === undefined).toBe(expected === undefined)
    if (!payment || !expected) return
    const reference = `refund-${payment.refunds.length}`
    const input = { payment: payment.id, amount: (amount / 100).toFixed(2), reference }
    const made = await done(this.#shop.client.refundPayment(input))
    expect(made).toBe(this.#model.refund(expected, amount))
  }

  async #dispute({ nth, outcome, amount }: Extract<Step, { do: 'dispute' }>): Promise<void> {
    const payment = (await this.#payments())[nth]
    const expected = this.#model.payments[nth]
    if (!payment || !expected) return
    const { aid, environment, cards } = this.#shop
    const row = await findPayment(environment.database.read, aid, payment.id)
    await cards.dispute(row?.provider_ref as string, outcome, amount)
    await applyEvent(environment, { kind: 'payment', paymentId: payment.id })
    this.#model.dispute(expected, outcome, amount)
  }

  async #revoke(refund: boolean): Promise<void> {
    const expected = this.#model.revoke(refund)
    if (expected === undefined) {
      expect(await done(this.#shop.client.revokeAccess({ ...this.#named, refund }))).toBe(false)
      return
    }
    const { refunds } = await this.#shop.client.revokeAccess({ ...this.#named, refund })
    expect(refunds.map(({ status }) => status).sort()).toEqual(expected.sort())
  }
}

/** Returns false if a rule refuses the call or its target does not exist. */
async function done(call: Promise<unknown>): Promise<boolean> {
  try {
    await call
    return true
  } catch (error) {
    if (error instanceof ApiError && [402, 404].includes(error.status)) return false
    throw error
  }
}
