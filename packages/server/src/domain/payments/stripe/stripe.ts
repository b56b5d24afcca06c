import type { PaymentProvider } from '../provider.ts'
import { findAccountProblem } from './account-problem.ts'
import { createStripeApi } from './api.ts'
import { chargeCard, findPayment } from './charges.ts'
import { expireCheckout, getCheckoutFinding, startCheckout } from './checkout.ts'
import { connectStripe, type StripeOptions } from './connection.ts'
import { STRIPE_CURRENCIES } from './currencies.ts'
import { readSignedEvent, subjectsOf } from './events.ts'
import { createLedger, findCharges } from './ledger.ts'
import { createRefund, findRefund } from './refunds.ts'

/** Stripe calls them read requests and transactions, and limits neither writes nor a single day. */
const READ_ALLOWANCE = { perSale: 500, minimum: 10_000 }

/** Saves, charges and refunds cards through Stripe. Stripe's subscriptions, invoices and products are never used. */
export function createStripe(options: StripeOptions): PaymentProvider {
  const connection = connectStripe(options)
  const api = createStripeApi(connection)
  return {
    name: 'stripe',
    currencies: STRIPE_CURRENCIES,
    startCheckout: (order) => startCheckout(api, order, options.api, options.offersLink),
    expireCheckout: (ref) => expireCheckout(api, ref, options.api),
    charge: (order) => chargeCard(api, order),
    refund: (order) => createRefund(api, order),
    find: {
      checkout: (ref) => getCheckoutFinding(api, ref, options.api),
      payment: (query) => findPayment(api, query),
      charges: (query) => findCharges(api, query),
      refund: (query) => findRefund(api, query),
    },
    async readEvent(event) {
      const { webhookSecret } = options
      const signed = webhookSecret === undefined ? undefined : readSignedEvent(event, webhookSecret)
      return signed && (await subjectsOf(signed.event, api))
    },
    async check() {
      await api.check()
    },
    accountProblem: () => findAccountProblem(connection),
    readAllowance: READ_ALLOWANCE,
    ledger: createLedger(api),
  }
}
