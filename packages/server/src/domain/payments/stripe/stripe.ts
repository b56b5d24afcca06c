import { OperatorError } from '../../../errors.ts'
import type { PaymentProvider } from '../provider.ts'
import { createStripeApi } from './api.ts'
import { chargeCard, findPayment } from './charges.ts'
import { expireCheckout, getCheckoutFinding, startCheckout } from './checkout.ts'
import { connectStripe, type StripeOptions } from './connection.ts'
import { readSignedEvent, subjectsOf } from './events.ts'
import { createLedger, findCharges } from './ledger.ts'
import { createRefund, findRefund } from './refunds.ts'
import { type RehearsalStep, runRehearsal } from './rehearsal.ts'

/** Stripe calls them read requests and transactions, and limits neither writes nor a single day. */
const READ_ALLOWANCE = { perSale: 500, minimum: 10_000 }

/** Saves, charges and refunds cards through Stripe. Stripe's subscriptions, invoices and products are never used. */
export function createStripe(options: StripeOptions): PaymentProvider {
  const api = createStripeApi(connectStripe(options))
  return {
    name: 'stripe',
    startCheckout: (order) => startCheckout(api, order, options.api),
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
    readAllowance: READ_ALLOWANCE,
    ledger: createLedger(api),
  }
}

/** Runs through a whole sale with test keys and reports Stripe's answer to each step. */
export async function rehearseSale(
  options: StripeOptions,
  webhookUrl: string,
): Promise<RehearsalStep[]> {
  if (!/^.k_test_/.test(options.secretKey))
    throw new OperatorError('the sale check needs test keys')
  return await runRehearsal(connectStripe(options), { webhookUrl, api: options.api })
}
