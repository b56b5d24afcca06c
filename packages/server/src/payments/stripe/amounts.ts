import { decimalsOf, isCurrency } from '../../apps/currency.ts'
import type { Money } from '../provider.ts'

/** An amount as Stripe counts it, which is not always as we do. */
interface StripeMoney {
  amount: number
  /** In small letters. */
  currency: string
}

// All others have two decimals there, also the króna and the shilling of Uganda, which have none.
const WITHOUT_DECIMALS = new Set(
  'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '),
)
const WITH_THREE = new Set('BHD JOD KWD OMR TND'.split(' '))

function decimalsAtStripe(currency: string): number {
  if (WITHOUT_DECIMALS.has(currency)) return 0
  return WITH_THREE.has(currency) ? 3 : 2
}

/** Times a power of ten, exactly; undefined where something would be left over. */
function shift(amount: number, by: number): number | undefined {
  const factor = 10 ** Math.abs(by)
  const shifted = by < 0 ? amount / factor : amount * factor
  return Number.isSafeInteger(shifted) ? shifted : undefined
}

/** Undefined for an amount that Stripe has no way to take. */
export function toStripe({ amount, currency }: Money): StripeMoney | undefined {
  const shifted = shift(amount, decimalsAtStripe(currency) - decimalsOf(currency))
  if (shifted === undefined) return undefined
  // The card networks take the third decimal only if it is 0.
  if (WITH_THREE.has(currency) && shifted % 10 !== 0) return undefined
  return { amount: shifted, currency: currency.toLowerCase() }
}

/** Undefined for what is no amount of ours. */
export function fromStripe({ amount, currency }: StripeMoney): Money | undefined {
  const code = currency.toUpperCase()
  if (!isCurrency(code)) return undefined
  const shifted = shift(amount, decimalsOf(code) - decimalsAtStripe(code))
  return shifted === undefined ? undefined : { amount: shifted, currency: code }
}
