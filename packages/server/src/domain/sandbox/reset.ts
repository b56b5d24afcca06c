import { sql } from 'kysely'
import type { Trx } from '../../db/database.ts'
import type { Seconds, Tables } from '../../db/tables.ts'
import { listApplications } from '../apps/applications.ts'
import { recordHistory } from '../history/history.ts'
import { rewindEndpoints } from '../webhooks/switch.ts'
import { returnToRealTime } from './clock.ts'

/** Referencing tables come before the tables they refer to. */
const EMPTIED = [
  'events',
  'event_sequences',
  'erasures',
  'notes',
  'notices',
  'refused_checks',
  'webhook_attempts',
  'webhook_deliveries',
  'webhook_replays',
  'handled_requests',
  'deliveries',
  'download_uses',
  'refunds',
  'provider_refs',
  'payments',
  'revenue_totals',
  'revenue_changes',
  'checkouts',
  'trials',
  'reconciliation_findings',
  'test_ledger',
  'sources',
  'access_tags',
  'subscriptions',
  'access',
  'user_refs',
  'former_addresses',
  'users',
  'outbox',
  'history',
] as const satisfies readonly (keyof Tables)[]

/** Time columns of the tables that are kept. */
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
  ['images', 'created'],
] as const satisfies readonly [keyof Tables, string][]

/** The number of applications that were reset. */
export interface ResetResult {
  applications: number
}

/** Deletes everything in the sandbox except applications, their keys and settings, resources, prices, files and images, and
 * sets its clock back to real time. Must be one transaction, because no row may be ahead of the clock. */
export async function resetSandbox(trx: Trx, now: Seconds, actor: string): Promise<ResetResult> {
  // First, so that a concurrent move of the clock either finishes before or fails.
  await returnToRealTime(trx)
  for (const table of EMPTIED) await trx.deleteFrom(table).execute()
  await rewindEndpoints(trx)
  await trx
    .updateTable('event_counters')
    .set((eb) => ({ swept: eb.ref('position') }))
    .execute()
  for (const [table, column] of KEPT_TIMES) await bringBack(trx, table, column, now)
  const applications = await listApplications(trx)
  await recordHistory(
    trx,
    applications.map(({ aid }) => ({ aid, at: now, actor, action: 'sandbox emptied' })),
  )
  return { applications: applications.length }
}

/** Rows created while the clock was ahead are dated now. */
async function bringBack(trx: Trx, table: string, column: string, now: Seconds): Promise<void> {
  const time = sql.ref(column)
  await sql`update ${sql.table(table)} set ${time} = ${now} where ${time} > ${now}`.execute(trx)
}
