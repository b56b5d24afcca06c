import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { type AnyTables, anyDatabase, type Databases } from '../backup/databases.ts'
import { pagesOf, type Row, type Table, tablesIn } from '../backup/pages.ts'
import { DATABASE_NAMES } from '../backup/tables.ts'
import type { Db } from '../db/database.ts'

/** How many rows a table has, and a checksum over every byte of them, in the order of the key. */
export interface Digest {
  rows: number
  sha256: string
}

/** By `database.table`. */
export type Digests = Record<string, Digest>

export const nameOf = ({ database, table }: Table) => `${database}.${table}`

/** Both engines hand out a row with its columns in the order in which they were made. */
export const textOf = (rows: readonly Row[]) => JSON.stringify(rows)

export function createDigest() {
  const hash = createHash('sha256')
  let rows = 0
  return {
    /** A page, and its text. */
    add(page: readonly Row[], text: string) {
      hash.update(text)
      rows += page.length
    },
    end: (): Digest => ({ rows, sha256: hash.digest('hex') }),
  }
}

/** Whether a row is left out of a comparison. */
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

/** Reads everything back. */
export async function digestAll(
  side: Databases,
  onRows: (count: number) => void,
  isIgnored: Ignored = () => false,
): Promise<Digests> {
  const digests: Digests = {}
  for (const name of DATABASE_NAMES) {
    await anyDatabase(side, name).snapshot(async (db) => {
      for (const table of tablesIn(name))
        digests[nameOf(table)] = await digestTable(db, table, onRows, isIgnored)
    })
  }
  return digests
}

/** The tables that are not the same on both sides. */
export function differencesOf(one: Digests, other: Digests): string[] {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  return names.filter(
    (name) => one[name]?.rows !== other[name]?.rows || one[name]?.sha256 !== other[name]?.sha256,
  )
}

/** How many rows there are on one side. */
export async function countRows(side: Databases): Promise<number> {
  let total = 0
  for (const name of DATABASE_NAMES) {
    await anyDatabase(side, name).snapshot(async (db) => {
      for (const { table } of tablesIn(name)) {
        const { rows } = await sql<{
          n: number
        }>`select count(*) as n from ${sql.table(table)}`.execute(db)
        total += rows[0]?.n ?? 0
      }
    })
  }
  return total
}
