import type { ControlTables, Tables } from '../../db/tables.ts'

/** Every table with its primary key, ordered so that rows come after the rows that they refer to. */
type Layout<T> = { readonly [K in keyof T]: readonly (keyof T[K] & string)[] }

/** Derived from other tables: a restore computes them again. */
export const DERIVED_TABLES = [
  'access_counts',
  'access_watermarks',
  'access_changes',
  'revenue_totals',
  'revenue_changes',
] as const satisfies readonly (keyof Tables)[]

const environment = {
  meta: ['name'],
  applications: ['aid'],
  application_keys: ['aid', 'id'],
  resources: ['aid', 'rid'],
  users: ['aid', 'uid'],
  user_refs: ['aid', 'ref'],
  former_addresses: ['aid', 'email_key'],
  access: ['aid', 'id'],
  access_tags: ['aid', 'tag', 'access_id'],
  sources: ['aid', 'id'],
  history: ['aid', 'seq', 'tie_breaker'],
  outbox: ['aid', 'id'],
  secrets: ['name'],
  link_keys: ['version'],
  prices: ['aid', 'id'],
  subscriptions: ['aid', 'id'],
  payments: ['aid', 'id'],
  provider_refs: ['provider', 'ref'],
  provider_calls: ['day'],
  refunds: ['aid', 'id'],
  checkouts: ['aid', 'id'],
  trials: ['aid', 'rid', 'kind', 'mark'],
  reconciliation_findings: ['id'],
  test_ledger: ['id'],
  files: ['aid', 'id'],
  downloads: ['aid', 'id'],
  images: ['aid', 'id'],
  download_uses: ['aid', 'link', 'number'],
  deliveries: ['aid', 'id'],
  erasures: ['aid', 'uid'],
  notes: ['aid', 'id'],
  pass_entries: ['aid', 'size', 'value', 'pass'],
  notices: ['aid', 'id'],
  refused_checks: ['aid', 'uid', 'rid', 'code'],
  webhook_endpoints: ['aid', 'id'],
  webhook_secrets: ['aid', 'id'],
  webhook_replays: ['aid', 'id'],
  webhook_deliveries: ['aid', 'endpoint', 'event_id'],
  webhook_attempts: ['aid', 'endpoint', 'event_id', 'number'],
  events: ['aid', 'id'],
  event_counters: ['aid'],
  event_sequences: ['aid', 'uid'],
  handled_requests: ['aid', 'digest'],
} as const satisfies Layout<Omit<Tables, (typeof DERIVED_TABLES)[number]>>

const control = {
  meta: ['name'],
  aids: ['aid'],
  application_pairs: ['production_aid'],
  staff: ['id'],
  staff_sessions: ['token_digest'],
  staff_links: ['token_digest'],
  staff_passkeys: ['id'],
  staff_challenges: ['digest'],
  staff_tries: ['subject'],
  audit: ['seq'],
  refused_calls: ['id'],
  key_uses: ['key_id'],
  saved_views: ['id'],
  staff_mails: ['id'],
  staff_notifications: ['staff_id', 'aid', 'kind'],
  staff_digests: ['aid'],
  management_tokens: ['id'],
} as const satisfies Layout<ControlTables>

/** The row of `meta` that names the backup a database was filled from. It exists until all databases are filled, so
 * that an interrupted restore can continue. Backups never contain it. */
export const RESTORE_MARKER = 'restored_from'

/** The environments come first, so that `control` knows every AID in them. */
export const LAYOUTS = { production: environment, sandbox: environment, control } as const

export type DatabaseName = keyof typeof LAYOUTS
export const DATABASE_NAMES = Object.keys(LAYOUTS) as readonly DatabaseName[]

/** A table of a backup, and the columns of its primary key. */
export interface Table {
  database: DatabaseName
  table: string
  key: readonly string[]
}

/** Lists the tables of one database, each after those that its rows refer to. */
export const tablesOf = (database: DatabaseName): Table[] =>
  Object.entries(LAYOUTS[database]).map(([table, key]) => ({ database, table, key }))
