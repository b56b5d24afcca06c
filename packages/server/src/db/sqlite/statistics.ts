import { sql } from 'kysely'
import type { Trx } from '../database.ts'

// Every index begins with the application. SQLite, if it knows nothing about the data, expects ten rows of each: reading all
// of them seems as good as looking for one reader, and better if they are in the right order already. So it is told what a
// large installation looks like. These figures are the same for everybody, and so are the plans.

const ROWS = 1_000_000

/** Tables that don't grow with the number of readers. */
const SMALL: Record<string, number> = {
  ...{ applications: 10, application_keys: 10, access_watermarks: 10, event_counters: 10 },
  ...{
    webhook_endpoints: 10,
    webhook_secrets: 10,
    webhook_replays: 10,
    reconciliation_findings: 100,
    provider_calls: 100,
  },
  ...{
    resources: 1_000,
    prices: 1_000,
    images: 1_000,
    files: 1_000,
    downloads: 1_000,
    notices: 1_000,
  },
  ...{ access_counts: 1_000, access_changes: 1_000, erasures: 1_000, revenue_changes: 1_000 },
  ...{ pass_entries: 10_000, revenue_totals: 10_000 },
}

/** How many rows of an application have the same value in a column. In columns that aren't named it is `USUALLY_ALIKE`. */
const ALIKE: Record<string, number> = {
  ...{ provider: 300_000, purpose: 300_000, currency: 200_000, period: 200_000, priority: 200_000 },
  ...{ rid: 100_000, status: 100_000, kind: 100_000, state: 100_000, action: 50_000 },
  ...{ endpoint: 10_000, amount: 10_000, tag: 1_000, first_name: 1_000, last_name: 100, ends: 100 },
  ...{ created: 20, at: 20, due: 20, expires: 20 },
}
const USUALLY_ALIKE = 4

/** Indexes of work that waits, and of the little that went wrong, have few of the rows. */
const FEW_SHARE = 0.01
const FEW = new Set([
  ...['payments_due', 'payments_disputed', 'payments_lost', 'payments_flagged', 'refunds_due'],
  ...[
    'checkouts_due',
    'checkouts_closing',
    'subscriptions_past_due',
    'outbox_due',
    'outbox_given_up',
  ],
  ...['webhook_deliveries_order', 'webhook_deliveries_due', 'webhook_replays_open'],
  ...['access_counts_empty', 'files_dropped'],
])

interface IndexColumn {
  table_name: string
  index_name: string
  is_unique: number
  is_key: number
  column_name: string | null
}

/** Lists the columns of all indexes, in order. */
async function listIndexColumns<T>(trx: Trx<T>): Promise<IndexColumn[]> {
  const { rows } = await sql<IndexColumn>`
    select t.name as table_name, l.name as index_name, l."unique" as is_unique,
      l.origin = 'pk' and t.sql like '%without rowid%' as is_key, c.name as column_name
    from sqlite_schema t, pragma_index_list(t.name) l, pragma_index_info(l.name) c
    where t.type = 'table' and t.name not like 'sqlite^_%' escape '^'
    order by t.name, l.name, c.seqno`.execute(trx)
  return rows
}

/** The number of rows, and of rows that are alike in the first column, in the first two, and so on. */
function describeIndex(columns: readonly IndexColumn[]): string {
  const [first] = columns as [IndexColumn]
  const rows = (SMALL[first.table_name] ?? ROWS) * (FEW.has(first.index_name) ? FEW_SHARE : 1)
  const alike = columns.map(({ column_name }) =>
    column_name === 'aid' ? rows / 2 : (ALIKE[column_name ?? ''] ?? USUALLY_ALIKE),
  )
  let least = rows
  const figures = alike.map((one, i) => {
    const isWhole = first.is_unique === 1 && i === alike.length - 1
    least = isWhole ? 1 : Math.max(1, Math.min(least / 2, one))
    return Math.ceil(least)
  })
  return [rows, ...figures, 'noskipscan'].join(' ')
}

/** Whether SQLite has been told about the data. What it knows about a table goes with the table. */
export async function hasStatistics<T>(trx: Trx<T>): Promise<boolean> {
  const table = await sql`select 1 from sqlite_schema where name = 'sqlite_stat1'`.execute(trx)
  if (table.rows.length === 0) return false
  const { rows } = await sql`select 1 from sqlite_stat1 limit 1`.execute(trx)
  return rows.length > 0
}

/** Tells SQLite about the data, in the table of its own `analyze` command. That table is created again, because other
 * connections read it only when the schema has changed. */
export async function writeStatistics<T>(trx: Trx<T>): Promise<void> {
  const columns = await listIndexColumns(trx)
  const names = new Set(columns.map(({ index_name }) => index_name))
  await sql`drop table if exists sqlite_stat1`.execute(trx)
  // Creates the table.
  await sql`analyze sqlite_schema`.execute(trx)
  for (const name of names) {
    const of = columns.filter(({ index_name }) => index_name === name)
    const [{ table_name, is_key }] = of as [IndexColumn]
    // The key of a table without rowid is the table itself.
    const stored = is_key === 1 ? table_name : name
    await sql`insert into sqlite_stat1 (tbl, idx, stat)
      values (${table_name}, ${stored}, ${describeIndex(of)})`.execute(trx)
  }
  // Reads the table.
  await sql`analyze sqlite_schema`.execute(trx)
}
