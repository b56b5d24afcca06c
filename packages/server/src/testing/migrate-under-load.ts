import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { readConfig } from '../config/config.ts'
import type { Database } from '../db/database.ts'
import { environmentMigrations } from '../db/migrations.ts'
import { type DatabaseLocation, openDatabase } from '../db/open.ts'
import type { TestDatabase } from './databases.ts'

const BEFORE = environmentMigrations.filter(({ name }) => name < '0012')

/** On SQLite, filling the indexes takes most of the time without room for all of them. On PostgreSQL, it is the triggers
 * and the checks of foreign keys: the rows fit together, and the migration checks the keys that it replaces. */
const FASTER_FILLING = {
  sqlite: 'pragma cache_size = -4000000',
  postgres: `set local session_replication_role = 'replica'`,
}

type Rows = Database<Record<string, unknown>>

/** Rows of one statement. */
const ROWS_PER_STATEMENT = 100_000
/** One for each table, and some that wait for none of them. */
const FILLING_CONNECTIONS = 12
/** Filling and counting may take longer than requests. */
const PATIENT_MS = 600_000

/** The statements that fill each table of the earlier version with rows of ten applications. */
function* fillStatements(engine: 'sqlite' | 'postgres', many: number): Generator<string[]> {
  const numbers = (from: number, to: number) =>
    engine === 'postgres'
      ? `from generate_series(${from}, ${to}) as g (n)`
      : `from (with recursive g (n) as (select ${from} union all select n + 1 from g where n < ${to})
          select n from g) as g`
  function inParts(statement: string, count: number): string[] {
    const starts = Array.from(
      { length: Math.ceil(count / ROWS_PER_STATEMENT) },
      (_, part) => 1 + part * ROWS_PER_STATEMENT,
    )
    return starts.map(
      (from) => `${statement} ${numbers(from, Math.min(count, from + ROWS_PER_STATEMENT - 1))}`,
    )
  }
  const aid = `'app' || (n % 10)`
  const few = Math.ceil(many / 10)
  yield [
    `insert into applications (aid, name, currency, created)
      select 'app' || (n - 1), '', 'EUR', 1 ${numbers(1, 10)}`,
  ]
  yield [
    `insert into resources (aid, rid, name, url, created)
      select 'app' || (n - 1), 'news', '', '', 1 ${numbers(1, 10)}`,
  ]
  yield inParts(
    `insert into users (aid, uid, first_name, last_name, created)
      select ${aid}, 'user' || n, '', '', 1`,
    many,
  )
  const access = inParts(
    `insert into access (id, aid, rid, uid, amount, created, ends, tags)
      select 'access' || n, ${aid}, 'news', 'user' || n, 0, 1,
        case n % 3 when 0 then 2 else 4000000000 end, '[]'`,
    many,
  )
  // A running service counts changes within seconds.
  yield access.flatMap((statement) => [statement, 'delete from access_changes'])
  yield inParts(
    `insert into sources (id, aid, access_id, kind, created, ends, revision, message_digest, notified)
      select 'source' || n, ${aid}, 'access' || n, 'grant', 1, 2000000000, 1, '', 0`,
    many,
  )
  yield inParts(
    `insert into history (aid, uid, access_id, at, actor, action)
      select ${aid}, 'user' || n, 'access' || n, 1, 'api', 'granted'`,
    many,
  )
  yield inParts(
    `insert into payments (id, aid, rid, uid, access_id, amount, refunded, currency, provider,
        provider_ref, status, created, attempts)
      select 'payment' || n, ${aid}, 'news', 'user' || n, 'access' || n, 100, 0, 'EUR', 'stripe',
        'pi_' || n, 'succeeded', 1, 1`,
    few,
  )
  yield inParts(
    `insert into outbox (id, key, aid, uid, kind, recipient, payload, status, attempts, created, due)
      select 'mail' || n, 'mail:' || n, ${aid}, 'user' || n, 'grant', 'a@example.com', '{}', 'sent',
        1, 1, 1`,
    few,
  )
}

