import { pipeline, Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { parse as parseText } from 'csv-parse/sync'
import { OperatorError } from '../../../errors.ts'
import { sheetTurns } from '../../../event-loop.ts'
import { problemWithHeader } from '../columns.ts'
import type { CsvRow } from '../csv.ts'
import { decodeLeniently, decodeText, type Encoding, type Source } from './encoding.ts'

export const DELIMITERS = { comma: ',', semicolon: ';', tab: '\t' } as const
export type Delimiter = keyof typeof DELIMITERS

/** Spreadsheets write this first line to say which delimiter follows. */
const SEPARATOR_LINE = /^sep=([,;\t])$/i

/** In bytes. */
export const MAX_ROW = 1024 * 1024

const optionsFor = (delimiter: Delimiter) => ({
  delimiter: DELIMITERS[delimiter],
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  relax_quotes: true,
  max_record_size: MAX_ROW,
})

const isContent = (line: number, cells: readonly string[], delimiter: Delimiter): boolean =>
  cells.some((cell) => cell.trim() !== '') &&
  !(line === 1 && SEPARATOR_LINE.test(cells.join(DELIMITERS[delimiter])))

/** How large a table may be. */
export interface SheetLimits {
  /** Rows with content. */
  rows: number
  /** All rows, empty ones included. */
  lines: number
}

const MAX_COLUMNS = 1_000
/** More characters than a spreadsheet can have in a cell. */
export const MAX_CELL = 32_768
/** A cell of an export for programs may list a thousand names of a person. */
export const MAX_LIST_CELL = 300_000

/** Measures each row before anything else looks at its cells. Returns what is wrong, as a phrase that follows the name of the
 * row. */
function createRowMeasure(): (cells: readonly string[]) => string | undefined {
  let maxCell: number | undefined
  return (cells) => {
    if (cells.length > MAX_COLUMNS) return `has more than ${MAX_COLUMNS.toLocaleString('en')} cells`
    maxCell ??= problemWithHeader(cells) === undefined ? MAX_LIST_CELL : MAX_CELL
    if (!cells.some(({ length }) => length > (maxCell as number))) return undefined
    return `has a cell of more than ${maxCell.toLocaleString('en')} characters`
  }
}

/** Parses the rows of a spreadsheet's file, and leaves turns of the event loop to others meanwhile. Rows are counted like in a
 * spreadsheet: from 1, empty ones included, whatever line breaks their cells have. Empty rows are left out. */
export async function* parseRows(
  source: Source,
  encoding: Encoding,
  delimiter: Delimiter,
  limits?: SheetLimits,
): AsyncGenerator<CsvRow> {
  const parser = parse(optionsFor(delimiter))
  // A failure of either stream destroys both, and the loop below throws it.
  pipeline(Readable.from(inPieces(decodeText(source, encoding))), parser, () => {})
  const problemWith = createRowMeasure()
  let line = 0
  let rows = 0
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      await sheetTurns.take()
      line++
      const problem = problemWith(cells)
      if (problem) throw new OperatorError(`row ${line} of ${source.name} ${problem}`)
      const hasContent = isContent(line, cells, delimiter)
      if (hasContent) rows++
      if (limits) requireWithin(limits, rows, line)
      if (hasContent) yield { line, cells }
    }
  } catch (error) {
    if (error instanceof CsvError) throw new OperatorError(describe(source.name, error))
    throw error
  }
}

function requireWithin(limits: SheetLimits, rows: number, lines: number): void {
  const more = 'Import larger files with: gatehouse access import.'
  if (rows > limits.rows) {
    throw new OperatorError(`more than ${limits.rows.toLocaleString('en')} rows. ${more}`)
  }
  if (lines > limits.lines) {
    throw new OperatorError(`more than ${limits.lines.toLocaleString('en')} lines. ${more}`)
  }
}

/** A piece of text can have a row for each of its characters, and the parser makes all rows of a piece at once. */
const PIECE = 2_048

async function* inPieces(text: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const part of text) {
    for (let at = 0; at < part.length; at += PIECE) yield part.slice(at, at + PIECE)
  }
}

function describe(name: string, error: CsvError): string {
  const line = Number(error.records ?? 0) + 1
  if (error.code === 'CSV_QUOTE_NOT_CLOSED')
    return `${name} has a quotation mark in row ${line} that is never closed`
  if (error.code === 'CSV_MAX_RECORD_SIZE') return `row ${line} of ${name} is longer than 1 MiB`
  return `${name} can't be read as CSV at row ${line}: ${error.message}`
}

/** It is parsed at once, and more than once. */
export const HEAD_BYTES = 16 * 1024
const HEAD_ROWS = 50

/** The text at the beginning of a file, up to the end of a line if the file goes on. */
export async function readHead(source: Source, encoding: Encoding): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of source.bytes()) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= HEAD_BYTES) break
  }
  const text = decodeLeniently(Buffer.concat(chunks).subarray(0, HEAD_BYTES), encoding)
  if (size < HEAD_BYTES) return text
  const end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1
  return end === 0 ? text : text.slice(0, end)
}

/** The first rows of the text. What is wrong after them is left for the real reading. */
export function firstRows(head: string, delimiter: Delimiter): CsvRow[] {
  const rows: CsvRow[] = []
  const problemWith = createRowMeasure()
  let line = 0
  const collect = (cells: string[]) => {
    line++
    if (problemWith(cells) === undefined && isContent(line, cells, delimiter))
      rows.push({ line, cells })
    return null
  }
  try {
    parseText(head, { ...optionsFor(delimiter), to: HEAD_ROWS, on_record: collect })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
  }
  return rows
}

/** Recognises the delimiter: the one that splits most of the first rows into the same number of cells, and into the most. */
export function recognizeDelimiter(head: string): Delimiter {
  const named = SEPARATOR_LINE.exec(head.split(/[\r\n]/, 1)[0] ?? '')?.[1]
  const names = Object.keys(DELIMITERS) as Delimiter[]
  const stated = names.find((name) => DELIMITERS[name] === named)
  if (stated) return stated
  let best: { delimiter: Delimiter; score: number } = { delimiter: 'comma', score: 0 }
  for (const delimiter of names) {
    const widths = firstRows(head, delimiter).map(({ cells }) => cells.length)
    const [width = 1] = widths
    const same = widths.filter((one) => one === width).length
    const score = width < 2 ? 0 : (same / widths.length) * 1000 + width
    if (score > best.score) best = { delimiter, score }
  }
  return best.delimiter
}
