import { type Failure, fail } from '../errors.ts'

/** The primary result codes of SQLite that we handle differently. */
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

/** The code of a PostgreSQL or Node error; '' if it has none. */
export function errorCodeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : ''
}

/** The database may be back in a moment, or once an operator has fixed the disk. */
const SQLITE_UNAVAILABLE: ReadonlySet<number> = new Set([
  SQLITE.BUSY,
  SQLITE.READ_ONLY,
  SQLITE.IO_ERROR,
  SQLITE.CANT_OPEN,
  SQLITE.LOCKING,
])

export const POSTGRES_DISK_FULL = '53100'
/** The server is down, starting, stopping or out of connections; or a statement, a lock or a transaction timed
 * out. */
const POSTGRES_UNAVAILABLE = /^(08|53|57|55P03|25P03|25P04)/
/** The subset of these codes after which the connection is closed. */
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
/** Error messages of `pg`, for errors that have no code. */
const PG_CUT =
  /^(Connection terminated|Client has encountered a connection error|Client was closed)/
const PG_TIMEOUT = /^(timeout exceeded when trying to connect|Query read timeout)/

/** A problem with the database that our own checks found. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'
}

/** The connection, or a cached plan, was lost before the commit was sent: the transaction had no effect. */
export class TransactionLost extends DatabaseUnavailable {
  constructor(cause: unknown) {
    super(`a transaction was cut off (${errorReasonOf(cause)})`, { cause })
  }
}

const messageOf = (error: unknown) =>
  errorCodeOf(error) === '' && error instanceof Error ? error.message : ''

/** Whether PostgreSQL, or the network, has closed the connection. */
export function isTransactionLost(error: unknown): boolean {
  const code = errorCodeOf(error)
  return POSTGRES_CUT.test(code) || NODE_UNAVAILABLE.has(code) || PG_CUT.test(messageOf(error))
}

/** Whether no response came in time. It may still arrive, so the connection can't be reused. */
export const isTimeout = (error: unknown): boolean => PG_TIMEOUT.test(messageOf(error))

/** The reason as one line, for a message. Some errors have several lines, some only a code. */
export function errorReasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return (message || errorCodeOf(error)).replace(/[\p{Cc}\s]+/gu, ' ').trim()
}

/** The failure to respond with if the database, not the request, is to blame; undefined otherwise. */
export function toOutageFailure(error: unknown): Failure | undefined {
  const sqlite = sqliteCodeOf(error)
  const code = errorCodeOf(error)
  if (sqlite === SQLITE.FULL || code === POSTGRES_DISK_FULL) return fail('storage_full')
  if (sqlite !== undefined) {
    return SQLITE_UNAVAILABLE.has(sqlite) ? fail('database_unavailable') : undefined
  }
  const lost =
    error instanceof DatabaseUnavailable ||
    POSTGRES_UNAVAILABLE.test(code) ||
    isTransactionLost(error) ||
    isTimeout(error)
  return lost ? fail('database_unavailable') : undefined
}
