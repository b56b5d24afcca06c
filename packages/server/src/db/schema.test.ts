import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../config/config.ts'
import { type Context, createContext } from '../context.ts'
import { databases } from '../testing/databases.ts'
import { INSTALLATION_TABLES } from '../testing/installation-tables.ts'
import type { Database } from './database.ts'
import { environmentMigrations, type Statement } from './migrations.ts'
import { openDatabase } from './open.ts'

/** Dumps tables, indexes and triggers as SQLite stores them. */
async function dumpSqlite<T>({ read }: Database<T>): Promise<string[]> {
  const { rows } = await sql<{ sql: string }>`
    select sql from sqlite_schema where sql is not null and name not like 'sqlite^_%' escape '^'
    order by tbl_name, type desc, name`.execute(read)
  return rows.map((row) => `${row.sql.replace(/\n {6}/g, '\n')};`)
}

/** Dumps columns, constraints, indexes and triggers from the catalog of PostgreSQL. */
async function dumpPostgres<T>({ read }: Database<T>): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    with tables as (
      select c.oid, c.relname from pg_class c
      where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace)
    select line from (
      select relname, 1 as part, attnum as position, format('%s.%s %s%s%s%s', relname, attname,
        format_type(atttypid, atttypmod),
        case when attcollation <> 0 then ' collate ' || attcollation::regcollation else '' end,
        case when attnotnull then ' not null' else '' end,
        case attidentity when '' then '' else ' identity' end) as line
      from pg_attribute join tables on attrelid = tables.oid where attnum > 0 and not attisdropped
      union all
      select relname, 2, 0, format('%s: %s', relname, pg_get_constraintdef(k.oid))
      from pg_constraint k join tables on k.conrelid = tables.oid where contype in ('p', 'u', 'f')
      union all
      select relname, 3, 0, replace(indexdef, current_schema() || '.', '')
      from pg_indexes join tables on tablename = relname
      where schemaname = current_schema()
      union all
      select relname, 4, 0, format('%s; %s', replace(pg_get_triggerdef(g.oid), current_schema() || '.', ''),
        regexp_replace(trim(p.prosrc), '[[:space:]]+', ' ', 'g'))
      from pg_trigger g join tables on tgrelid = tables.oid join pg_proc p on p.oid = tgfoid
      where not tgisinternal) as dump
    order by relname, part, position, line`.execute(read)
  return rows.map((row) => row.line)
}

async function dump(ctx: Context): Promise<string> {
  const dumpOf = <T>(database: Database<T>) =>
    database.engine === 'sqlite' ? dumpSqlite(database) : dumpPostgres(database)
  const control = await dumpOf(ctx.control)
  const environment = await dumpOf(ctx.environments.production.database)
  expect(await dumpOf(ctx.environments.sandbox.database)).toEqual(environment)
  const parts = ['-- control', ...control, '-- production and sandbox', ...environment]
  return `${parts.join('\n')}\n`
}

describe.each(databases)('the schema on $name', ({ engine, createEmpty }) => {
  it('is the committed one', async () => {
    const installation = await createEmpty()
    const ctx = await createContext(readConfig(installation.env))
    try {
      await expect(await dump(ctx)).toMatchFileSnapshot(`schema/${engine}.sql`)
    } finally {
      await ctx.close()
      await installation.remove()
    }
  })
})

/** Some versions from 0.1.0 on, by their number of migrations of an environment. */
const UPGRADED_FROM = [11, 13, 19, 23]

describe('the schema on PostgreSQL', () => {
  const [, { createEmpty }] = databases
  const open = (url: string, schema: string, migrations = environmentMigrations) =>
    openDatabase({ engine: 'postgres', url, connections: 2 }, schema, migrations)

  it.each(UPGRADED_FROM)(
    'is the same after an upgrade from the first %i migrations as in a new installation',
    async (count) => {
      const { env, remove } = await createEmpty()
      const url = env.GATEHOUSE_DATABASE_URL as string
      await (await open(url, 'production', environmentMigrations.slice(0, count))).close()
      const [upgraded, fresh] = [await open(url, 'production'), await open(url, 'sandbox')]
      try {
        expect(await dumpPostgres(upgraded)).toEqual(await dumpPostgres(fresh))
      } finally {
        await upgraded.close()
        await fresh.close()
        await remove()
      }
    },
  )
})

/** Tables with one row for each article, file or key, or fewer: their indexes are built at once. */
const SMALL_TABLES = ['applications', 'downloads', 'resources', 'erasures']

describe('migrations since 0.1.0', () => {
  const textsOf = (statement: Statement) =>
    typeof statement === 'string' ? [statement] : Object.values(statement).map(String)

  it('build new indexes of large tables before their transaction', () => {
    for (const { name, statements } of environmentMigrations.slice(11)) {
      const texts = statements.flatMap(textsOf)
      const created = texts.map((text) => /^create table (?:if not exists )?(\w+)/.exec(text)?.[1])
      const unprepared = statements
        .map((one) =>
          typeof one === 'string' ? one : 'postgres' in one ? one.postgres : undefined,
        )
        .map(
          (text) => /^create (?:unique )?index (?!if not exists)\w+ on (\w+)/.exec(text ?? '')?.[1],
        )
        .filter((table) => table !== undefined)
      const known = [...created, ...SMALL_TABLES]
      expect(
        unprepared.filter((table) => !known.includes(table)),
        name,
      ).toEqual([])
    }
  })
})

const KEYS = {
  sqlite: sql<{ table: string; columns: string }>`
    select m.name as "table", (select group_concat(i.name) from pragma_index_info(l.name) i) as columns
    from sqlite_schema m, pragma_index_list(m.name) l where m.type = 'table' and l."unique" = 1`,
  postgres: sql<{ table: string; columns: string }>`
    select i.indrelid::regclass::text as table, (select string_agg(a.attname, ',' order by k.n)
      from unnest(i.indkey) with ordinality as k (attnum, n)
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum) as columns
    from pg_index i join pg_class c on c.oid = i.indrelid
    where c.relnamespace = current_schema()::regnamespace and i.indisunique`,
}

describe.each(databases)('the keys on $name', ({ engine, createEmpty }) => {
  it('begin with the application, so that its rows can live on a server of its own', async () => {
    const installation = await createEmpty()
    const ctx = await createContext(readConfig(installation.env))
    try {
      const { read } = ctx.environments.production.database
      const { rows } = await KEYS[engine].execute(read)
      const others = rows.filter(({ columns }) => columns !== 'aid' && !columns.startsWith('aid,'))
      expect([...new Set(others.map(({ table }) => table))].sort()).toEqual(
        INSTALLATION_TABLES.toSorted(),
      )
    } finally {
      await ctx.close()
      await installation.remove()
    }
  })
})