/** On PostgreSQL, where the keys of other tables are not checked meanwhile, the tables are filled at the same time. */
async function fill(database: Rows, engine: 'sqlite' | 'postgres', many: number): Promise<void> {
  async function run(statements: readonly string[]): Promise<void> {
    for (const statement of statements) {
      await database.write(async (trx) => {
        await sql.raw(FASTER_FILLING[engine]).execute(trx)
        await sql.raw(statement).execute(trx)
      })
    }
  }
  const tables = [...fillStatements(engine, many)]
  if (engine === 'postgres') await Promise.all(tables.map(run))
  else for (const statements of tables) await run(statements)
}

const TABLES = ['access', 'sources', 'history', 'payments', 'outbox', 'users']

async function countAll(database: Rows): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of TABLES) {
    const { rows } = await sql<{
      n: number
    }>`select count(*) as n from ${sql.table(table)}`.execute(database.read)
    counts[table] = Number(rows[0]?.n)
  }
  return counts
}

/** Repeats a call until it is stopped, and remembers the longest time that one took. */
function repeat(call: () => Promise<unknown>) {
  const state = { calls: 0, failed: 0, longestMs: 0, isOver: false }
  const running = (async () => {
    while (!state.isOver) {
      const began = performance.now()
      await call().catch(() => state.failed++)
      state.calls++
      state.longestMs = Math.max(state.longestMs, Math.round(performance.now() - began))
      await sleep(20)
    }
  })()
  return async () => {
    state.isOver = true
    await running
    const { isOver: _, ...seen } = state
    return seen
  }
}

/**
 * Fills a database of the version before keys began with the application, and migrates it while others read and write.
 * There are as many sources and history entries as access records, and a tenth as many of the rest.
 */
export async function migrateUnderLoad({ engine, createEmpty }: TestDatabase, records: number) {
  const installation = await createEmpty()
  const { dataFolder, databaseUrl = '' } = readConfig(installation.env)
  const location: DatabaseLocation =
    engine === 'sqlite'
      ? { engine, folder: dataFolder }
      : { engine, url: databaseUrl, connections: 4 }
  const patient: DatabaseLocation =
    engine === 'sqlite'
      ? location
      : { engine, url: withTimeout(databaseUrl), connections: FILLING_CONNECTIONS }
  const filled: Rows = await openDatabase(patient, 'production', BEFORE)
  await fill(filled, engine, records)
  const before = await countAll(filled)
  await filled.close()
  const old: Rows = await openDatabase(location, 'production', BEFORE)
  const stopLoad = startLoad(old)
  const progress: string[] = []
  const began = performance.now()
  const migrated: Rows = await openDatabase(location, 'production', environmentMigrations, (text) =>
    progress.push(text),
  )
  const seconds = Math.round((performance.now() - began) / 100) / 10
  const report = { seconds, ...(await stopLoad()), steps: progress.length }
  for (const database of [old, migrated]) await database.close()
  const checked: Rows = await openDatabase(patient, 'production', environmentMigrations)
  expect(await countAll(checked)).toEqual(before)
  expect(await checked.findDamage()).toEqual([])
  await checked.close()
  await installation.remove()
  return report
}

function withTimeout(address: string): string {
  const url = new URL(address)
  url.searchParams.set('query_timeout', String(PATIENT_MS))
  return url.href
}

/** Does what a process of the earlier version would do meanwhile. */
function startLoad(old: Rows) {
  const read = repeat(() =>
    sql`select id from access where aid = 'app1' and uid = 'user1' and rid = 'news'
      and revoked is null`.execute(old.read),
  )
  const writes = Object.entries(WRITES).map(
    ([table, statement]) =>
      [table, repeat(() => old.write((trx) => sql.raw(statement).execute(trx)))] as const,
  )
  return async () => ({
    reads: await read(),
    writes: Object.fromEntries(
      await Promise.all(writes.map(async ([table, stop]) => [table, await stop()] as const)),
    ),
  })
}

/** The writes of a process of the earlier version, by table. */
const WRITES = {
  users: `update users set first_name = 'Ann' where aid = 'app1' and uid = 'user1'`,
  access: `update access set ends = ends + 1 where aid = 'app1' and id = 'access1'`,
  payments: `update payments set attempts = attempts + 1 where aid = 'app1' and id = 'payment1'`,
  outbox: `update outbox set attempts = attempts + 1 where aid = 'app1' and id = 'mail1'`,
}
