import { decimalsOf, isCurrency } from '../../apps/currency.ts'
import type { Money } from '../provider.ts'

/** An amount as Stripe counts it, which is not always as we do. */
interface StripeMoney {
  amount: number
  /** In small letters. */
  currency: string
}

// All others have two decimals there, also those that have none in daily use.
const WITHOUT_DECIMALS = new Set(
  'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '),
)
const WITH_THREE = new Set('BHD JOD KWD OMR TND'.split(' '))
/** Counted in hundredths of which there must be none: only whole krónur and shillings can be paid. */
const WHOLE_ONLY = new Set(['ISK', 'UGX'])

function decimalsAtStripe(currency: string): number {
  if (WITHOUT_DECIMALS.has(currency)) return 0
  return WITH_THREE.has(currency) ? 3 : 2
}

/** The card networks take the third decimal only if it is 0. */
function stepOf(currency: string): number {
  if (WITH_THREE.has(currency)) return 10
  return WHOLE_ONLY.has(currency) ? 100 : 1
}

/** Times a power of ten, exactly; undefined where something would be left over. */
function shift(amount: number, by: number): number | undefined {
  const factor = 10 ** Math.abs(by)
  if (by < 0 && amount % factor !== 0) return undefined
  const shifted = by < 0 ? amount / factor : amount * factor
  return Number.isSafeInteger(shifted) ? shifted : undefined
}

/** Undefined for an amount that Stripe has no way to take. */
export function toStripe({ amount, currency }: Money): StripeMoney | undefined {
  const shifted = shift(amount, decimalsAtStripe(currency) - decimalsOf(currency))
  if (shifted === undefined || shifted % stepOf(currency) !== 0) return undefined
  return { amount: shifted, currency: currency.toLowerCase() }
}

/** Undefined for what is no amount of ours. */
export function fromStripe({ amount, currency }: StripeMoney): Money | undefined {
  const code = currency.toUpperCase()
  if (!isCurrency(code)) return undefined
  const shifted = shift(amount, decimalsOf(code) - decimalsAtStripe(code))
  return shifted === undefined ? undefined : { amount: shifted, currency: code }
}
