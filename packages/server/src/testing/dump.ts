import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Tables } from '../db/tables.ts'
import { IDENTITY_ROWS } from '../installation/generations.ts'

/** All that holds what happened; not the secrets, which are made when they are first used. */
export const TABLES: readonly (keyof Tables)[] = [
  'access',
  'access_tags',
  'application_keys',
  'applications',
  'checkouts',
  'deliveries',
  'download_uses',
  'downloads',
  'erasures',
  'files',
  'history',
  'meta',
  'outbox',
  'payments',
  'prices',
  'refunds',
  'resources',
  'sources',
  'subscriptions',
  'test_ledger',
  'trials',
  'user_refs',
  'users',
]

/** Rows of `meta` that are counted up now and then, and are not carried over. */
export const isOfOneLife = (name: unknown) => IDENTITY_ROWS.some((one) => one === name)

/** Every row of an environment, to see that nothing has changed, or what has. */
export async function dumpTables(db: Db): Promise<Record<string, string[]>> {
  const dump: Record<string, string[]> = {}
  for (const table of TABLES) {
    const { rows } = await sql<{ name?: unknown }>`select * from ${sql.table(table)}`.execute(db)
    const lasting = table === 'meta' ? rows.filter(({ name }) => !isOfOneLife(name)) : rows
    dump[table] = lasting.map((row) => JSON.stringify(row)).sort()
  }
  return dump
}
