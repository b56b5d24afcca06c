import type { Seconds } from '../../db/tables.ts'
import { oneOf, rid, seconds, solid, text, userRef } from '../../fields.ts'
import { readField } from '../../parameters.ts'
import { amountFieldIn, amountTextField, currencyField } from '../apps/currency-field.ts'
import { periodField } from '../resources/periods.ts'
import { requireTerms } from '../resources/prices.ts'
import { email } from '../users/email.ts'
import { type CellReader, type Layout, problemWithNames, readCells } from './layout.ts'

const STATUSES = ['active', 'canceled'] as const

/** The provider's id of a saved card. It has no white space, so it can't break a line. */
const method = solid(text(255, 'A saved card.'))

const columns = {
  rid,
  email,
  user_ref: userRef,
  /** In major units. The currency determines how many decimals are allowed. */
  amount: amountTextField,
  currency: currencyField,
  period: periodField,
  current_period_end: seconds,
  /** Defaults to `active`. */
  status: oneOf(STATUSES),
  created: seconds,
  /** The payment provider that the method belongs to. */
  provider: text(20, 'A provider.'),
  method,
} satisfies Record<string, CellReader<unknown>>

type Column = keyof typeof columns
type Values = { [K in Column]?: (typeof columns)[K] extends CellReader<infer T> ? T : never }

const layout: Layout = {
  columns,
  required: ['rid', 'email', 'amount', 'currency', 'period', 'current_period_end'],
}

/** Describes the problem with the column names; undefined if there is none. */
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

/** Parses a row. Throws what is wrong with it. */
export function readSubscription(
  header: readonly string[],
  cells: readonly string[],
): SubscriptionRowInput {
  const values: Values = readCells(layout, header, cells)
  const money = { currency: values.currency as string, period: values.period as string }
  const amount = readField('amount', values.amount as string, amountFieldIn(money.currency))
  requireTerms({ amount, ...money, recurring: 1, trial_days: 0 })
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
