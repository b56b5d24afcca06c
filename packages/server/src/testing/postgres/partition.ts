import pg from 'pg'
import { INSTALLATION_TABLES } from '../installation-tables.ts'

/** Statements that read the catalog. Each returns one column: statements that create something again. */
const DEFINITIONS = [
  // Keys, then indexes, then foreign keys, which refer to keys, then triggers.
  `select format('alter table %s add constraint %I %s', conrelid::regclass, conname,
    pg_get_constraintdef(oid)) from pg_constraint
    where connamespace = current_schema()::regnamespace and contype in ('p', 'u')
      and conrelid::regclass::text = any ($1)`,
  `select pg_get_indexdef(i.indexrelid) from pg_index i
    join pg_class c on c.oid = i.indexrelid
    where c.relnamespace = current_schema()::regnamespace and i.indrelid::regclass::text = any ($1)
      and not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid
        and k.contype in ('p', 'u'))`,
  `select format('alter table %s add constraint %I %s', conrelid::regclass, conname,
    pg_get_constraintdef(oid)) from pg_constraint
    where connamespace = current_schema()::regnamespace and contype = 'f'
      and (conrelid::regclass::text = any ($1) or confrelid::regclass::text = any ($1))`,
  `select pg_get_triggerdef(oid) from pg_trigger
    where not tgisinternal and tgrelid::regclass::text = any ($1)`,
]

/** Whether a table is one of the partitions of another. */
export const isPartition = (table: string) => /_part\d+$/.test(table)

/** Renames the indexes of partitions to `<index>.<number>`, so that query plans show which index they belong to. */
const NAME_INDEXES = `do $$ declare one record; begin
  for one in select i.inhrelid::regclass as part, i.inhparent::regclass as whole,
      row_number() over (partition by i.inhparent) as n
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where c.relkind in ('i', 'I') and c.relnamespace = current_schema()::regnamespace
  loop execute format('alter index %s rename to %I', one.part, one.whole || '.' || one.n); end loop;
  end $$`

/** Spreads the empty tables of an environment over partitions by application, as if each were on a server of its own.
 * PostgreSQL then refuses every key without `aid`. */
export async function partitionTables(url: string, schema: string, parts: number): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`set search_path to ${schema}`)
    const { rows } = await client.query<{ name: string }>(
      `select table_name as name from information_schema.columns
        where table_schema = $1 and column_name = 'aid' and table_name <> all ($2)`,
      [schema, INSTALLATION_TABLES],
    )
    const tables = rows.map(({ name }) => name)
    const restored: string[] = []
    for (const definition of DEFINITIONS) {
      const found = await client.query({ text: definition, values: [tables], rowMode: 'array' })
      restored.push(...found.rows.map(([statement]) => statement as string))
    }
    for (const table of tables) await client.query(partitionStatements(table, parts))
    for (const statement of [...restored, NAME_INDEXES]) await client.query(statement)
  } finally {
    await client.end()
  }
}

const partitionStatements = (table: string, parts: number) =>
  [
    `alter table ${table} rename to ${table}_whole`,
    `create table ${table} (like ${table}_whole including defaults) partition by hash (aid)`,
    `drop table ${table}_whole cascade`,
    ...Array.from(
      { length: parts },
      (_, i) => `create table ${table}_part${i} partition of ${table}
        for values with (modulus ${parts}, remainder ${i})`,
    ),
  ].join('; ')
