import { decimalsOf, isCurrency } from '../../apps/currency.ts'
import type { Money } from '../provider.ts'

/** An amount in Stripe's units, which are not always ours. */
export interface StripeMoney {
  amount: number
  /** In lower case. */
  currency: string
}

// At Stripe all others have two decimals (even ISK and UGX, which have none), except those with three below.
const WITHOUT_DECIMALS = new Set(
  'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '),
)
const WITH_THREE = new Set('BHD JOD KWD OMR TND'.split(' '))

function decimalsAtStripe(currency: string): number {
  if (WITHOUT_DECIMALS.has(currency)) return 0
  return WITH_THREE.has(currency) ? 3 : 2
}

/** Multiplies by a power of ten; undefined if the result is not an exact integer. */
function shift(amount: number, by: number): number | undefined {
  const factor = 10 ** Math.abs(by)
  const shifted = by < 0 ? amount / factor : amount * factor
  return Number.isSafeInteger(shifted) ? shifted : undefined
}

/** Returns undefined for an amount that Stripe can't charge. */
export function toStripeAmount({ amount, currency }: Money): StripeMoney | undefined {
  const shifted = shift(amount, decimalsAtStripe(currency) - decimalsOf(currency))
  if (shifted === undefined) return undefined
  // The card networks accept the third decimal only if it is 0.
  if (WITH_THREE.has(currency) && shifted % 10 !== 0) return undefined
  return { amount: shifted, currency: currency.toLowerCase() }
}

/** Returns undefined for an unknown currency or an amount that our units can't express. */
export function fromStripeAmount({ amount, currency }: StripeMoney): Money | undefined {
  const code = currency.toUpperCase()
  if (!isCurrency(code)) return undefined
  const shifted = shift(amount, decimalsOf(code) - decimalsAtStripe(code))
  return shifted === undefined ? undefined : { amount: shifted, currency: code }
}
