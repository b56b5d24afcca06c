// Fills a SQLite database inside the database, without its indexes and triggers, which are restored at the end.
import { DatabaseSync } from '@photostructure/sqlite'
import { FILLED, statementsFor } from './shape.mjs'

const series = (count) =>
  `with recursive numbers (n) as (select 0 union all select n + 1 from numbers where n < ${count - 1}) select n from numbers`

export function fillSqlite(path, applications, now) {
  const database = new DatabaseSync(path)
  const run = (sql) => database.exec(sql)
  const { journal_mode: mode } = database.prepare('pragma journal_mode = memory').get()
  if (mode !== 'memory') throw new Error(`${path} is open elsewhere`)
  run('pragma synchronous = off; pragma foreign_keys = off')
  run('pragma cache_size = -1500000; pragma temp_store = memory; pragma threads = 2')
  const tables = FILLED.map((name) => `'${name}'`).join(', ')
  const found = database.prepare(
    `select type, name, sql from sqlite_schema where type in ('index', 'trigger') and sql is not null and tbl_name in (${tables})`,
  )
  const dropped = found.all()
  for (const { type, name } of dropped) run(`drop ${type} ${name}`)
  for (const application of applications) {
    for (const statement of statementsFor({ ...application, series, now })) run(statement)
  }
  for (const type of ['index', 'trigger']) {
    for (const one of dropped.filter((each) => each.type === type)) run(one.sql)
  }
  run('pragma journal_mode = wal')
  database.close()
}
