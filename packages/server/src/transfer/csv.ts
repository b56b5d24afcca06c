import { createReadStream } from 'node:fs'
import { pipeline, Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { stringify } from 'csv-stringify/sync'
import { Stop } from '../errors.ts'

/** Rows as CSV. Values stand as they are, so that they can be read back; nothing is disarmed for
 * spreadsheets. */
export function csvOf(rows: readonly (readonly string[])[]): string {
  return stringify(rows as string[][], { quoted_match: /[\r\n]/ })
}

export interface CsvRow {
  /** Where it begins, counted from 1. */
  line: number
  cells: string[]
}

/** A CSV file with a header, which can be gone through several times. */
export interface CsvFile {
  path: string
  header: string[]
  /** Rows without the header. */
  count: number
  rows(): AsyncIterable<CsvRow>
}

/** Goes through the whole file once: one that can't be read to its end changes nothing. The names of its
 * columns are for the caller to judge. */
export async function openCsv(
  path: string,
  problemWithHeader: (names: readonly string[]) => string | undefined,
): Promise<CsvFile> {
  let header: string[] | undefined
  let count = 0
  for await (const { cells } of parseFile(path)) {
    if (header) count++
    else header = cells.map((name) => name.trim())
  }
  if (!header) throw new Stop(`${path} is empty`)
  const problem = problemWithHeader(header)
  if (problem) throw new Stop(`${path}: ${problem}`)
  return { path, header, count, rows: () => withoutHeader(parseFile(path)) }
}

async function* withoutHeader(rows: AsyncIterable<CsvRow>): AsyncGenerator<CsvRow> {
  let isHeader = true
  for await (const row of rows) {
    if (!isHeader) yield row
    isHeader = false
  }
}

const LONGEST_ROW = 1024 * 1024

async function* parseFile(path: string): AsyncGenerator<CsvRow> {
  const parser = parse({
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: LONGEST_ROW,
  })
  // A failure of either ends both, and the loop below is told.
  pipeline(Readable.from(textOf(path)), parser, () => {})
  try {
    for await (const { record, info } of parser as AsyncIterable<Parsed>) {
      const breaks = record.join('').split(/\r\n|\r|\n/).length - 1
      yield { line: info.lines - breaks, cells: record }
    }
  } catch (error) {
    if (error instanceof CsvError) throw new Stop(`${path} is no CSV: ${error.message}`)
    throw error
  }
}

interface Parsed {
  record: string[]
  info: { lines: number }
}

/** UTF-8, with or without a byte order mark. */
async function* textOf(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of createReadStream(path)) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') throw new Stop(`${path} is not UTF-8 text`)
    throw new Stop(`${path} can't be read: ${message}`)
  }
}
