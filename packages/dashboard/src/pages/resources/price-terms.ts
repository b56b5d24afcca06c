import {
  isCurrency,
  MAX_AMOUNT,
  MAX_PERIOD,
  MAX_TRIAL_DAYS,
  parseMajor,
} from '@gatehouse/server/dashboard-api'
import { required } from '../../components/forms/use-form.ts'
import { formatMoney } from '../../format.ts'
import { texts } from '../../texts.ts'

/** The values of the price form. */
export type PriceFormValues = {
  amount: string
  currency: string
  kind: string
  count: string
  unit: string
  trial_days: string
}

type Unit = keyof typeof texts.resources.units

const codeOf = ({ currency }: PriceFormValues) => currency.trim().toUpperCase()

/** Accepts a decimal comma: 4,99. */
const amountOf = (typed: PriceFormValues) =>
  parseMajor(typed.amount.trim().replace(',', '.'), codeOf(typed))

const wholeNumber = (text: string) => (/^\d{1,5}$/.test(text.trim()) ? Number(text) : undefined)

function amountProblem(typed: PriceFormValues): string | undefined {
  const amount = amountOf(typed)
  if (amount === undefined || amount < 1) return texts.resources.amountProblem(codeOf(typed))
  return amount > MAX_AMOUNT ? texts.resources.amountTooLarge : undefined
}

function countProblem({ kind, count, unit }: PriceFormValues): string | undefined {
  if (kind === 'once') return undefined
  const value = wholeNumber(count)
  const most = MAX_PERIOD[unit as Unit]
  const isGood = value !== undefined && value >= 1 && value <= most
  return isGood ? undefined : texts.resources.countProblem(most)
}

function trialProblem({ kind, trial_days }: PriceFormValues): string | undefined {
  if (kind !== 'recurring') return undefined
  const value = wholeNumber(trial_days)
  const isGood = value !== undefined && value <= MAX_TRIAL_DAYS
  return isGood ? undefined : texts.resources.trialProblem
}

export function validatePrice(typed: PriceFormValues) {
  return {
    amount: required(typed.amount) ?? amountProblem(typed),
    currency: isCurrency(codeOf(typed)) ? undefined : texts.resources.currencyProblem,
    count: countProblem(typed),
    trial_days: trialProblem(typed),
  }
}

export const isValidPrice = (typed: PriceFormValues): boolean =>
  Object.values(validatePrice(typed)).every((problem) => problem === undefined)

/** The price as the API expects it. */
export function toApiPrice(typed: PriceFormValues) {
  const { kind, count, unit, trial_days } = typed
  return {
    amount: amountOf(typed) ?? 0,
    currency: codeOf(typed),
    recurring: kind === 'recurring',
    period: kind === 'once' ? null : `${Number(count)} ${unit}`,
    trial_days: kind === 'recurring' ? Number(trial_days) : 0,
  }
}

/** The terms in a sentence, as readers accept them. */
export function describePrice(typed: PriceFormValues): string {
  const { amount, currency, trial_days } = toApiPrice(typed)
  const money = formatMoney({ amount, currency })
  const count = Number(typed.count)
  const unit = typed.unit as Unit
  const { once, limited, recurring, trial } = texts.resources.terms
  if (typed.kind === 'once') return once(money)
  if (typed.kind === 'limited') return limited(money, texts.resources.period(count, unit))
  const each = count === 1 ? unit : texts.resources.period(count, unit)
  return [recurring(money, each), ...(trial_days > 0 ? [trial(trial_days)] : [])].join(' ')
}
