import type { StripeError } from './errors.ts'
import type { Refused } from './faults.ts'

const invalid = (error: Omit<StripeError, 'type'>, status = 400): Refused => ({
  status,
  refuse: {
    type: 'invalid_request_error',
    request_log_url: 'https://dashboard.stripe.com/test/logs/req_fake123',
    ...error,
  },
})

/** Refusals as Stripe words them. */
export const REFUSALS = {
  /** Neither code nor parameter, as somebody has reported it. */
  balance: invalid({
    message: 'Insufficient funds in your Stripe balance to refund this amount.',
    message_code: 'insufficient_balance_for_refund',
  }),
  balanceCode: invalid({
    message: 'Insufficient funds in Stripe account.',
    code: 'balance_insufficient',
  }),
  capability: invalid({
    message: 'Your account cannot currently make live charges.',
    code: 'capability_not_active',
  }),
  mandate: invalid({
    message: 'The mandate of this PaymentIntent is invalid.',
    code: 'payment_intent_mandate_invalid',
    param: 'mandate',
  }),
  method: invalid({
    message: "The PaymentMethod's state does not allow this operation.",
    code: 'payment_method_unexpected_state',
  }),
  link: invalid({
    message:
      'The type of the provided PaymentMethod is link. This does not match the expected type card.',
    param: 'payment_method',
  }),
  authentication: invalid({
    message: 'The payer could not be authenticated.',
    code: 'authentication_failure',
  }),
  amount: invalid({
    message: 'Refund amount (€9.99) is greater than unrefunded amount on charge (€4.99)',
    param: 'amount',
  }),
  amountCode: invalid({
    message: 'The specified amount is greater than the maximum amount allowed.',
    code: 'amount_too_large',
  }),
  /** Says nothing that a program could read. */
  silent: invalid({ message: 'This is not possible.' }),
  returnUrl: invalid({
    message:
      'This PaymentIntent is configured to accept payment methods enabled in your Dashboard. Because some of these payment methods might redirect your customer off of your page, you must provide a `return_url`.',
  }),
} as const satisfies Record<string, Refused>
