import { clocksOf } from '../../domain/payments/context.ts'
import { findNextPaymentWork, runDuePayments } from '../../domain/payments/orders/payment-loop.ts'
import { reconcile } from '../../domain/payments/reconcile/reconcile.ts'
import { requestRefund } from '../../domain/payments/refunds/orders.ts'
import { NEEDED_EVENTS } from '../../domain/payments/stripe/events-needed.ts'
import { DAY, HOUR } from '../time.ts'
import type { Books } from './books.ts'
import type { FakeEvent } from './ledger.ts'
import { buyWithStripe, openStripePage, RENEWAL_PERIOD_S, RENEWING_TERMS } from './stripe-shop.ts'

/** What a shop does, in the words of the benchmark page. */
export const MEASURED = [
  'a sale with its first renewal',
  'a checkout page that is opened and not paid',
  'a refund that stays pending for 10 days',
  'a renewal that stays `processing` for 5 days',
  'a daily reconciliation',
] as const

export type Measured = (typeof MEASURED)[number]

/** Counts how many reads something costs at the fake Stripe, whose clock is that of the service. */
export class ReadMeter {
  readonly #books: Books
  readonly #withEvents: boolean

  constructor(books: Books, withEvents: boolean) {
    this.#books = books
    this.#withEvents = withEvents
  }

  /** Makes a sale, which shows whether events arrive, and then counts the reads. */
  async measure(what: Measured): Promise<number> {
    const { fake } = this.#books
    await this.#buy('first')
    await this.#pass(HOUR)
    fake.calls.length = 0
    await this.#actions[what]()
    return fake.calls.filter(({ route }) => route.startsWith('GET')).length
  }

  readonly #actions: Readonly<Record<Measured, () => Promise<void>>> = {
    'a sale with its first renewal': async () => {
      await this.#subscribe('good')
      await this.#pass(RENEWAL_PERIOD_S + HOUR)
    },
    'a checkout page that is opened and not paid': async () => {
      const visitor = { rid: 'article', userRef: 'visitor' }
      await openStripePage(this.#env, this.#books.app.aid, visitor)
      await this.#pass(2 * DAY)
    },
    'a refund that stays pending for 10 days': async () => {
      const { payment_id: paymentId } = await this.#buy('refunded')
      await this.#pass(HOUR)
      const { fake, app } = this.#books
      fake.calls.length = 0
      fake.ledger.newRefundStatus = 'pending'
      const input = { aid: app.aid, paymentId, actor: 'test' }
      await this.#env.database.write((trx) => requestRefund(trx, input, clocksOf(this.#env)))
      await this.#pass(10 * DAY)
    },
    'a renewal that stays `processing` for 5 days': async () => {
      await this.#subscribe('slow_later')
      await this.#pass(RENEWAL_PERIOD_S - HOUR)
      this.#books.fake.calls.length = 0
      await this.#pass(HOUR)
      await this.#pass(5 * DAY)
    },
    'a daily reconciliation': async () => {
      await reconcile(this.#env, {})
    },
  }

  get #env() {
    return this.#books.app.environment
  }

  #buy(userRef: string) {
    const { app, fake } = this.#books
    return buyWithStripe(this.#env, app.aid, fake, { rid: 'article', userRef })
  }

  #subscribe(card: 'good' | 'slow_later') {
    const { app, fake } = this.#books
    const input = { rid: 'pass', userRef: 'subscriber', terms: RENEWING_TERMS, card }
    return buyWithStripe(this.#env, app.aid, fake, input)
  }

  /** Lets time pass, as a worker sees it: it works whenever something is due. */
  async #pass(seconds: number): Promise<void> {
    const { clock } = this.#books.service
    const end = clock.now + seconds * 1000
    for (;;) {
      await this.#work()
      const due = await this.#findNext()
      if (due > end) break
      clock.now = Math.max(due, clock.now + 1_000)
    }
    clock.now = end
    await this.#work()
  }

  /** An endpoint that the service creates gets no others. */
  #dropOtherEvents(): void {
    const { events } = this.#books.fake.ledger
    const isNeeded = ({ type }: FakeEvent) => NEEDED_EVENTS.some((one) => one === type)
    events.splice(0, events.length, ...events.filter(isNeeded))
  }

  #openSessions() {
    return [...this.#books.fake.ledger.sessions.values()].filter(({ status }) => status === 'open')
  }

  async #findNext(): Promise<number> {
    const due = await findNextPaymentWork(this.#env.database.read)
    const expiries = this.#openSessions().map(({ expires_at }) => expires_at * 1000)
    return Math.min(due ?? Number.POSITIVE_INFINITY, ...expiries)
  }

  async #work(): Promise<void> {
    const { fake, service, app } = this.#books
    for (const { id, expires_at } of this.#openSessions()) {
      if (expires_at * 1000 <= service.clock.now) fake.expire(id)
    }
    while ((await runDuePayments(this.#env)) > 0);
    if (!this.#withEvents) return
    this.#dropOtherEvents()
    const url = `${app.baseUrl}/events/stripe`
    await fake.deliver(url, { at: service.clock.now })
  }
}
