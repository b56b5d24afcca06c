import { archiveApplication } from '../../domain/apps/applications.ts'
import {
  type CheckoutRow,
  createCheckout,
  startCheckout,
} from '../../domain/payments/checkout/checkouts.ts'
import { refreshCheckout } from '../../domain/payments/checkout/poll-checkouts.ts'
import { runDuePayments } from '../../domain/payments/orders/payment-loop.ts'
import { type CardName, TEST_CARDS } from '../../domain/payments/test-cards/cards.ts'
import type { TestCards } from '../../domain/payments/test-cards/test-cards.ts'
import type { Terms } from '../../domain/resources/prices.ts'
import { advanceClock } from '../../domain/sandbox/clock.ts'
import type { TestApplication, TestService } from '../service.ts'

export type { CardName } from '../../domain/payments/test-cards/cards.ts'

/** An application in the sandbox whose readers buy with test cards. */
export interface Shop extends TestApplication {
  cards: TestCards
  /** Completes a checkout; returns its final row. */
  buy(input: Purchase): Promise<CheckoutRow>
  /** Runs everything that is due now. */
  work(): Promise<void>
  /** Moves the sandbox's clock, and runs everything that falls due on the way. */
  advance(seconds: number): Promise<void>
}

export interface Purchase {
  rid: string
  terms?: Partial<Terms>
  userRef?: string
  /** Typed by the buyer, and therefore not verified. */
  email?: string
  vouchedEmail?: string
  card?: CardName
}

export const cardNumber = (card: CardName) =>
  TEST_CARDS.find(({ name }) => name === card)?.number as string

export const ONCE: Terms = {
  amount: 499,
  currency: 'EUR',
  recurring: 0,
  period: null,
  trial_days: 0,
}
export const MONTHLY: Partial<Terms> = { recurring: 1, period: '1 month' }

/** Archives the shop: the next one on the same service would otherwise carry out its renewals whenever the clock moves. */
export async function closeShop({ environment, aid }: Shop): Promise<void> {
  const { database, clock } = environment
  await database.write((trx) => archiveApplication(trx, aid, clock(), 'test'))
}

export async function openShop(service: TestService): Promise<Shop> {
  const app = await service.newApplication('sandbox')
  const env = app.environment
  const cards = env.provider as TestCards
  const work = async () => {
    while ((await runDuePayments(env)) > 0);
  }
  return {
    ...app,
    cards,
    work,
    async buy({ rid, terms, userRef, email, vouchedEmail, card = 'good' }) {
      const checkout = await createCheckout(env, {
        aid: app.aid,
        rid,
        terms: { ...ONCE, ...terms },
        userRef,
        vouchedEmail,
        typedEmail: email ?? (vouchedEmail === undefined ? `${userRef}@example.com` : undefined),
        firstName: 'Rita',
        lastName: 'Reader',
      })
      const urls = { done: `${app.baseUrl}/done`, back: `${app.baseUrl}/back` }
      const page = await startCheckout(env, checkout, urls)
      await cards.pay(page.split('/').at(-1) as string, cardNumber(card))
      return await refreshCheckout(env, checkout)
    },
    async advance(seconds) {
      await advanceClock(env, seconds)
    },
  }
}
