import { createReadStream } from 'node:fs'
import { pipeline, Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { stringify } from 'csv-stringify/sync'
import { OperatorError } from '../../errors.ts'

/** Formats rows as CSV. Values are written unchanged, so that they can be read back; formulas are not escaped for
 * spreadsheets. */
export function formatCsv(rows: readonly (readonly string[])[]): string {
  return stringify(rows as string[][], { quoted_match: /[\r\n]/ })
}

export interface CsvRow {
  /** The line where the row begins, counted from 1. */
  line: number
  cells: string[]
}

/** A file with a header, whose rows can be read several times. */
export interface CsvFile {
  header: string[]
  /** Rows without the header. */
  count: number
  rows(): AsyncIterable<CsvRow>
}

type HeaderProblem = (names: readonly string[]) => string | undefined

/** Reads the whole file once, so that a file with an error anywhere changes nothing. The caller decides which column
 * names are valid. */
export async function openCsv(path: string, problemWithHeader: HeaderProblem): Promise<CsvFile> {
  return await open(path, () => textOf(path, createReadStream(path)), problemWithHeader)
}

async function open(
  name: string,
  text: () => AsyncIterable<string>,
  problemWithHeader: HeaderProblem,
): Promise<CsvFile> {
  let header: string[] | undefined
  let count = 0
  for await (const { cells } of parseText(name, text())) {
    if (header) count++
    else header = cells.map((column) => column.trim())
  }
  if (!header) throw new OperatorError(`${name} is empty`)
  const problem = problemWithHeader(header)
  if (problem) throw new OperatorError(`${name}: ${problem}`)
  return { header, count, rows: () => withoutHeader(parseText(name, text())) }
}

async function* withoutHeader(rows: AsyncIterable<CsvRow>): AsyncGenerator<CsvRow> {
  let isHeader = true
  for await (const row of rows) {
    if (!isHeader) yield row
    isHeader = false
  }
}

const MAX_ROW = 1024 * 1024

async function* parseText(name: string, text: AsyncIterable<string>): AsyncGenerator<CsvRow> {
  const parser = parse({
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW,
  })
  // A failure of either stream destroys both, and the loop below throws it.
  pipeline(Readable.from(text), parser, () => {})
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
      const breaks = record.join('').split(/\r\n|\r|\n/).length - 1
      yield { line: info.lines - breaks, cells: record }
    }
  } catch (error) {
    if (error instanceof CsvError)
      throw new OperatorError(`${name} is not valid CSV: ${error.message}`)
    throw error
  }
}

interface Parsed {
  record: string[]
  info: { lines: number }
}

/** Decodes UTF-8, with or without a byte order mark. */
async function* textOf(
  name: string,
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      throw new OperatorError(`${name} is not UTF-8 text`)
    throw new OperatorError(`${name} can't be read: ${message}`)
  }
}
