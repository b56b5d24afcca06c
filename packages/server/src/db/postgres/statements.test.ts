import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { useFreshInstallation } from '../../testing/use-service.ts'
import type { Database } from '../database.ts'
import { openPostgres } from './postgres.ts'

interface Books {
  books: { id: number; title: string }
}

interface Prepared {
  name: string
  statement: string
}

describe('statements on PostgreSQL', () => {
  let database: Database<Books>

  // One connection, so that every query is known to use it.
  const open = () =>
    openPostgres<Books>(installation.env.GATEHOUSE_DATABASE_URL as string, 'production', 1)

  const installation = useFreshInstallation(databases[1])
  beforeEach(async () => {
    database = await open()
    await database.write(async (trx) => {
      await sql`create schema production`.execute(trx)
      await sql`create table books (id int primary key, title text not null)`.execute(trx)
    })
  })
  afterEach(async () => {
    await database.close()
  })

  const list = (id = 1) =>
    database.read.selectFrom('books').selectAll().where('id', '=', id).execute()

  const insert = (id: number) =>
    database.write((trx) =>
      trx
        .insertInto('books')
        .values({ id, title: `no. ${id}` })
        .execute(),
    )

  async function prepared(): Promise<Prepared[]> {
    const { rows } = await sql<Prepared>`
      select name, statement from pg_prepared_statements`.execute(database.read)
    return rows.filter(({ statement }) => statement.includes('books'))
  }

  const alter = () =>
    database.write((trx) => sql`alter table books add column pages int`.execute(trx))

  it('are prepared when they come again, once for all times', async () => {
    await list()
    expect(await prepared()).toEqual([])
    for (let n = 0; n < 5; n++) expect(await list(n)).toEqual([])
    expect(await prepared()).toHaveLength(1)
    for (let n = 0; n < 5; n++) await insert(n)
    expect(await prepared()).toHaveLength(2)
    expect(await list(4)).toEqual([{ id: 4, title: 'no. 4' }])
  })

  it('that come once are not kept, nor those of a bulk', async () => {
    const values = (count: number) =>
      Array.from({ length: count }, (_, id) => ({ id, title: 'x'.repeat(20) }))
    for (let count = 1; count < 60; count++) {
      await database.write(async (trx) => {
        await trx.insertInto('books').values(values(count)).execute()
        await trx.deleteFrom('books').execute()
      })
    }
    const bulk = database.write(async (trx) => {
      for (let n = 0; n < 3; n++) {
        await trx.insertInto('books').values(values(500)).execute()
        await trx.deleteFrom('books').execute()
      }
    })
    await bulk
    const kept = await prepared()
    expect(kept.map(({ statement }) => statement)).toEqual(['delete from "books"'])
  })

  it('never fill a connection: it is replaced', async () => {
    const ask = async (n: number) => {
      const { rows } = await sql<{ pid: number }>`
        select pg_backend_pid() as pid, ${sql.lit(n)} as n`.execute(database.read)
      return rows[0]?.pid
    }
    const pids = new Set<number | undefined>()
    for (let n = 0; n < 300; n++) for (let twice = 0; twice < 2; twice++) pids.add(await ask(n))
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from pg_prepared_statements`.execute(database.read)
    expect(rows[0]?.count).toBeLessThan(260)
    expect(pids.size).toBe(2)
  })

  it('that were forgotten by the server are asked again, and then without a name', async () => {
    for (let n = 0; n < 3; n++) await list()
    await sql`discard all`.execute(database.read)
    await sql.raw(`set search_path = production`).execute(database.read)
    expect(await list()).toEqual([])
    expect(await list()).toEqual([])
    expect(await prepared()).toEqual([])
  })

  it('that were forgotten in the middle of a write let it run again', async () => {
    for (let n = 0; n < 3; n++) await insert(n)
    await sql`deallocate all`.execute(database.read)
    await insert(3)
    expect(await list(3)).toHaveLength(1)
  })

  it('whose plan does not fit a changed table are read again as it is now', async () => {
    await insert(1)
    for (let n = 0; n < 3; n++) await list()
    await alter()
    expect(await list()).toEqual([{ id: 1, title: 'no. 1', pages: null }])
    for (let n = 0; n < 3; n++) await list()
    expect(await prepared()).not.toEqual([])
  })

  it('whose plan does not fit a changed table let a write run again', async () => {
    await insert(1)
    const rename = () =>
      database.write((trx) =>
        trx.updateTable('books').set({ title: 'new' }).returningAll().execute(),
      )
    for (let n = 0; n < 3; n++) await rename()
    await alter()
    expect(await rename()).toEqual([{ id: 1, title: 'new', pages: null }])
  })
})
