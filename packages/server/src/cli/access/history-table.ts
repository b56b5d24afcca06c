import { FOREVER } from '../../db/tables.ts'
import { showMoney } from '../../domain/apps/currency.ts'
import type { HistoryRow } from '../../domain/history/history.ts'
import { formatTime } from '../../format-time.ts'
import { type ChangedValues, changeDetails } from '../../records/history.ts'
import { type Columns, formatItems } from '../list.ts'

export const HISTORY_COLUMNS: Columns<HistoryRow> = {
  when: ({ at }) => formatTime(at),
  what: ({ action }) => action,
  by: ({ actor }) => actor,
  rid: ({ rid }) => rid,
  uid: ({ uid }) => uid,
  before: (row) => formatValues(changeDetails(row).before, changeDetails(row).after),
  after: (row) => formatValues(changeDetails(row).after, changeDetails(row).before),
}

export const NO_CHANGES_TEXT = 'No changes.'

/** Formats changes as text, one per line. */
export const formatHistoryTable = (rows: readonly HistoryRow[]): string =>
  formatItems(rows, HISTORY_COLUMNS, NO_CHANGES_TEXT)

const TIMES = new Set([
  ...['created', 'revoked', 'archived', 'erased', 'closed'],
  ...['ends', 'grant_ends', 'purchase_ends', 'starts', 'period_start', 'current_period_end'],
])

function formatValues(values: ChangedValues = {}, others: ChangedValues = {}): string {
  return Object.entries(values)
    .filter(([name, value]) => !isRedundant(name, value, values, others))
    .map(([name, value]) => `${name} ${moneyIn(name, value, values) ?? formatValue(name, value)}`)
    .join(', ')
}

/** Whether a value adds nothing to what its line already says. */
function isRedundant(
  name: string,
  value: unknown,
  values: ChangedValues,
  others: ChangedValues,
): boolean {
  if (value === null || value === '') return true
  if (name === 'ends') return false
  if (name === 'grant_ends' || name === 'purchase_ends') return value === values.ends
  if (name === 'current_period_end') return value === values.ends
  // The amount is printed with its currency.
  if (name === 'currency' && typeof values.amount === 'number') return true
  const text = JSON.stringify(value)
  return text === '[]' || text === JSON.stringify(others[name])
}

/** Formats an amount with its currency; the history stores it in minor units. */
function moneyIn(name: string, value: unknown, { currency }: ChangedValues): string | undefined {
  if (name !== 'amount' || typeof value !== 'number' || typeof currency !== 'string')
    return undefined
  return showMoney(value, currency)
}

const MAX_SHOWN = 60

function formatValue(name: string, value: unknown): string {
  if (TIMES.has(name) && typeof value === 'number') {
    return value === FOREVER ? 'never' : formatTime(value)
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}
