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
/** The server is gone, going, coming, or has no connection left for us; or a statement took too long. */
const POSTGRES_UNAVAILABLE = /^(08|53|57)/
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
const PG_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/

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
    POSTGRES_UNAVAILABLE.test(code) ||
    NODE_UNAVAILABLE.has(code) ||
    (code === '' && error instanceof Error && PG_MESSAGES.test(error.message))
  return lost ? fail('database_unavailable') : undefined
}
