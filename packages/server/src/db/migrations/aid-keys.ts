import type { Migration, Statement } from '../migrations.ts'
import { FOREIGN_KEYS, type Rekeyed, TABLES } from './aid-keys-tables.ts'
import { addColumn, type NewColumn } from './prepared.ts'

/** The new indexes are built under other names while the old ones are still in use. */
const fresh = (name: string) => `${name}_with_aid`

/** Indexes that PostgreSQL builds for a table: those of its keys, and the others. */
const newIndexes = ({ table, key, unique = [], uniqueIndexes = [], indexes = [] }: Rekeyed) => [
  ...[[`${table}_pkey`, `(${key})`] as const, ...unique, ...uniqueIndexes].map(([name, on]) => ({
    ...{ kind: 'unique index', name, on: `${table} ${on}` },
  })),
  ...indexes.map(([name, on]) => ({ kind: 'index', name, on: `${table} ${on}` })),
]

const PROVIDER_REFS = `provider_refs (
  provider TEXT not null,
  ref TEXT not null,
  aid TEXT not null references applications (aid),
  payment_id TEXT not null,
  primary key (provider, ref)
)`

const FILL_PROVIDER_REFS = `insert into provider_refs (provider, ref, aid, payment_id)
  select provider, provider_ref, aid, id from payments p where provider_ref is not null
  and not exists (select 1 from provider_refs r
    where r.provider = p.provider and r.ref = p.provider_ref)`

const TIE_BREAKER: NewColumn = {
  table: 'history',
  column: 'tie_breaker',
  definition: `TEXT not null default ''`,
}

/** Exchanges the keys and indexes of a table for those that were built. It only changes the catalog. */
function exchange(rekeyed: Rekeyed): string[] {
  const { table, dropped = [], unique = [], uniqueIndexes = [], indexes = [] } = rekeyed
  const { removedIndexes = [] } = rekeyed
  const constrain = (name: string, kind: string) =>
    `alter table ${table} add constraint ${name} ${kind} using index ${fresh(name)}`
  return [
    ...[...dropped, `${table}_pkey`].map((name) => `alter table ${table} drop constraint ${name}`),
    ...removedIndexes.map((name) => `drop index ${name}`),
    constrain(`${table}_pkey`, 'primary key'),
    ...unique.map(([name]) => constrain(name, 'unique')),
    ...[...uniqueIndexes, ...indexes].flatMap(([name]) => [
      `drop index ${name}`,
      `alter index ${fresh(name)} rename to ${name}`,
    ]),
  ]
}

const onPostgres = (statements: readonly string[]): Statement[] =>
  statements.map((postgres) => ({ postgres }))
const onSqlite = (statements: readonly string[]): Statement[] =>
  statements.map((sqlite) => ({ sqlite }))

const rebuilds = TABLES.map((rekeyed) => {
  const { table, edits, key, unique = [], uniqueIndexes = [], indexes = [] } = rekeyed
  return {
    table,
    edits,
    constraints: [
      `primary key (${key})`,
      ...unique.map(([, columns]) => `unique ${columns}`),
      ...(rekeyed.constraints ?? []),
    ],
    isOrderedByKey: rekeyed.isOrderedByKey ?? false,
    withoutIndexes: [
      ...(rekeyed.removedIndexes ?? []),
      ...[...uniqueIndexes, ...indexes].map(([name]) => name),
    ],
  }
})

/**
 * Puts the application's id into every key of a table with rows of applications, so that the rows of one application
 * can live on one server. The exception is `provider_refs`: an event of the payment provider names nothing else.
 *
 * On PostgreSQL the indexes are built first, while other processes go on writing. On SQLite the tables are rebuilt.
 */
export const aidKeys: Migration = {
  name: '0012_aid_keys',
  columns: [TIE_BREAKER],
  online: [
    `create table if not exists ${PROVIDER_REFS}`,
    FILL_PROVIDER_REFS,
    ...TABLES.filter(({ table }) => table !== 'files')
      .flatMap(newIndexes)
      .map(
        ({ kind, name, on }) => `create ${kind} concurrently if not exists ${fresh(name)} on ${on}`,
      ),
  ],
  statements: [
    // First, because it reads all payments: from here to the next statement, only writers of payments wait.
    { postgres: `lock table payments in share row exclusive mode` },
    `create table if not exists ${PROVIDER_REFS}`,
    FILL_PROVIDER_REFS,

    // A row has a number from the time at which it was written. Two processes may choose the same one.
    addColumn(TIE_BREAKER),
    `alter table files add column aid TEXT`,
    `update files set aid = (select d.aid from downloads d where d.file_id = files.id)`,
    // Nothing refers to the other files. It doesn't matter by which application they are swept.
    `update files set aid = (select min(aid) from applications) where aid is null`,

    ...onPostgres([
      `alter table files alter column aid set not null`,
      `alter table files add foreign key (aid) references applications (aid)`,
      ...FOREIGN_KEYS.map(([table, name]) => `alter table ${table} drop constraint ${name}`),
      `alter table downloads drop constraint downloads_file_id_fkey`,
      ...TABLES.flatMap(newIndexes).map(
        ({ kind, name, on }) => `create ${kind} if not exists ${fresh(name)} on ${on}`,
      ),
      ...TABLES.flatMap(exchange),
      ...FOREIGN_KEYS.map(
        ([table, name, key]) =>
          `alter table ${table} add constraint ${name} foreign key ${key} not valid`,
      ),
      `alter table downloads add constraint downloads_aid_file_id_fkey
        foreign key (aid, file_id) references files (aid, id) not valid`,
      `alter table history alter column seq drop identity`,
    ]),
    { rebuild: rebuilds },
    ...onSqlite(
      TABLES.flatMap(({ table, uniqueIndexes = [], indexes = [] }) => [
        ...uniqueIndexes.map(([name, on]) => `create unique index ${name} on ${table} ${on}`),
        ...indexes.map(([name, on]) => `create index ${name} on ${table} ${on}`),
      ]),
    ),
    `drop index erasures_due`,
    `create index erasures_due on erasures (aid, due)`,

    // The changes that are not counted yet. They have a random id, because their order doesn't matter.
    `create temporary table uncounted as select aid, scope, ends, access_id, n from access_changes`,
    `drop table access_changes`,
    {
      sqlite: `create table access_changes (
        aid TEXT not null,
        scope TEXT not null,
        id TEXT not null default (hex(randomblob(8))),
        ends INT not null,
        access_id TEXT not null,
        n INT not null,
        primary key (aid, scope, id)
      ) without rowid`,
      postgres: `create table access_changes (
        aid TEXT not null,
        scope TEXT not null,
        id TEXT not null default gen_random_uuid(),
        ends INT not null,
        access_id TEXT not null,
        n INT not null,
        primary key (aid, scope, id)
      )`,
    },
    `insert into access_changes (aid, scope, ends, access_id, n)
      select aid, scope, ends, access_id, n from uncounted`,
    `drop table uncounted`,

    // Each application counts up to a position of its own. Like the counts, it is derived, and refers to nothing.
    `create table access_watermarks (
      aid TEXT primary key,
      ends INT not null,
      access_id TEXT not null
    )`,
    `insert into access_watermarks (aid, ends, access_id)
      select a.aid, w.ends, w.access_id from applications a, access_watermark w`,
    `drop table access_watermark`,
  ],
}
