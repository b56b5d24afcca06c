import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Tables } from '../db/tables.ts'
import { IDENTITY_ROWS } from '../domain/installation/generations.ts'

/** All tables that record what happened. Secrets are left out: they are created when they are first used. */
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
  'event_sequences',
  'events',
  'files',
  'former_addresses',
  'handled_requests',
  'history',
  'images',
  'meta',
  'notes',
  'outbox',
  'pass_entries',
  'payments',
  'prices',
  'refused_checks',
  'refunds',
  'resources',
  'sources',
  'subscriptions',
  'test_ledger',
  'trials',
  'user_refs',
  'users',
  'webhook_attempts',
  'webhook_deliveries',
  'webhook_endpoints',
  'webhook_replays',
  'webhook_secrets',
]

/** Whether a row of `meta` identifies one copy of a database. Such rows change by themselves and are not copied. */
export const isIdentityRow = (name: unknown) => IDENTITY_ROWS.some((one) => one === name)

/** Whether a row differs after a restore: the hold, the entry of the restore itself, and what identifies one copy of a
 * database. */
export const isOfRestore = (table: string, row: { name?: unknown; action?: unknown }) =>
  (table === 'audit' && row.action === 'installation.restore') ||
  (table === 'meta' && (row.name === 'hold' || isIdentityRow(row.name)))

/** Whether a row of `meta` changes although nothing has happened: also when an event only repeats what is known. */
const isPassing = (name: unknown) =>
  isIdentityRow(name) || (typeof name === 'string' && name.startsWith('provider_event_'))

/** Returns every row of an environment, to see whether anything has changed. */
export async function dumpTables(db: Db): Promise<Record<string, string[]>> {
  const dump: Record<string, string[]> = {}
  for (const table of TABLES) {
    const { rows } = await sql<{ name?: unknown }>`select * from ${sql.table(table)}`.execute(db)
    const lasting = table === 'meta' ? rows.filter(({ name }) => !isPassing(name)) : rows
    // Reading events numbers them first, which is no change of what happened.
    const unnumbered =
      table === 'events' ? lasting.map((row) => ({ ...row, position: null })) : lasting
    dump[table] = unnumbered.map((row) => JSON.stringify(row)).sort()
  }
  return dump
}
