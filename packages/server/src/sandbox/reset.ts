import { sql } from 'kysely'
import { listApplications } from '../apps/applications.ts'
import type { Trx } from '../db/database.ts'
import type { Seconds, Tables } from '../db/tables.ts'
import { recordHistory } from '../history/history.ts'
import { returnToRealTime } from './clock.ts'

/** No table before one that refers to it. */
const EMPTIED = [
  'erasures',
  'deliveries',
  'download_uses',
  'refunds',
  'payments',
  'checkouts',
  'trials',
  'reconciliation_findings',
  'test_ledger',
  'sources',
  'access_tags',
  'subscriptions',
  'access',
  'user_refs',
  'users',
  'outbox',
  'history',
] as const satisfies readonly (keyof Tables)[]

/** Times of what stays. */
const KEPT_TIMES = [
  ['applications', 'created'],
  ['applications', 'archived'],
  ['resources', 'created'],
  ['resources', 'archived'],
  ['prices', 'created'],
  ['prices', 'archived'],
  ['downloads', 'filed'],
  ['downloads', 'created'],
  ['downloads', 'modified'],
  ['downloads', 'published'],
] as const satisfies readonly [keyof Tables, string][]

/** How many applications are as they were before anybody came. */
export interface Reset {
  applications: number
}

/**
 * Empties the sandbox but for applications, their keys and settings, resources, prices and files, and
 * turns its clock back to real time. All or nothing: a row must never be from the future.
 */
export async function resetSandbox(trx: Trx, now: Seconds, actor: string): Promise<Reset> {
  // First: whoever is moving the clock is waited for, and then finds it moved.
  await returnToRealTime(trx)
  for (const table of EMPTIED) await trx.deleteFrom(table).execute()
  for (const [table, column] of KEPT_TIMES) await bringBack(trx, table, column, now)
  const applications = await listApplications(trx)
  await recordHistory(
    trx,
    applications.map(({ aid }) => ({ aid, at: now, actor, action: 'sandbox emptied' })),
  )
  return { applications: applications.length }
}

/** What was made while the clock was ahead was made just now. */
async function bringBack(trx: Trx, table: string, column: string, now: Seconds): Promise<void> {
  const time = sql.ref(column)
  await sql`update ${sql.table(table)} set ${time} = ${now} where ${time} > ${now}`.execute(trx)
}
