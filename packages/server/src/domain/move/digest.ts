import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { type AnyTables, anyDatabase, type Databases } from '../backup/databases.ts'
import { pagesOf, type Row } from '../backup/pages.ts'
import { DATABASE_NAMES, type Table, tablesOf } from '../backup/tables.ts'

/** The number of rows of a table, and a checksum over all of them in key order. */
export interface Digest {
  rows: number
  sha256: string
}

/** Digests by `database.table`. */
export type Digests = Record<string, Digest>

export const nameOf = ({ database, table }: Table) => `${database}.${table}`

/** Serializes rows. Both engines return the columns in the order of their creation, so equal rows give equal text. */
export const textOf = (rows: readonly Row[]) => JSON.stringify(rows)

export function createDigest() {
  const hash = createHash('sha256')
  let rows = 0
  return {
    /** Adds a page together with its text. */
    add(page: readonly Row[], text: string) {
      hash.update(text)
      rows += page.length
    },
    end: (): Digest => ({ rows, sha256: hash.digest('hex') }),
  }
}

/** Whether to leave a row out of the comparison. */
export type Ignored = (table: Table, row: Row) => boolean

async function digestTable(
  db: Db<AnyTables>,
  table: Table,
  onRows: (count: number) => void,
  isIgnored: Ignored,
): Promise<Digest> {
  const digest = createDigest()
  for await (const page of pagesOf(db, table)) {
    const rows = page.filter((row) => !isIgnored(table, row))
    if (rows.length > 0) digest.add(rows, textOf(rows))
    onRows(page.length)
  }
  return digest.end()
}

/** Computes the digests of all tables by reading every row. */
export async function digestAll(
  side: Databases,
  onRows: (count: number) => void,
  isIgnored: Ignored = () => false,
): Promise<Digests> {
  const digests: Digests = {}
  for (const name of DATABASE_NAMES) {
    await anyDatabase(side, name).snapshot(async (db) => {
      for (const table of tablesOf(name))
        digests[nameOf(table)] = await digestTable(db, table, onRows, isIgnored)
    })
  }
  return digests
}

/** Lists the tables that differ between the two sides. */
export function differencesOf(one: Digests, other: Digests): string[] {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  return names.filter(
    (name) => one[name]?.rows !== other[name]?.rows || one[name]?.sha256 !== other[name]?.sha256,
  )
}

export async function countRows(side: Databases): Promise<number> {
  let total = 0
  for (const name of DATABASE_NAMES) {
    await anyDatabase(side, name).snapshot(async (db) => {
      for (const { table } of tablesOf(name)) {
        const { rows } = await sql<{
          n: number
        }>`select count(*) as n from ${sql.table(table)}`.execute(db)
        total += rows[0]?.n ?? 0
      }
    })
  }
  return total
}
