import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { databases, type TestDatabase } from '../testing/databases.ts'
import { useFreshFixture } from '../testing/fixtures.ts'
import { useService } from '../testing/use-service.ts'
import type { EnvironmentDatabase, Trx } from './database.ts'

const [, postgres] = databases

/** Resolves for all callers once this many have arrived. */
function barrier(count: number): () => Promise<void> {
  let arrived = 0
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return async () => {
    if (++arrived >= count) open()
    await opened
  }
}

const insert = (trx: Trx, name: string, value: string) =>
  trx.insertInto('meta').values({ name, value }).execute()

/** The database of production. Its table `meta` is empty at the beginning of each test. */
function useEmptyMeta(database: TestDatabase): EnvironmentDatabase {
  const service = useService(database)
  return useFreshFixture(async () => {
    const { database: db } = service.ctx.environments.production
    await db.write((trx) => trx.deleteFrom('meta').execute())
    return db
  })
}

describe.each(databases)('write() on $name', (database) => {
  const db = useEmptyMeta(database)

  const rows = () => db.read.selectFrom('meta').selectAll().orderBy('name').execute()

  it('is the only way to change anything: reads and snapshots refuse', async () => {
    const changes = [
      sql`insert into meta (name, value) values ('a', 'b')`,
      sql`delete from meta`,
      sql`create table mine (id text)`,
      sql`drop table meta`,
    ]
    for (const change of changes) {
      await expect(change.execute(db.read)).rejects.toThrow(/read-?only/i)
      await expect(db.snapshot((snapshot) => change.execute(snapshot))).rejects.toThrow(
        /read-?only/i,
      )
    }
    expect(await rows()).toEqual([])
  })

  it('keeps all of it, or nothing when anything throws', async () => {
    await db.write(async (trx) => {
      await insert(trx, 'a', '1')
      await insert(trx, 'b', '2')
    })
    const failing = db.write(async (trx) => {
      await trx.deleteFrom('meta').where('name', '=', 'a').execute()
      await insert(trx, 'c', '3')
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect((await rows()).map(({ name }) => name)).toEqual(['a', 'b'])
    // The next write is not affected.
    await db.write((trx) => insert(trx, 'd', '4'))
    expect(await rows()).toHaveLength(3)
  })

  it('shows others nothing before it is done', async () => {
    let seen: unknown
    await db.write(async (trx) => {
      await insert(trx, 'a', '1')
      seen = await rows()
    })
    expect(seen).toEqual([])
    expect(await rows()).toHaveLength(1)
  })

  it('loses no update of thirty that read before they write', async () => {
    await db.write((trx) => insert(trx, 'count', '0'))
    const increment = async (trx: Trx) => {
      const { value } = await trx
        .selectFrom('meta')
        .select('value')
        .where('name', '=', 'count')
        .forUpdate()
        .executeTakeFirstOrThrow()
      const next = String(Number(value) + 1)
      await trx.updateTable('meta').set({ value: next }).where('name', '=', 'count').execute()
    }
    await Promise.all(Array.from({ length: 30 }, () => db.write(increment)))
    expect(await rows()).toEqual([{ name: 'count', value: '30' }])
  })

  it('gives a snapshot of one moment, whatever is written meanwhile', async () => {
    await db.write((trx) => insert(trx, 'a', '1'))
    await db.snapshot(async (snapshot) => {
      const count = async () => (await snapshot.selectFrom('meta').selectAll().execute()).length
      expect(await count()).toBe(1)
      await db.write((trx) => insert(trx, 'b', '2'))
      expect(await count()).toBe(1)
    })
    expect(await rows()).toHaveLength(2)
  })
})

describe('write() on PostgreSQL', () => {
  const db = useEmptyMeta(postgres)

  it('runs again after losing the race for a row, and sees what the winner wrote', async () => {
    const together = barrier(5)
    let runs = 0
    const makeOnce = async (trx: Trx) => {
      runs++
      const found = await trx.selectFrom('meta').select('value').executeTakeFirst()
      if (found) return found.value
      await together()
      await insert(trx, 'only', 'one')
      return 'made'
    }
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => db.write(makeOnce)))
    expect(outcomes.sort()).toEqual(['made', 'one', 'one', 'one', 'one'])
    expect(runs).toBe(9)
  })

  it('gives up after a few times when it is no race at all', async () => {
    await db.write((trx) => insert(trx, 'taken', 'x'))
    let runs = 0
    const always = db.write(async (trx) => {
      runs++
      await insert(trx, 'taken', 'y')
    })
    await expect(always).rejects.toMatchObject({ code: '23505' })
    expect(runs).toBe(5)
  })

  it('survives a deadlock: both are done in the end', async () => {
    for (const name of ['a', 'b']) await db.write((trx) => insert(trx, name, ''))
    const together = barrier(2)
    const touch = (trx: Trx, name: string, value: string) =>
      trx.updateTable('meta').set({ value }).where('name', '=', name).execute()
    const both = (one: string, other: string) =>
      db.write(async (trx) => {
        await touch(trx, one, one)
        await together()
        await touch(trx, other, one)
      })
    await Promise.all([both('a', 'b'), both('b', 'a')])
    const values = await db.read.selectFrom('meta').select('value').execute()
    // They ran one after the other: the last one wrote both rows.
    expect(new Set(values.map(({ value }) => value)).size).toBe(1)
  })
})
