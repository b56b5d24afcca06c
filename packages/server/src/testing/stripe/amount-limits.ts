import { invalidRequest } from './errors.ts'

/** The smallest charges in the currency's minor unit, as Stripe documents them for accounts paid in that currency. */
const MINIMUMS: Record<string, number> = {
  ...{ aed: 200, aud: 50, bgn: 100, brl: 50, cad: 50, chf: 50, czk: 1500, dkk: 250, eur: 50 },
  ...{ gbp: 30, hkd: 400, huf: 17_500, inr: 50, jpy: 50, mxn: 1000, myr: 200, nok: 300, nzd: 50 },
  ...{ pln: 200, ron: 200, sek: 300, sgd: 50, thb: 1000, usd: 50 },
}

/** Of other currencies, the equivalent in the account's currency decides. */
const OTHER_MINIMUM = 50
const MAX_DIGITS = 8

export function requireAllowedAmount(amount: number, currency: string): void {
  if (amount < (MINIMUMS[currency] ?? OTHER_MINIMUM)) {
    throw invalidRequest('Amount too small', { code: 'amount_too_small', param: 'amount' })
  }
  if (String(amount).length > MAX_DIGITS) {
    throw invalidRequest('Amount too large', { code: 'amount_too_large', param: 'amount' })
  }
}
