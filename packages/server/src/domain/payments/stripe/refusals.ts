import type { ChargeFailure } from '../provider.ts'

/** What a refusal says about its reason. */
interface Reason {
  code: string | undefined
  param: string | undefined
  isCardError: boolean
  isAmountError: boolean
}

/** Refusals of our own request, or of the account: no reader can do anything about them. */
const OURS = [
  'customer_max_subscriptions',
  'payment_intent_invalid_parameter',
  'payment_intent_rate_limit_exceeded',
  'payment_method_configuration_failures',
  'payment_method_not_available',
  'payment_method_provider_timeout',
  'payment_method_unactivated',
  'setup_intent_invalid_parameter',
  'three_d_secure_authentication_upstream_error',
]

/** The bank wants the payer to confirm. */
const NEEDS_PAYER = [
  'approval_required',
  'authentication_failure',
  'authentication_required',
  'intent_verification_method_missing',
  'payment_intent_action_required',
  'payment_intent_authentication_failure',
  'setup_intent_authentication_failure',
  'three_d_secure_authentication_not_supported',
]

/** The card exists, and its bank refuses. */
const DECLINED = [
  'card_decline_rate_limit_exceeded',
  'card_declined',
  'charge_exceeds_source_limit',
  'charge_exceeds_transaction_limit',
  'debit_not_authorized',
  'insufficient_funds',
  'payment_intent_payment_attempt_failed',
  'payment_method_customer_decline',
  'payment_method_provider_decline',
  'processing_error',
  'refer_to_customer',
]

/** How codes begin that name the card, the customer, the mandate or the intent. New codes begin like this too. */
const OF_CARD = [
  ...['authentication_', 'bank_account_', 'customer_', 'expired_', 'incorrect_', 'india_'],
  ...['intent_', 'invalid_cvc', 'invalid_expiry_', 'invalid_number', 'payment_intent_'],
  ...['payment_method_', 'setup_attempt_', 'setup_intent_', 'token_', 'three_d_secure_'],
]

const UNUSABLE_CARD = [
  'account_closed',
  'account_number_invalid',
  'billing_invalid_mandate',
  'invalid_card_type',
  'invalid_source_usage',
  'no_account',
  'routing_number_invalid',
  'sepa_unsupported_account',
]

const CARD_PARAMS = ['customer', 'mandate', 'payment_method']

/** What a refused charge means for its payment; undefined if it does not fail, since no reader can do anything about the
 * reason. A parameter that Stripe no longer accepts is our fault, and must not look like a declined card. */
export function chargeFailureOf(reason: Reason): ChargeFailure | undefined {
  const { code = '', param = '', isCardError, isAmountError } = reason
  if (OURS.includes(code) || code.startsWith('parameter')) return undefined
  if (NEEDS_PAYER.includes(code)) return 'needs_payer'
  if (DECLINED.includes(code) || isAmountError) return 'declined'
  const isOfCard = OF_CARD.some((start) => code.startsWith(start)) || UNUSABLE_CARD.includes(code)
  if (isOfCard || CARD_PARAMS.includes(param)) return 'no_card'
  return isCardError ? 'declined' : undefined
}

/** Why a refused refund can never be made; undefined if it may be made later. */
export function refundFailureOf({
  code,
  isAmountError,
}: Pick<Reason, 'code' | 'isAmountError'>): string | undefined {
  switch (code) {
    case 'charge_already_refunded':
      return 'already_refunded'
    case 'charge_disputed':
    case 'refund_disputed_payment':
      return 'disputed'
    case 'charge_not_refundable':
      return 'refused'
    default:
      return isAmountError ? 'refused' : undefined
  }
}

const NO_BALANCE =
  "Not enough balance for this refund. Add funds in Stripe's dashboard under Balances, or wait for new sales."
const NOT_ACTIVE =
  'The Stripe account can’t take this payment yet. Finish what Stripe asks for in its dashboard.'

/** What staff can do about refusals, in words. */
const WORDS: Readonly<Record<string, string>> = {
  balance_insufficient: NO_BALANCE,
  insufficient_balance_for_refund: NO_BALANCE,
  capability_not_active: NOT_ACTIVE,
  storer_capability_not_active: NOT_ACTIVE,
  testmode_charges_only: NOT_ACTIVE,
  payment_method_unactivated:
    "Cards are switched off. Switch them on in Stripe's dashboard under Payment methods.",
  payment_method_configuration_failures:
    "Check the payment methods in Stripe's dashboard: cards must be switched on.",
  parameter_unknown: 'Stripe no longer accepts this request. Update Gatehouse.',
  livemode_mismatch: 'The key is of another mode than the payment. Check the keys.',
  resource_missing:
    'Stripe does not know the payment. Check whether the key belongs to the account that took it.',
}

export const wordsFor = (code: string | undefined): string | undefined =>
  code === undefined ? undefined : WORDS[code]
