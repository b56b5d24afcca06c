import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { flushFolder, writeDurably } from '../durable-file.ts'
import { OperatorError } from '../errors.ts'
import type { Db, Trx } from './database.ts'
import { DatabaseUnavailable } from './outage.ts'

/** A restore that has begun and is not complete. While its mark exists, only a restore may use the databases. */
export interface RestoreMark {
  /** The checksum of the backup. */
  sha256: string
  /** When the backup was made. */
  created: string
  /** Where the backup was read from. */
  file: string
  /** Whether it was given up, and what it has written is being removed. */
  isGivenUp: boolean
}

const plain = /^[\w./-]+$/
const quoted = (path: string) => (plain.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`)

export function describeMark({ created, file, isGivenUp }: RestoreMark): string {
  const what = `a restore of the backup of ${created}`
  return isGivenUp
    ? `${what} was given up here, but is not removed yet; to remove it: gatehouse restore --abandon`
    : `${what} is under way here, or was interrupted; to go on with it: gatehouse restore ` +
        `${quoted(file)}; to give it up: gatehouse restore --abandon`
}

/** The file in the data folder that marks the SQLite files beside it. It is there before the first of them. */
export const restoreMarkPath = (folder: string) => join(folder, 'restore-under-way.json')

export function readMarkFile(folder: string): RestoreMark | undefined {
  const path = restoreMarkPath(folder)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as RestoreMark) : undefined
}

export const writeMarkFile = (folder: string, mark: RestoreMark) =>
  writeDurably(restoreMarkPath(folder), `${JSON.stringify(mark, null, 2)}\n`)

export function removeMarkFile(folder: string): void {
  rmSync(restoreMarkPath(folder), { force: true })
  flushFolder(folder)
}

export function requireNoRestore(folder: string): void {
  const mark = readMarkFile(folder)
  if (mark) throw new OperatorError(describeMark(mark))
}

/** The reason why PostgreSQL can't be used. A request is refused as during an outage; a start or a command ends. */
export class RestoreUnderWay extends DatabaseUnavailable {
  override name = 'RestoreUnderWay'
}

/** The mark in PostgreSQL is a row in a schema of its own, so that it can be there before our tables, and all machines
 * see it. */
const SCHEMA = 'gatehouse_restore'
const MARK = `${SCHEMA}.mark`

/** Whether there is a mark, as an expression for a query. */
export const HAS_MARK = `to_regclass('${MARK}') is not null`
export const SELECT_MARK = `select mark from ${MARK}`

export async function readMarkRow<T>(db: Db<T>): Promise<RestoreMark | undefined> {
  const has = await sql<{ mark: boolean }>`select ${sql.raw(HAS_MARK)} as mark`.execute(db)
  if (has.rows[0]?.mark !== true) return undefined
  const { rows } = await sql<{ mark: string }>`${sql.raw(SELECT_MARK)}`.execute(db)
  return rows[0] && (JSON.parse(rows[0].mark) as RestoreMark)
}

export async function writeMarkRow<T>(trx: Trx<T>, mark: RestoreMark): Promise<void> {
  await removeMarkRow(trx)
  await sql`create schema ${sql.id(SCHEMA)}`.execute(trx)
  await sql`create table ${sql.raw(MARK)} (mark text not null)`.execute(trx)
  await sql`insert into ${sql.raw(MARK)} values (${JSON.stringify(mark)})`.execute(trx)
}

export async function removeMarkRow<T>(trx: Trx<T>): Promise<void> {
  await sql`drop schema if exists ${sql.id(SCHEMA)} cascade`.execute(trx)
}
