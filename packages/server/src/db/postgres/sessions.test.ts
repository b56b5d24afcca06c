import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { type DatabaseProxy, startDatabaseProxy } from '../../testing/postgres/database-proxy.ts'
import { useFreshInstallation } from '../../testing/use-service.ts'
import type { Database } from '../database.ts'
import { toOutageFailure } from '../outage.ts'
import { openPostgres } from './postgres.ts'

interface Notes {
  notes: { text: string }
}

const LIMIT_MS = 600

describe('a connection to PostgreSQL', () => {
  const installation = useFreshInstallation(databases[1])
  let proxy: DatabaseProxy
  let database: Database<Notes>
  beforeEach(async () => {
    proxy = await startDatabaseProxy(installation.env.GATEHOUSE_DATABASE_URL as string)
    database = await openPostgres<Notes>(`${proxy.url}?query_timeout=${LIMIT_MS}`, 'production', 2)
    await database.write(async (trx) => {
      await sql`create schema production`.execute(trx)
      await sql`create table notes (text text not null)`.execute(trx)
    })
  })
  afterEach(async () => {
    await database.close()
    await proxy.close()
  })

  const notes = async () => {
    const rows = await database.read.selectFrom('notes').select('text').execute()
    return rows.map(({ text }) => text)
  }

  /** Writes one note; returns the error, if any, and how often the function ran. */
  async function write(text: string): Promise<{ runs: number; error: unknown; took: number }> {
    let runs = 0
    const startedAt = performance.now()
    const error = await database
      .write(async (trx) => {
        runs++
        await trx.insertInto('notes').values({ text }).execute()
      })
      .then(
        () => undefined,
        (reason: unknown) => reason,
      )
    return { runs, error, took: performance.now() - startedAt }
  }

  const expectOutage = (error: unknown) =>
    expect(toOutageFailure(error)).toMatchObject({ code: 'database_unavailable' })

  it.each(['before', 'after'] as const)(
    'that is cut %s a read is replaced, unnoticed',
    async (when) => {
      await write('one')
      proxy.cutAt('from "notes"', when)
      expect(await notes()).toEqual(['one'])
    },
  )

  it.each(['start transaction', 'insert into'])(
    'that is cut at “%s” lets the write run again: nothing has happened',
    async (text) => {
      proxy.cutAt(text, 'after')
      const { error } = await write('one')
      expect(error).toBeUndefined()
      expect(await notes()).toEqual(['one'])
    },
  )

  it.each([
    ['before', []],
    ['after', ['one']],
  ] as const)(
    'that is cut %s the commit leaves it open: the write is not repeated',
    async (when, there) => {
      // With the NUL that ends it on the wire: the start of a transaction contains "read committed".
      proxy.cutAt('commit\0', when)
      const { runs, error } = await write('one')
      expect(runs).toBe(1)
      expectOutage(error)
      expect(await notes()).toEqual(there)
    },
  )

  it('that is cut for good is tried once more, no oftener', async () => {
    await proxy.close()
    const { runs, error } = await write('one')
    expect(runs).toBe(0)
    expectOutage(error)
  })

  it('that falls silent is waited for so long, and then used by nobody', async () => {
    await notes()
    proxy.silence()
    const startedAt = performance.now()
    const failures = await Promise.all([notes().catch((e) => e), write('one').then((w) => w.error)])
    const took = performance.now() - startedAt
    for (const failure of failures) expectOutage(failure)
    // The read times out on the existing connection; the write has to open a second one.
    expect(took).toBeGreaterThan(LIMIT_MS - 50)
    expect(took).toBeLessThan(LIMIT_MS + 15_000)
    proxy.restore()
    expect(await notes()).toEqual([])
    expect(await write('two')).toMatchObject({ runs: 1, error: undefined })
  })

  it('has one limit for all statements of a write together', async () => {
    let runs = 0
    const startedAt = performance.now()
    const slow = database.write(async (trx) => {
      for (;;) {
        runs++
        await sql`select pg_sleep(0.2)`.execute(trx)
      }
    })
    expectOutage(await slow.catch((error) => error))
    expect(runs).toBeLessThan(5)
    expect(performance.now() - startedAt).toBeLessThan(LIMIT_MS + 15_000)
    expect(await notes()).toEqual([])
  })

  it('has the same limit for all tries of a write that loses races', async () => {
    let runs = 0
    const losing = database.write(async (trx) => {
      runs++
      await sql`select pg_sleep(0.4)`.execute(trx)
      await sql.raw(`do $$ begin raise exception using errcode = '40001'; end $$`).execute(trx)
    })
    expectOutage(await losing.catch((error) => error))
    expect(runs).toBeLessThan(3)
  })

  it('is left for those who read, however many write', async () => {
    let letGo = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const writing = [1, 2].map(() => database.write(() => held))
    const reading = notes().finally(letGo)
    expect(await reading).toEqual([])
    await Promise.all(writing)
  })

  it('commits nothing of a transaction in which a statement has failed', async () => {
    const deaf = database.write(async (trx) => {
      await trx.insertInto('notes').values({ text: 'one' }).execute()
      await sql`select 1 / 0`.execute(trx).catch(() => {})
    })
    await expect(deaf).rejects.toThrow('had failed')
    expect(await notes()).toEqual([])
  })
})
