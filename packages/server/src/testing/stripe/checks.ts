import { STRIPE_CURRENCIES } from '../../domain/payments/stripe/currencies.ts'
import { parseUrl } from '../../parse-url.ts'
import { requireAllowedAmount } from './amount-limits.ts'
import { invalidRequest } from './errors.ts'
import { type Params, textAt } from './form.ts'
import type { Ledger } from './ledger.ts'

/** Checks of values that more than one route needs, or that are long. */

export const whole = (text: string | undefined, param: string): number => {
  if (!/^\d+$/.test(text ?? '')) throw invalidRequest('Invalid integer', { param })
  return Number(text)
}

const STEPS: Record<string, number> = { isk: 100, ugx: 100, kwd: 10, bhd: 10 }

/** Stripe's error for a currency has no code. */
export function readCurrency(currency: string | undefined, param: string): string {
  if (STRIPE_CURRENCIES.has((currency ?? '').toUpperCase())) return currency as string
  throw invalidRequest(`Invalid currency: ${currency}.`, { param })
}

/** Reads an amount in the currency's minor unit; some currencies allow only multiples of 10 or 100. */
export function readAmount(
  amount: string | undefined,
  currency: string | undefined,
  param = 'currency',
) {
  const number = whole(amount, 'amount')
  const code = readCurrency(currency, param)
  if (number % (STEPS[code] ?? 1) !== 0) {
    throw invalidRequest('Invalid amount', { code: 'invalid_charge_amount', param: 'amount' })
  }
  requireAllowedAmount(number, code)
  return { amount: number, currency: code }
}

export function requireSessionParams(ledger: Ledger, params: Params): void {
  if (ledger.refusesWalletOptions && params.wallet_options !== undefined) {
    throw invalidRequest('Not here', { param: 'wallet_options' })
  }
  if (!parseUrl(textAt(params, 'success_url') ?? '')) {
    throw invalidRequest('Not a valid URL', { code: 'url_invalid', param: 'success_url' })
  }
  const left = whole(textAt(params, 'expires_at'), 'expires_at') - Date.now() / 1000
  if (left < 30 * 60 || left > 24 * 3600) {
    throw invalidRequest('Must be 30 minutes to 24 hours from now', { param: 'expires_at' })
  }
  const email = textAt(params, 'customer_email')
  const isAccepted = email === undefined || isEmail(email)
  if (!isAccepted || ledger.refusedEmails.has(email ?? '')) {
    throw invalidRequest('Invalid email', { code: 'email_invalid', param: 'customer_email' })
  }
}

/** Refuses dots at the ends of the name or side by side, hyphens at the ends of labels, and a host without a dot. */
const isEmail = (email: string) =>
  /^[^\s@.]+(\.[^\s@.]+)*@[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)+$/i.test(
    email,
  ) && /^[\x21-\x7e]+$/.test(email)
