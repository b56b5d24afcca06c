import { OperatorError } from '../../../errors.ts'
import { problemWithHeader } from '../columns.ts'
import type { CsvFile, CsvRow } from '../csv.ts'
import { type DateOrder, orderOf } from './dates.ts'
import { recognizeEncoding, type Source } from './encoding.ts'
import { firstRows, parseRows, readHead, recognizeDelimiter, type SheetLimits } from './rows.ts'
import type { ChosenSettings, SheetSettings } from './settings.ts'
import { completeTargets, looksLikeHeader, recognizeTargets } from './targets.ts'

/** A spreadsheet's file, and how it is understood. */
export interface Sheet {
  settings: SheetSettings
  /** Whether the file is in the exact format of an export for programs, which needs no settings. */
  isMachine: boolean
  /** The names of the columns, or their numbers without a header. */
  header: string[]
  /** The file with its rows, without the header. */
  file: CsvFile
  /** The first rows. */
  sample: readonly CsvRow[]
  /** Whether dates can be read in two ways, and nobody has said which. */
  isDateOrderUnclear: boolean
}

const SAMPLE_ROWS = 50

/** Reads a whole file and recognises how to understand it, except for what was chosen. Throws if it is no table, or as soon as
 * it exceeds the limits. */
export async function inspectSheet(
  source: Source,
  chosen: ChosenSettings,
  limits?: SheetLimits,
): Promise<Sheet> {
  const encoding = chosen.encoding ?? (await recognizeEncoding(source))
  const head = await readHead(source, encoding)
  const delimiter = chosen.delimiter ?? recognizeDelimiter(head)
  const [first, ...rest] = firstRows(head, delimiter)
  if (!first) {
    // An error at the very beginning is reported better when the whole file is read.
    for await (const _ of parseRows(source, encoding, delimiter)) break
    throw new OperatorError(`${source.name} is empty`)
  }
  const hasHeader = chosen.hasHeader ?? looksLikeHeader(first.cells)
  const sample = (hasHeader ? rest : [first, ...rest]).slice(0, SAMPLE_ROWS)
  const header = hasHeader
    ? first.cells.map((name) => name.trim())
    : first.cells.map((_, i) => `Column ${i + 1}`)
  const targets = targetsOf(header, sample, chosen.targets)
  const rows = () => contentRows(parseRows(source, encoding, delimiter, limits), hasHeader)
  const untilColumn = targets.indexOf('until')
  const { count, order } = await countRows(rows(), untilColumn)
  const dateOrder = chosen.dateOrder ?? (order === 'either' ? undefined : order)
  return {
    settings: {
      ...{ encoding, delimiter, hasHeader, targets, dateOrder },
      ...{ rid: chosen.rid, until: chosen.until },
    },
    isMachine: hasHeader && isMachineFile(header, sample),
    header,
    file: { header, count, rows },
    sample,
    isDateOrderUnclear: order === 'either' && dateOrder === undefined,
  }
}

function targetsOf(
  header: readonly string[],
  sample: readonly CsvRow[],
  chosen: SheetSettings['targets'] | undefined,
): SheetSettings['targets'] {
  if (chosen !== undefined && chosen.length === header.length) return chosen
  const cells = sample.map((row) => row.cells)
  return completeTargets(recognizeTargets(header), cells)
}

async function* contentRows(rows: AsyncIterable<CsvRow>, hasHeader: boolean) {
  let isHeader = hasHeader
  for await (const row of rows) {
    if (!isHeader) yield row
    isHeader = false
  }
}

/** Counts the rows, and finds out in which order their dates are written: one 31/12 decides for all. */
async function countRows(
  rows: AsyncIterable<CsvRow>,
  untilColumn: number,
): Promise<{ count: number; order: DateOrder | 'either' | undefined }> {
  let count = 0
  const found = new Set<DateOrder | 'either' | undefined>()
  for await (const { cells } of rows) {
    count++
    if (untilColumn >= 0) found.add(orderOf(cells[untilColumn] ?? ''))
  }
  // A file that has both has no order that fits, so somebody must choose which rows are wrong.
  if (found.has('dmy') && found.has('mdy')) return { count, order: 'either' }
  const order = found.has('dmy') ? 'dmy' : found.has('mdy') ? 'mdy' : undefined
  return { count, order: order ?? (found.has('either') ? 'either' : undefined) }
}

/** A file of exact values has only the columns of an export, and ends in seconds. */
function isMachineFile(header: readonly string[], sample: readonly CsvRow[]): boolean {
  if (problemWithHeader(header) !== undefined) return false
  const column = header.indexOf('expires')
  return column < 0 || sample.every(({ cells }) => /^\d*$/.test(cells[column] ?? ''))
}
