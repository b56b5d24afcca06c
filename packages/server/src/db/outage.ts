import { type Failure, fail } from '../errors.ts'

/** SQLite's primary result codes that we tell apart. */
export const SQLITE = {
  BUSY: 5,
  READ_ONLY: 8,
  IO_ERROR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANT_OPEN: 14,
  LOCKING: 15,
  NOT_A_DATABASE: 26,
} as const

export function sqliteCodeOf(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown } | null)?.errcode
  return typeof code === 'number' ? code & 0xff : undefined
}

/** The code of a PostgreSQL or Node error, '' where there is none. */
export function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : ''
}

/** It may be there again in a moment, or when an operator has mended the disk. */
const SQLITE_UNAVAILABLE: ReadonlySet<number> = new Set([
  SQLITE.BUSY,
  SQLITE.READ_ONLY,
  SQLITE.IO_ERROR,
  SQLITE.CANT_OPEN,
  SQLITE.LOCKING,
])

const POSTGRES_DISK_FULL = '53100'
/** The server is gone, going, coming, or has no connection left for us; or a statement, a lock or a
 * transaction took too long. */
const POSTGRES_UNAVAILABLE = /^(08|53|57|55P03|25P03|25P04)/
/** Of those, the ones after which the connection is gone. */
const POSTGRES_CUT = /^(08|57P|25P03|25P04)/
const NODE_UNAVAILABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
])
/** pg gives these no code. */
const PG_CUT =
  /^(Connection terminated|Client has encountered a connection error|Client was closed)/
const PG_TIMEOUT = /^(timeout exceeded when trying to connect|Query read timeout)/

/** What we find ourselves to be wrong with the database. */
export class DatabaseTrouble extends Error {
  override name = 'DatabaseTrouble'
}

/** The connection was lost, or its plans were, before a transaction was committed: nothing of it has happened. */
export class CutOff extends DatabaseTrouble {
  constructor(cause: unknown) {
    super(`a transaction was cut off (${reasonOf(cause)})`, { cause })
  }
}

const messageOf = (error: unknown) =>
  codeOf(error) === '' && error instanceof Error ? error.message : ''

/** PostgreSQL, or the way there, has ended the connection. */
export function isCut(error: unknown): boolean {
  const code = codeOf(error)
  return POSTGRES_CUT.test(code) || NODE_UNAVAILABLE.has(code) || PG_CUT.test(messageOf(error))
}

/** No answer has come in time. It may come yet: the connection is of no use to anybody else. */
export const isTimeout = (error: unknown): boolean => PG_TIMEOUT.test(messageOf(error))

/** The reason in one line, for a message: some have several, or none but a code. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return (message || codeOf(error)).replace(/[\p{Cc}\s]+/gu, ' ').trim()
}

/** The failure to answer with when the database, not the request, is to blame. */
export function outageOf(error: unknown): Failure | undefined {
  const sqlite = sqliteCodeOf(error)
  const code = codeOf(error)
  if (sqlite === SQLITE.FULL || code === POSTGRES_DISK_FULL) return fail('storage_full')
  if (sqlite !== undefined) {
    return SQLITE_UNAVAILABLE.has(sqlite) ? fail('database_unavailable') : undefined
  }
  const lost =
    error instanceof DatabaseTrouble ||
    POSTGRES_UNAVAILABLE.test(code) ||
    isCut(error) ||
    isTimeout(error)
  return lost ? fail('database_unavailable') : undefined
}
