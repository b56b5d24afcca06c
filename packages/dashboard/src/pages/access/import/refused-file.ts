import type { ImportRow, SheetReading } from '@gatehouse/server/dashboard-api'
import { saveFile, toCsv } from '../../../components/lists/csv.ts'
import { texts } from '../../../texts.ts'

const words = texts.importing
const NUMBERED = /^(.*)-refused-(\d+)$/

/** `readers.csv` becomes `readers-refused-1.csv`, and that `readers-refused-2.csv`. */
export function refusedFileName(name: string): string {
  const base = name.replace(/\.[^.]{1,5}$/, '')
  const [, first = base, number = '0'] = NUMBERED.exec(base) ?? []
  return words.refusedName(first, Number(number) + 1)
}

/** The refused rows with their original columns, to be corrected and imported again. Columns that an earlier such file added
 * are replaced. A row with too few or too many cells keeps them, so that it is not accepted by mistake. */
export function refusedRows(
  { names, machine }: Pick<SheetReading, 'names' | 'machine'>,
  rows: readonly ImportRow[],
): string[][] {
  const added = machine ? words.refusedExact : words.refusedColumns
  const isKept = (_: string, i: number) => !added.some((name) => name === names[i])
  const lines = rows.map(({ row, reason = '', cells = [] }) => [
    ...[String(row), reason],
    ...cells.filter(isKept),
  ])
  return [[...added, ...names.filter(isKept)], ...lines]
}

const SEPARATORS = { comma: ',', semicolon: ';', tab: '\t' } as const

export function saveRefused(name: string, reading: SheetReading, rows: readonly ImportRow[]): void {
  const refused = rows.filter(({ outcome }) => outcome === 'refused')
  const text = toCsv(refusedRows(reading, refused), SEPARATORS[reading.delimiter])
  // Excel takes a file without the mark for Windows-1252.
  saveFile(refusedFileName(name), `\ufeff${text}`)
}
