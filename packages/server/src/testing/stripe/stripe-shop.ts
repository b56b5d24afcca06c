import type { Environment } from '../../context.ts'
import {
  type CheckoutRow,
  createCheckout,
  startCheckout,
} from '../../domain/payments/checkout/checkouts.ts'
import { refreshCheckout } from '../../domain/payments/checkout/poll-checkouts.ts'
import type { Terms } from '../../domain/resources/prices.ts'
import type { FakeStripe } from './fake-stripe.ts'
import type { FakeCard } from './ledger.ts'

/** Settings for a sandbox whose payment provider is the fake. */
export const sandboxSettings = (fake: FakeStripe): Record<string, string> => ({
  GATEHOUSE_SANDBOX_STRIPE_SECRET_KEY: fake.secretKey,
  GATEHOUSE_SANDBOX_STRIPE_WEBHOOK_SECRET: fake.webhookSecret,
  GATEHOUSE_STRIPE_API: fake.url,
})

export interface StripePurchase {
  rid: string
  userRef: string
  terms?: Partial<Terms>
  card?: FakeCard
}

const ONCE: Terms = { amount: 499, currency: 'EUR', recurring: 0, period: null, trial_days: 0 }
export const RENEWAL_PERIOD_S = 30 * 86_400
export const RENEWING_TERMS: Partial<Terms> = { recurring: 1, period: '30 days' }

/** Starts a checkout; returns it with the id of the provider's page. */
export async function openStripePage(
  env: Environment,
  aid: string,
  { rid, userRef, terms }: StripePurchase,
): Promise<{ checkout: CheckoutRow; session: string }> {
  const checkout = await createCheckout(env, {
    aid,
    rid,
    terms: { ...ONCE, ...terms },
    userRef,
    vouchedEmail: `${userRef}@example.com`,
    firstName: 'Rita',
    lastName: 'Reader',
  })
  const urls = { done: 'http://127.0.0.1/done', back: 'http://127.0.0.1/back' }
  const page = await startCheckout(env, checkout, urls)
  return { checkout, session: page.split('/').at(-1) as string }
}

/** Starts a checkout and pays for it on the provider's page, before the service has heard of the payment. */
export async function payWithoutWebhook(
  env: Environment,
  aid: string,
  fake: FakeStripe,
  input: StripePurchase,
): Promise<CheckoutRow> {
  const { checkout, session } = await openStripePage(env, aid, input)
  fake.pay(session, input.card ?? 'good')
  return checkout
}

/** Completes a checkout. */
export async function buyWithStripe(
  env: Environment,
  aid: string,
  fake: FakeStripe,
  input: StripePurchase,
): Promise<CheckoutRow> {
  return await refreshCheckout(env, await payWithoutWebhook(env, aid, fake, input))
}
