import { fail, invalidAll, type ParameterProblem } from '../../errors.ts'
import { type Field, problems } from '../../fields.ts'

export type CellReader<T> = Pick<Field<T>, 'read'>

/** The columns that a file may have, how each is parsed, and which are required. */
export interface Layout {
  columns: Readonly<Record<string, CellReader<unknown>>>
  required: readonly string[]
}

/** Extra columns in a file of refused rows; an import ignores them. */
export const REFUSED_ROW_COLUMNS = ['line', 'reason'] as const

/** Describes the problem with the column names; undefined if there is none. */
export function problemWithNames(
  names: readonly string[],
  { columns, required }: Layout,
): string | undefined {
  const own = Object.keys(columns)
  const unknown = names.filter((name) => ![...own, ...REFUSED_ROW_COLUMNS].includes(name))
  if (unknown.length > 0) {
    return `unknown columns: ${unknown.join(', ')}; known columns are ${own.join(', ')}`
  }
  const twice = names.filter((name, i) => names.indexOf(name) !== i)
  if (twice.length > 0) return `the column ${twice[0]} appears twice`
  const missing = required.filter((name) => !names.includes(name))
  return missing.length > 0 ? `missing columns: ${missing.join(', ')}` : undefined
}

/** Returns the values of a row without the empty ones. Throws everything that is wrong with it. */
export function readCells(
  { columns, required }: Layout,
  header: readonly string[],
  cells: readonly string[],
): Record<string, unknown> {
  if (cells.length !== header.length) {
    throw fail(
      'invalid_parameter',
      `The row has ${cells.length} values, but the header has ${header.length}.`,
    )
  }
  const values: Record<string, unknown> = {}
  const wrong: ParameterProblem[] = []
  for (const [i, name] of header.entries()) {
    const cell = cells[i] as string
    const column = columns[name]
    if (column === undefined) continue
    if (cell === '') {
      if (required.includes(name)) wrong.push({ parameter: name, problem: problems.empty })
      continue
    }
    const result = column.read(cell)
    if (typeof result === 'string') wrong.push({ parameter: name, problem: result })
    else values[name] = result.value
  }
  const [first, ...rest] = wrong
  if (first) throw invalidAll([first, ...rest])
  return values
}
