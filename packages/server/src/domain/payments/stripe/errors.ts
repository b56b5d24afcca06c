import Stripe from 'stripe'
import { Value } from 'typebox/value'
import type { Millis } from '../../../db/tables.ts'
import { OrderRefused, ProviderError, ProviderRefusal } from '../provider-error.ts'
import { NoResponse, TooLarge } from './http.ts'
import { wordsFor } from './refusals.ts'
import { Intent } from './schemas.ts'

const AMOUNT_CODES = ['amount_too_small', 'amount_too_large', 'invalid_charge_amount']

/** A definite refusal. Code that knows what it means catches it; all other code treats it as any `ProviderRefusal`. */
export class StripeRefusal extends ProviderRefusal {
  override name = 'StripeRefusal'
  readonly code: string | undefined
  readonly param: string | undefined
  readonly isCardError: boolean
  readonly isAmountError: boolean
  /** The payment intent that the refused order left behind. */
  readonly intent: Intent | undefined

  constructor(message: string, error: Stripe.errors.StripeError) {
    super(message)
    const { param, rawType, payment_intent } = error
    this.code = refusalCode(error)
    this.param = typeof param === 'string' ? param : undefined
    this.isCardError = rawType === 'card_error'
    // A parameter that Stripe no longer accepts says nothing about the amount.
    const isOfAmount = this.param === 'amount' && !this.code?.startsWith('parameter')
    this.isAmountError = AMOUNT_CODES.includes(this.code ?? '') || isOfAmount
    const intent: unknown = payment_intent
    this.intent = Value.Check(Intent, intent) ? intent : undefined
  }
}

/** Whether Stripe refuses the currency itself. Which ones it accepts also depends on the country of the account. */
export const isCurrencyRefusal = (error: unknown): boolean =>
  error instanceof StripeRefusal && /(?:^|\[)currency\]?$/.test(error.param ?? '')

/** Whether Stripe does not offer a call to this account or key. */
export const isUnavailable = (error: unknown) =>
  error instanceof StripeRefusal ||
  (error instanceof ProviderError && error.kind === 'no_permission')

/** Longer than Stripe works on any call: what has not left a trace by then never will. */
export const SETTLED_WITHIN_MS: Millis = 10 * 60_000

/** The idempotency key was used before, for a request with different parameters: the order has changed since. That request may
 * still be under way. Before the next attempt, we look for what was made of it. */
export class IdempotencyKeyReused extends OrderRefused {
  override name = 'IdempotencyKeyReused'

  constructor(message: string) {
    super(`The order has changed since an earlier attempt. ${message}`, {
      retryAfter: SETTLED_WITHIN_MS,
    })
  }
}

/** The answer is larger than we read. */
export class AnswerTooLarge extends ProviderError {
  override name = 'AnswerTooLarge'
}

export const unreadable = (what: string) => new ProviderError(`Stripe: ${what} can't be read`)

/**
 * Describes what went wrong, for the log. Only Stripe's codes are passed on: its messages may contain personal data
 * or the key. `keySetting` names the setting that holds the key.
 */
export function toProviderError(error: unknown, keySetting: string): ProviderError {
  if (!(error instanceof Stripe.errors.StripeError)) return unreadable('the answer')
  const { detail, statusCode: status } = error
  if (detail instanceof TooLarge) return new AnswerTooLarge(`Stripe: ${detail.message}`)
  if (detail instanceof NoResponse) {
    return new ProviderError(`Stripe: ${detail.message}`, { kind: 'unreachable' })
  }
  if (status === 401) {
    const message = `Stripe: the key in ${keySetting} is refused (401)`
    return new ProviderError(message, { kind: 'key_refused' })
  }
  if (status === 403) {
    const message = `Stripe: the key in ${keySetting} lacks a permission (403)`
    return new ProviderRefusal(message, { kind: 'no_permission' })
  }
  const message = `Stripe: ${status ?? 'no status'}, ${codeOf(error)}${formatRateLimit(error)}${formatRequestId(error.requestId)}`
  if (isDefinite(error)) return new StripeRefusal(describeRefusal(error, message), error)
  if (status === 400 && error.rawType === 'idempotency_error')
    return new IdempotencyKeyReused(message)
  const retryAfter = readRetryAfter(error.headers?.['retry-after'])
  return new ProviderError(message, retryAfter === undefined ? {} : { retryAfter })
}

/** Whether the refusal is about this order, and not about a reused key, rate limits or an error at Stripe. */
function isDefinite({ rawType, statusCode }: Stripe.errors.StripeError): boolean {
  if (rawType === 'card_error') return statusCode === 402
  if (rawType !== 'invalid_request_error') return false
  return statusCode === 400 || statusCode === 402 || statusCode === 404
}

const isCode = (value: unknown): value is string =>
  typeof value === 'string' && /^[a-z_]{1,80}$/.test(value)

/** Some refusals have no `code`: what they mean is in `message_code`, which the SDK does not declare. */
function refusalCode({ code, raw }: Stripe.errors.StripeError): string | undefined {
  const { message_code } = (raw ?? {}) as { message_code?: unknown }
  return [code, message_code].find(isCode)
}

const codeOf = (error: Stripe.errors.StripeError): string =>
  [refusalCode(error), error.rawType].find(isCode) ?? 'no code'

/** Adds what staff can do, and the parameter that Stripe names, which is always one of ours. */
function describeRefusal(error: Stripe.errors.StripeError, message: string): string {
  const { param } = error
  const isName = typeof param === 'string' && /^[a-z_0-9[\]]{1,80}$/.test(param)
  const words = wordsFor(refusalCode(error))
  return `${words === undefined ? '' : `${words} `}${message}${isName ? `, parameter ${param}` : ''}`
}

/** Stripe says which of its limits was reached. */
function formatRateLimit({ statusCode, headers }: Stripe.errors.StripeError): string {
  const reason: unknown = headers?.['stripe-rate-limited-reason']
  const isReason = typeof reason === 'string' && /^[a-z][a-z_-]{0,60}$/.test(reason)
  return statusCode === 429 && isReason ? ` (${reason})` : ''
}

const formatRequestId = (id: unknown) =>
  typeof id === 'string' && /^req_[A-Za-z0-9]{1,64}$/.test(id) ? `, ${id}` : ''

const MAX_WAIT_S = 3600

function readRetryAfter(header: unknown): Millis | undefined {
  if (typeof header !== 'string' || !/^\d{1,6}$/.test(header)) return undefined
  return Math.min(Number(header), MAX_WAIT_S) * 1000
}
