import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { type DatabaseProxy, startDatabaseProxy } from '../../testing/postgres/database-proxy.ts'
import { useFreshInstallation } from '../../testing/use-service.ts'
import { listMigrations } from '../migrate.ts'
import { environmentMigrations, type Migration } from '../migrations.ts'
import { openDatabase } from '../open.ts'

const [first] = environmentMigrations as [Migration]

describe('migrations on PostgreSQL', () => {
  const installation = useFreshInstallation(databases[1])
  let proxy: DatabaseProxy
  beforeEach(async () => {
    proxy = await startDatabaseProxy(installation.env.GATEHOUSE_DATABASE_URL as string)
  })
  afterEach(async () => {
    await proxy.close()
  })

  const open = (migrations: readonly Migration[]) =>
    openDatabase({ engine: 'postgres', url: proxy.url, connections: 2 }, 'production', migrations)

  it('whose connection is cut at any statement are begun again, and done once', async () => {
    const pieces: Migration[] = Array.from({ length: 6 }, (_, n) => ({
      name: `000${n}_piece`,
      statements: [`create table piece_${n} (id TEXT)`],
    }))
    for (let n = 0; n < pieces.length; n++) {
      const text = `create table piece_${n}`
      proxy.cutAt(text, n % 2 === 0 ? 'before' : 'after')
      await (await open(pieces.slice(0, n + 1))).close()
    }
    const database = await open(pieces)
    expect(await listMigrations(database)).toEqual(pieces.map(({ name }) => name))
    await database.close()
  })

  it.each([
    ['transactions', 'statements', 8],
    ['preparations', 'online', 3],
  ] as const)(
    'whose %s meet one deadlock after the other are begun again until they meet none',
    async (_, part, attempts) => {
      await (await open([first])).close()
      const client = new pg.Client({ connectionString: installation.env.GATEHOUSE_DATABASE_URL })
      await client.connect()
      // Its numbers are not taken back with a transaction.
      await client.query('create sequence public.attempts')
      const raising = `do $$ begin if nextval('public.attempts') < ${attempts} then
        raise exception 'deadlock detected' using errcode = '40P01'; end if; end $$`
      const changing: Migration = { name: '9999_change', statements: [], [part]: [raising] }
      const database = await open([first, changing])
      expect(await listMigrations(database)).toContain('9999_change')
      const { rows } = await client.query('select last_value from public.attempts')
      expect(Number(rows[0].last_value)).toBe(attempts)
      await database.close()
      await client.query('drop sequence public.attempts')
      await client.query('drop schema production cascade')
      await client.end()
    },
  )

  it('whose index was left unfinished build it again', async () => {
    await (await open([first])).close()
    const client = new pg.Client({ connectionString: installation.env.GATEHOUSE_DATABASE_URL })
    await client.connect()
    const insert = `insert into production.meta (name, value) values ('a', 'same'), ('b', 'same')`
    await client.query(insert)
    const build = 'create unique index concurrently if not exists meta_values on meta (value)'
    const changing: Migration = {
      name: '9999_change',
      online: [build],
      statements: ['create unique index if not exists meta_values on meta (value)'],
    }
    await expect(open([first, changing])).rejects.toThrow(/meta_values/)
    await client.query(`delete from production.meta where name = 'b'`)
    await (await open([first, changing])).close()
    const { rows } = await client.query(`select indisvalid from pg_index
      where indexrelid = 'production.meta_values'::regclass`)
    expect(rows).toEqual([{ indisvalid: true }])
    await client.query('drop schema production cascade')
    await client.end()
  })

  it('that have to wait for a reader hold up no other reader', async () => {
    await (await open([first])).close()
    const reader = await open([first])
    const holder = new pg.Client({ connectionString: installation.env.GATEHOUSE_DATABASE_URL })
    await holder.connect()
    await holder.query('begin')
    await holder.query('select count(*) from production.access')
    const changing = { name: '9999_change', statements: ['alter table access add column x INT'] }
    let isDone = false
    const opening = open([first, changing]).then((database) => {
      isDone = true
      return database
    })
    // Repeats until one read has waited behind the migration, which then let it pass.
    for (let longest = 0; longest < 500; ) {
      const startedAt = performance.now()
      await sql`select count(*) from access`.execute(reader.read)
      longest = performance.now() - startedAt
      await sleep(10)
    }
    expect(isDone).toBe(false)
    await holder.query('rollback')
    await holder.end()
    await (await opening).close()
    await reader.close()
  })

  it('end an automatic vacuum that would hold them up for long', async () => {
    await (await open([first])).close()
    const client = new pg.Client({ connectionString: installation.env.GATEHOUSE_DATABASE_URL })
    await client.connect()
    const slow = `autovacuum_vacuum_cost_limit = 1, autovacuum_vacuum_cost_delay = 100`
    const early = `autovacuum_vacuum_threshold = 1, autovacuum_vacuum_scale_factor = 0`
    await client.query(`create table production.large (n int) with (${slow}, ${early})`)
    await client.query('insert into production.large select n from generate_series(1, 50000) n')
    await client.query('delete from production.large')
    const configure = async (change: string) => {
      await client.query(`alter system ${change}`)
      await client.query('select pg_reload_conf()')
    }
    const isVacuuming = async () => {
      const { rows } = await client.query(`select 1 from pg_stat_activity
        where datname = current_database() and query like 'autovacuum: %production.large%'`)
      return rows.length > 0
    }
    await configure(`set autovacuum_naptime = '1s'`)
    try {
      await vi.waitUntil(isVacuuming, { timeout: 60_000 })
    } finally {
      await configure('reset autovacuum_naptime')
    }
    const changing = { name: '9999_change', statements: ['alter table large add column x INT'] }
    await (await open([first, changing])).close()
    const { rows } = await client.query(`select autovacuum_count from pg_stat_all_tables
      where relid = 'production.large'::regclass`)
    await client.query('drop schema production cascade')
    await client.end()
    expect(rows).toEqual([{ autovacuum_count: '0' }])
  })
})
