import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '../config/config.ts'
import { OperatorError } from '../errors.ts'
import { databases, type TestInstallation } from '../testing/databases.ts'
import type { Database } from './database.ts'
import { environmentMigrations, type Migration } from './migrations.ts'
import { type DatabaseLocation, openDatabase } from './open.ts'
import { openPostgres } from './postgres/postgres.ts'
import { openSqlite } from './sqlite/sqlite.ts'

const [first] = environmentMigrations as [Migration]
const LATER: Migration = { name: '9999_later', statements: ['create table later (id TEXT)'] }
const WRONG = 'create index wrong on no_such_table (id)'

const user = (aid: string, uid: string, erased: number | null) =>
  `insert into users (aid, uid, first_name, last_name, created, erased)
    values ('${aid}', '${uid}', '', '', 1, ${erased})`
const access = (id: string, uid: string, ref: string, revoked: number | null) =>
  `insert into access (id, aid, rid, uid, user_ref, amount, created, ends, revoked, tags)
    values ('${id}', 'A', 'news', '${uid}', '${ref}', 0, 1, 9, ${revoked}, '[]')`
const mergedAway = (from: string, into: string) =>
  `insert into history (aid, uid, at, actor, action, after)
    values ('A', '${from}', 1, 'cli', 'user merged away', '{"uid":"${into}"}')`

/** Data from the release before aliases: a user who was merged twice, one merged into a user who was erased later, and
 * purchases that name removed users. */
const MERGED_LONG_AGO = [
  ...['A', 'B'].map(
    (aid) =>
      `insert into applications (aid, name, currency, created) values ('${aid}', '', 'EUR', 1)`,
  ),
  `insert into resources (aid, rid, name, url, created) values ('A', 'news', '', '', 1)`,
  ...['first', 'second', 'erased', 'into-erased'].map((uid) => user('A', uid, 1)),
  ...['left', 'stray', 'other'].map((uid) => user('A', uid, null)),
  user('B', 'bob', null),
  mergedAway('first', 'second'),
  mergedAway('second', 'left'),
  mergedAway('into-erased', 'erased'),
  `insert into user_refs (aid, ref, uid) values ('A', 'ann', 'left')`,
  `insert into user_refs (aid, ref, uid) values ('B', 'first', 'bob')`,
  access('right', 'left', 'ann', null),
  access('wrong', 'stray', 'first', null),
  access('lost', 'other', 'nowhere', 2),
]

const payment = (id: string, status: string, refunded: number, lost: number | null) =>
  `insert into payments (id, aid, rid, uid, amount, refunded, currency, provider, status, created, settled,
      attempts, lost)
    values ('${id}', 'A', 'news', 'ann', 499, ${refunded}, 'EUR', 'test', '${status}', 1, 1, 0, ${lost})`

/** Payments from the release before disputes had amounts. */
const LOST_LONG_AGO = [
  `insert into applications (aid, name, currency, created) values ('A', '', 'EUR', 1)`,
  `insert into resources (aid, rid, name, url, created) values ('A', 'news', '', '', 1)`,
  user('A', 'ann', null),
  payment('paid', 'succeeded', 0, null),
  payment('disputed', 'disputed', 0, null),
  payment('lost', 'lost', 100, 2),
]

