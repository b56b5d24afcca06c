import type { Field } from '../../fields.ts'
import { isCurrency } from '../apps/currency.ts'

export type Reads<T> = Pick<Field<T>, 'read'>

/** The columns that a file may have, how each is parsed, and which are required. */
export interface Layout {
  columns: Readonly<Record<string, Reads<unknown>>>
  required: readonly string[]
}

/** Extra columns in a file of refused rows; an import ignores them. */
export const REFUSED_ROW_COLUMNS = ['line', 'reason'] as const

/** What is wrong with the column names, or undefined. */
export function problemWithNames(
  names: readonly string[],
  { columns, required }: Layout,
): string | undefined {
  const own = Object.keys(columns)
  const unknown = names.filter((name) => ![...own, ...REFUSED_ROW_COLUMNS].includes(name))
  if (unknown.length > 0) {
    return `it has unknown columns (${unknown.join(', ')}); known ones are ${own.join(', ')}`
  }
  const twice = names.filter((name, i) => names.indexOf(name) !== i)
  if (twice.length > 0) return `it has the column ${twice[0]} twice`
  const missing = required.filter((name) => !names.includes(name))
  return missing.length > 0 ? `it has no column ${missing.join(' and no column ')}` : undefined
}

/** Returns the values of a row without the empty ones, or a text with everything that is wrong with it. */
export function readCells(
  { columns, required }: Layout,
  header: readonly string[],
  cells: readonly string[],
): Record<string, unknown> | string {
  if (cells.length !== header.length) {
    return `the row has ${cells.length} values, the header has ${header.length}`
  }
  const values: Record<string, unknown> = {}
  const problems: string[] = []
  for (const [i, name] of header.entries()) {
    const cell = cells[i] as string
    const column = columns[name]
    if (column === undefined) continue
    if (cell === '') {
      if (required.includes(name)) problems.push(`${name}: is empty`)
      continue
    }
    const result = column.read(cell)
    if (typeof result === 'string') problems.push(`${name}: ${result}`)
    else values[name] = result.value
  }
  return problems.length > 0 ? problems.join('; ') : values
}

export const currency: Reads<string> = {
  read: (value) => (isCurrency(value) ? { value } : 'must be an ISO 4217 code like EUR'),
}
