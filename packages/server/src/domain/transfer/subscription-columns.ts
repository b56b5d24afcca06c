import type { Seconds } from '../../db/tables.ts'
import { refined, rid, seconds, text, userRef } from '../../fields.ts'
import { parseMajor } from '../apps/currency.ts'
import { parsePeriod, showPeriod } from '../resources/periods.ts'
import { problemWithTerms } from '../resources/prices.ts'
import { email } from '../users/email.ts'
import { currency, type Layout, problemWithNames, type Reads, readCells } from './layout.ts'

const STATUSES = ['active', 'canceled'] as const

function readPeriod(value: string): { value: string } | string {
  const period = parsePeriod(value)
  return period ? { value: showPeriod(period) } : 'must be a period like 1 month'
}

function readStatus(value: string): { value: (typeof STATUSES)[number] } | string {
  const status = STATUSES.find((one) => one === value)
  return status ? { value: status } : `must be ${STATUSES.join(' or ')}`
}

/** The provider's id of a saved card. It has no white space, so it can't break a line. */
const method = refined(text(255, 'A saved card.'), (value) =>
  /\s/u.test(value) ? 'has white space in it' : undefined,
)

const columns = {
  rid,
  email,
  user_ref: userRef,
  /** In major units. The currency determines how many decimals are allowed. */
  amount: text(20, 'The price of a period.'),
  currency,
  period: { read: readPeriod },
  current_period_end: seconds,
  /** Defaults to `active`. */
  status: { read: readStatus },
  created: seconds,
  /** The payment provider that the method belongs to. */
  provider: text(20, 'A provider.'),
  method,
} satisfies Record<string, Reads<unknown>>

type Column = keyof typeof columns
type Values = { [K in Column]?: (typeof columns)[K] extends Reads<infer T> ? T : never }

const layout: Layout = {
  columns,
  required: ['rid', 'email', 'amount', 'currency', 'period', 'current_period_end'],
}

/** What is wrong with the column names, or undefined. */
export const problemWithHeader = (names: readonly string[]) => problemWithNames(names, layout)

/** A subscription that was sold elsewhere. */
export interface SubscriptionRowInput {
  rid: string
  email: string
  userRef: string | undefined
  /** Minor units. */
  amount: number
  currency: string
  period: string
  currentPeriodEnd: Seconds
  status: (typeof STATUSES)[number]
  created: Seconds | undefined
  provider: string | undefined
  method: string | undefined
}

/** Parses a row; returns a text that says what is wrong with it. */
export function readSubscription(
  header: readonly string[],
  cells: readonly string[],
): SubscriptionRowInput | string {
  const read = readCells(layout, header, cells)
  if (typeof read === 'string') return read
  const values = read as Values
  const money = { currency: values.currency as string, period: values.period as string }
  const amount = parseMajor(values.amount as string, money.currency)
  if (amount === undefined) return `amount: is no amount of ${money.currency}`
  const problem = problemWithTerms({ amount, ...money, recurring: 1, trial_days: 0 })
  if (problem) return problem
  return {
    rid: values.rid as string,
    email: values.email as string,
    userRef: values.user_ref,
    amount,
    ...money,
    currentPeriodEnd: values.current_period_end as Seconds,
    status: values.status ?? 'active',
    created: values.created,
    provider: values.provider,
    method: values.method,
  }
}