describe.each(databases)('migrations on $name', ({ engine, createEmpty }) => {
  let installation: TestInstallation
  let location: DatabaseLocation
  beforeEach(async () => {
    installation = await createEmpty()
    const { dataFolder, databaseUrl = '' } = readConfig(installation.env)
    location =
      engine === 'sqlite'
        ? { engine, folder: dataFolder }
        : { engine, url: databaseUrl, connections: 2 }
  })
  afterEach(() => installation.remove())

  const open = (migrations = environmentMigrations) =>
    openDatabase<Record<string, unknown>>(location, 'production', migrations)

  /** Opens the same database without migrating it. */
  async function openAsItIs(): Promise<Database<Record<string, unknown>>> {
    return location.engine === 'sqlite'
      ? openSqlite(`${location.folder}/production.sqlite`)
      : await openPostgres(location.url, 'production', 2)
  }

  async function tables(database: Database<Record<string, unknown>>): Promise<string[]> {
    const query =
      engine === 'sqlite'
        ? sql<{ name: string }>`select name from sqlite_schema where type = 'table'`
        : sql<{
            name: string
          }>`select table_name as name from information_schema.tables where table_schema = 'production'`
    const { rows } = await query.execute(database.read)
    return rows.map((row) => row.name).sort()
  }

  async function tablesNow(): Promise<string[]> {
    const database = await openAsItIs()
    try {
      return await tables(database)
    } finally {
      await database.close()
    }
  }

  it('that fail after any statement leave nothing behind, and the next start finishes', async () => {
    const watcher = await openAsItIs()
    for (let n = 0; n <= first.statements.length; n++) {
      const broken = { ...first, statements: [...first.statements.slice(0, n), WRONG] }
      await expect(open([broken])).rejects.toThrow(OperatorError)
      expect(await tables(watcher), `after ${n} statements`).toEqual([])
    }
    await watcher.close()
    const database = await open()
    expect(await tables(database)).toContain('access')
    await database.close()
  })

  it('that fail after any statement of a later version leave the earlier one as it was', async () => {
    await (await open([first])).close()
    const watcher = await openAsItIs()
    const before = await tables(watcher)
    const later = environmentMigrations.slice(1)
    const all = later.flatMap(({ statements }) => statements)
    // A part of the statements each time, others in each run. PostgreSQL is slower per step, so fewer are tested there.
    const step = engine === 'sqlite' ? 12 : 30
    const offset = Number(process.env.MIGRATION_OFFSET ?? Math.floor(Math.random() * step))
    console.info(`MIGRATION_OFFSET=${offset}`)
    for (let n = offset; n < all.length; n += step) {
      const broken = { name: '0002_broken', statements: [...all.slice(0, n + 1), WRONG] }
      await expect(open([first, broken])).rejects.toThrow(OperatorError)
      expect(await tables(watcher), `after ${n + 1} statements`).toEqual(before)
    }
    await watcher.close()
    await (await open()).close()
  })

  it('that fail in a later version leave the database to the earlier one', async () => {
    await (await open([first])).close()
    const before = await tablesNow()
    const broken = { ...LATER, statements: [...LATER.statements, WRONG] }
    await expect(open([first, broken])).rejects.toThrow(OperatorError)
    expect(await tablesNow()).toEqual(before)
    await (await open([first])).close()
    const later = await open([first, LATER])
    expect(await tables(later)).toEqual([...before, 'later'].sort())
    await later.close()
  })

  it('run once, however many start at once', async () => {
    const opened = await Promise.all(Array.from({ length: 4 }, () => open([first, LATER])))
    const [database] = opened as [Database<Record<string, unknown>>]
    const { rows } = await sql<{ name: string }>`select name from migrations`.execute(database.read)
    expect(rows.map((row) => row.name).sort()).toEqual([first.name, LATER.name])
    for (const one of opened) await one.close()
  })

  it('to aliases name users who were merged away, and take wrong references off access', async () => {
    const old = await open(environmentMigrations.filter(({ name }) => name < '0008_aliases'))
    await old.write(async (trx) => {
      for (const statement of MERGED_LONG_AGO) await sql.raw(statement).execute(trx)
    })
    await old.close()
    const database = await open()
    const { rows: refs } = await sql<{ said: string }>`
      select aid || ' ' || ref || ' ' || uid || ' ' || alias as said from user_refs order by said`.execute(
      database.read,
    )
    expect(refs.map(({ said }) => said)).toEqual([
      'A ann left 0',
      'A first left 1',
      'A second left 1',
      'B first bob 0',
    ])
    const { rows: access } = await sql`select id, user_ref from access order by id`.execute(
      database.read,
    )
    expect(access).toEqual([
      { id: 'lost', user_ref: null },
      { id: 'right', user_ref: 'ann' },
      { id: 'wrong', user_ref: null },
    ])
    const wrong = database.write((trx) =>
      sql`update access set user_ref = 'first' where id = 'wrong'`.execute(trx),
    )
    await expect(wrong).rejects.toThrow()
    await database.close()
  })

  it('to events mark access that has ended as told, and no other', async () => {
    const old = await open(environmentMigrations.filter(({ name }) => name < '0012'))
    const ends = [1, 2, 4102444800, 253402300800]
    await old.write(async (trx) => {
      for (const statement of [
        `insert into applications (aid, name, currency, created) values ('A', '', 'EUR', 1)`,
        `insert into resources (aid, rid, name, url, created) values ('A', 'news', '', '', 1)`,
        user('A', 'ann', null),
        user('A', 'bob', null),
        ...ends.map(
          (end, i) => `insert into access (id, aid, rid, uid, amount, created, ends, revoked, tags)
            values ('${i}', 'A', 'news', '${i === 1 ? 'bob' : 'ann'}', 0, 1, ${end},
              ${i === 0 ? 'null' : 1}, '[]')`,
        ),
      ])
        await sql.raw(statement).execute(trx)
    })
    await old.close()
    const database = await open()
    const { rows } = await sql<{
      end_told: unknown
    }>`select end_told from access order by id`.execute(database.read)
    expect(rows.map(({ end_told }) => end_told && Number(end_told))).toEqual([1, null, null, null])
    await database.close()
  })

  it('to amounts of disputes keep what was lost, also once a loss is taken back', async () => {
    const old = await open(environmentMigrations.filter(({ name }) => name < '0037'))
    await old.write(async (trx) => {
      for (const statement of LOST_LONG_AGO) await sql.raw(statement).execute(trx)
    })
    await old.close()
    const database = await open()
    const sumOfLosses = async () => {
      const { rows } = await sql<{ lost: unknown }>`
        select sum(lost) as lost from revenue_changes`.execute(database.read)
      return Number(rows[0]?.lost)
    }
    const { rows } = await sql<Record<string, unknown>>`
      select id, lost_amount, disputed_amount, refundable_in_dispute as open
      from payments order by id`.execute(database.read)
    expect(rows).toEqual([
      { id: 'disputed', lost_amount: 0, disputed_amount: 499, open: 0 },
      { id: 'lost', lost_amount: 499, disputed_amount: 0, open: 0 },
      { id: 'paid', lost_amount: 0, disputed_amount: 0, open: 0 },
    ])
    expect(await sumOfLosses()).toBe(399)
    await database.write(async (trx) => {
      await sql`update payments set status = 'partially_refunded', lost = null, lost_amount = 0
        where id = 'lost'`.execute(trx)
      await sql`update payments set lost = 3, lost_amount = 50 where id = 'paid'`.execute(trx)
    })
    expect(await sumOfLosses()).toBe(50)
    await database.close()
  })

  it('refuse a database of a newer version, name it, and leave it as it is', async () => {
    await (await open([first, LATER])).close()
    const before = await tablesNow()
    const place =
      location.engine === 'sqlite'
        ? location.folder
        : 'GATEHOUSE_DATABASE_URL: the schema production'
    const refusal = open()
    await expect(refusal).rejects.toThrow(OperatorError)
    await expect(refusal).rejects.toThrow(/newer Gatehouse \(it has 9999_later\)/)
    await expect(refusal).rejects.toThrow(place)
    expect(await tablesNow()).toEqual(before)
  })

  it('refuse a database that holds something else, and leave it as it is', async () => {
    const foreign = await openAsItIs()
    await foreign.write(async (trx) => {
      if (engine === 'postgres') await sql`create schema production`.execute(trx)
      await sql`create table orders (id integer)`.execute(trx)
    })
    await foreign.close()
    await expect(open()).rejects.toThrow(/contains tables that are not Gatehouse's/)
    expect(await tablesNow()).toEqual(['orders'])
  })
})
