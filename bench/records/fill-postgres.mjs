// Fills a PostgreSQL schema inside the database, without its indexes, foreign keys and triggers.
import pg from 'pg'
import { FILLED, statementsFor } from './shape.mjs'

const series = (count) => `select n from generate_series(0::bigint, ${count - 1}) as n`

/** Indexes that a constraint needs are kept. */
const INDEXES = `
  select i.indexname as name, i.indexdef as sql from pg_indexes i
  where i.schemaname = 'production' and i.tablename = any($1) and not exists (
    select 1 from pg_constraint c where c.conindid = format('%I.%I', i.schemaname, i.indexname)::regclass)`

export async function fillPostgres(url, applications, now) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(
      `set search_path = production; set session_replication_role = replica;
      set maintenance_work_mem = '1GB'; set work_mem = '256MB'`,
    )
    const { rows: indexes } = await client.query(INDEXES, [FILLED])
    await client.query('begin')
    // Tables that are emptied and filled in one transaction skip the write-ahead log.
    await client.query(
      `create temporary table before on commit drop as select * from history;
      truncate ${FILLED.join(', ')} cascade; insert into history select * from before`,
    )
    for (const { name } of indexes) await client.query(`drop index ${name}`)
    for (const application of applications) {
      for (const statement of statementsFor({ ...application, series, now })) {
        await client.query(statement)
      }
    }
    for (const { sql } of indexes) await client.query(sql)
    await client.query('commit')
    await client.query(`vacuum analyze ${FILLED.join(', ')}`)
    await client.query('checkpoint')
  } finally {
    await client.end()
  }
}
