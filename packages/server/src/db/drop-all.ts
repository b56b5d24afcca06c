import { sql } from 'kysely'
import type { Engine, Trx } from './database.ts'

/** Drops every table, view, trigger and function of a schema; the schema itself stays. */
export async function dropAll<T>(trx: Trx<T>, engine: Engine, schema: string): Promise<void> {
  if (engine === 'sqlite') await dropFromFile(trx)
  else await dropFromSchema(trx, schema)
}

interface Named {
  type: string
  name: string
}

async function dropFromFile<T>(trx: Trx<T>): Promise<void> {
  const { rows } = await sql<Named>`select type, name from sqlite_schema
    where type in ('trigger', 'view', 'table') and name not like 'sqlite^_%' escape '^'`.execute(
    trx,
  )
  const ofType = (type: string) => rows.filter((row) => row.type === type)
  for (const type of ['trigger', 'view']) {
    for (const { name } of ofType(type))
      await sql`drop ${sql.raw(type)} ${sql.id(name)}`.execute(trx)
  }
  // SQLite checks at the commit that no row refers to a dropped one; until then, any order is right.
  await sql`pragma defer_foreign_keys = on`.execute(trx)
  for (const { name } of ofType('table')) await sql`delete from ${sql.table(name)}`.execute(trx)
  for (const { name } of ofType('table')) await sql`drop table ${sql.table(name)}`.execute(trx)
}

async function dropFromSchema<T>(trx: Trx<T>, schema: string): Promise<void> {
  const tables = await sql<Named>`select c.relname as name,
      case c.relkind when 'v' then 'view' when 'm' then 'materialized view' else 'table' end as type
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = ${schema} and c.relkind in ('r', 'p', 'v', 'm') and not c.relispartition`.execute(
    trx,
  )
  for (const { type, name } of tables.rows) {
    await sql`drop ${sql.raw(type)} if exists ${sql.id(schema, name)} cascade`.execute(trx)
  }
  const functions = await sql<{ signature: string }>`select p.oid::regprocedure::text as signature
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname = ${schema}`.execute(
    trx,
  )
  for (const { signature } of functions.rows) {
    await sql`drop function if exists ${sql.raw(signature)} cascade`.execute(trx)
  }
}
