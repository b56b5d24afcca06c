import type { ControlTables, Tables } from '../db/tables.ts'

/** Every table with its primary key, in an order in which no row comes before one that it names. */
type Layout<T> = { readonly [K in keyof T]: readonly (keyof T[K] & string)[] }

/** Follow from the others: a restore counts anew. */
export const DERIVED = [
  'access_counts',
  'access_watermark',
  'access_changes',
] as const satisfies readonly (keyof Tables)[]

const environment = {
  meta: ['name'],
  applications: ['aid'],
  application_keys: ['id'],
  resources: ['aid', 'rid'],
  users: ['aid', 'uid'],
  user_refs: ['aid', 'ref'],
  access: ['id'],
  access_tags: ['aid', 'tag', 'access_id'],
  sources: ['id'],
  history: ['seq'],
  outbox: ['id'],
  secrets: ['name'],
  prices: ['id'],
  subscriptions: ['id'],
  payments: ['id'],
  refunds: ['id'],
  checkouts: ['id'],
  trials: ['aid', 'rid', 'kind', 'mark'],
  reconciliation_findings: ['id'],
  test_ledger: ['id'],
  files: ['id'],
  downloads: ['id'],
  download_uses: ['link', 'number'],
  deliveries: ['id'],
  erasures: ['aid', 'uid'],
} as const satisfies Layout<Omit<Tables, (typeof DERIVED)[number]>>

const control = {
  meta: ['name'],
  aids: ['aid'],
  staff: ['id'],
  staff_sessions: ['token_digest'],
  staff_links: ['token_digest'],
  staff_passkeys: ['id'],
  staff_challenges: ['digest'],
  staff_tries: ['subject'],
  audit: ['seq'],
  refused_calls: ['id'],
  key_uses: ['key_id'],
} as const satisfies Layout<ControlTables>

/** The row of `meta` by which a database shows that it was filled from this very backup, until all of
 * them are: a restore that was stopped goes on where it was when it is run again. No backup has it. */
export const MARK = 'restored_from'

/** The table of each database that counts its rows by itself. */
export const COUNTING = { production: 'history', sandbox: 'history', control: 'audit' } as const

/** Environments first: control then knows every AID that they have. */
export const LAYOUTS = { production: environment, sandbox: environment, control } as const

export type DatabaseName = keyof typeof LAYOUTS
export const DATABASE_NAMES = Object.keys(LAYOUTS) as readonly DatabaseName[]

/** The tables of one database and their keys. */
export function tablesOf(name: DatabaseName): [table: string, key: readonly string[]][] {
  return Object.entries(LAYOUTS[name])
}
