import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { OperatorError } from '../../errors.ts'
import { DATABASE_NAMES, type DatabaseName } from './tables.ts'

/**
 * A backup is gzipped lines of JSON: a header; for each table, an object with its name and columns, then its rows, one
 * array per line; and a footer with the counts and a SHA-256 over all lines before it.
 */
export const BACKUP_FORMAT = 'gatehouse-backup'
export const BACKUP_VERSION = 1

export type Value = string | number | null

export interface Header {
  format: typeof BACKUP_FORMAT
  version: number
  /** ISO 8601. */
  created: string
  /** The names of the migrations that were applied to each database. */
  migrations: Record<DatabaseName, string[]>
}

export interface Section {
  database: DatabaseName
  table: string
  columns: string[]
}

/** The number of rows by `database.table`. */
export type Counts = Record<string, number>

export interface Footer {
  rows: Counts
  sha256: string
}

export const toJsonLine = (value: unknown): string => `${JSON.stringify(value)}\n`

export type Entry =
  | { kind: 'header'; header: Header }
  | { kind: 'row'; section: Section; values: Value[] }
  | { kind: 'footer'; footer: Footer }

/** Reads a backup and throws at the first sign that it is incomplete or changed. The entries can't be trusted until the
 * footer has arrived. */
export async function* readBackup(path: string): AsyncGenerator<Entry> {
  const hash = createHash('sha256')
  const counts: Counts = {}
  let section: Section | undefined
  let state: 'start' | 'rows' | 'end' = 'start'
  for await (const line of linesOf(path)) {
    if (state === 'end') throw damaged(path, 'it has data after its end')
    const value = parseLine(path, line)
    if (state === 'start') {
      yield { kind: 'header', header: requireHeader(path, value) }
      state = 'rows'
    } else if (Array.isArray(value)) {
      if (section?.columns.length !== value.length)
        throw damaged(path, 'a row does not match its table')
      const name = `${section.database}.${section.table}`
      counts[name] = (counts[name] ?? 0) + 1
      yield { kind: 'row', section, values: value as Value[] }
    } else if (isFooter(value)) {
      if (value.sha256 !== hash.digest('hex')) throw damaged(path, 'its checksum is wrong')
      if (!sameCounts(value.rows, counts)) throw damaged(path, 'rows are missing')
      yield { kind: 'footer', footer: value }
      state = 'end'
    } else section = requireSection(path, value)
    if (state === 'rows') hash.update(`${line}\n`)
  }
  if (state !== 'end') throw damaged(path, 'its end is missing')
}

export const damaged = (path: string, why: string) =>
  new OperatorError(`${path} is damaged or incomplete: ${why}; nothing was restored`)

function parseLine(path: string, line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    throw damaged(path, 'a line is not JSON')
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function requireHeader(path: string, value: unknown): Header {
  if (!isObject(value) || value.format !== BACKUP_FORMAT) {
    throw new OperatorError(`${path} is not a Gatehouse backup`)
  }
  if (value.version !== BACKUP_VERSION) {
    throw new OperatorError(
      `${path} is a backup of format ${value.version}; this version of Gatehouse reads only format ${BACKUP_VERSION}`,
    )
  }
  return value as unknown as Header
}

/** Which tables and columns exist depends on the version that made the backup, so the restore checks their names. */
function requireSection(path: string, value: unknown): Section {
  const isSection =
    isObject(value) &&
    DATABASE_NAMES.includes(value.database as DatabaseName) &&
    typeof value.table === 'string' &&
    Array.isArray(value.columns)
  if (!isSection) throw damaged(path, 'it has an unknown table')
  return value as unknown as Section
}

const isFooter = (value: unknown): value is Footer =>
  isObject(value) && typeof value.sha256 === 'string' && isObject(value.rows)

function sameCounts(told: Counts, found: Counts): boolean {
  const names = new Set([...Object.keys(told), ...Object.keys(found)])
  return [...names].every((name) => (told[name] ?? 0) === (found[name] ?? 0))
}

async function* linesOf(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const unzipped = createGunzip()
  // A failure of either stream destroys both, and the loop below throws it.
  pipeline(createReadStream(path), unzipped, () => {})
  let rest = ''
  try {
    for await (const chunk of unzipped) {
      const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = parts.pop() ?? ''
      yield* parts
    }
  } catch (error) {
    throw unreadable(path, error)
  }
  if (rest !== '') throw damaged(path, 'it ends in the middle of a line')
}

function unreadable(path: string, error: unknown): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException
  if (code.startsWith('Z_')) return damaged(path, `gzip says: ${message}`)
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return damaged(path, 'it is not UTF-8')
  return /^E[A-Z]+$/.test(code) ? new OperatorError(`${path} can't be read: ${message}`) : error
}
