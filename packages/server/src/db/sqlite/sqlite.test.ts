import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { DatabaseSync } from '@photostructure/sqlite'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { OperatorError } from '../../errors.ts'
import { databases } from '../../testing/databases.ts'
import { fileIn, useDatabaseFolder } from '../../testing/sqlite/database-folder.ts'
import { useApplication, useService } from '../../testing/use-service.ts'
import type { EnvironmentDatabase } from '../database.ts'

let folder: string
const { open, refusalOf } = useDatabaseFolder((path) => {
  folder = path
})

describe('an SQLite database', () => {
  it('and what lies beside it is for its owner alone', async () => {
    const database = await open()
    await database.write(async (trx) => {
      await trx.insertInto('meta').values({ name: 'a', value: 'b' }).execute()
    })
    const modes = readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777)
    expect(modes).toEqual([0o600, 0o600, 0o600])
    await database.close()
  })

  it('is checked at its start without keeping all of it in memory', async () => {
    await (await open()).close()
    const file = new DatabaseSync(fileIn(folder))
    file.exec(`create table filling as with recursive n (i) as (select 1 union all select i + 1 from n limit 15000)
      select randomblob(4000) as bytes from n`)
    file.close()
    const before = process.memoryUsage.rss()
    const database = await open()
    expect(process.memoryUsage.rss() - before).toBeLessThan(30e6)
    await database.close()
  })

  it.each([
    ['3.51.2', false],
    ['3.9.99', false],
    ['2.52.9', false],
    ['3.51.3', true],
    ['3.52.0', true],
    ['4.0.0', true],
  ])('is opened by version %s of the library: %s', async (version, isOpened) => {
    class OtherVersion extends DatabaseSync {
      constructor(path: string) {
        super(path)
        // An application may replace SQLite's own functions.
        this.function('sqlite_version', () => version)
      }
    }
    vi.doMock('@photostructure/sqlite', () => ({ DatabaseSync: OtherVersion }))
    // With a query it is loaded once more, and nothing else is.
    const again: string = `./file.ts?${version.replaceAll('.', '_')}`
    const { openConnections } = (await import(again)) as typeof import('./file.ts')
    vi.doUnmock('@photostructure/sqlite')
    const opening = () => {
      for (const one of Object.values(openConnections(fileIn(folder)))) one.close()
    }
    if (isOpened) return opening()
    const problem = `SQLite ${version} is too old; 3.51.3 or newer is required`
    expect(opening).toThrow(new OperatorError(problem))
  })

  it('is refused when it is another kind of file, or no file, and is left as it is', async () => {
    for (const content of [
      'x',
      'PK\u0003\u0004 not a database',
      'SQLite format 2\0',
      '\0'.repeat(8192),
    ]) {
      writeFileSync(fileIn(folder), content)
      expect(await refusalOf(open())).toContain('is damaged')
      expect(readFileSync(fileIn(folder), 'utf8')).toBe(content)
    }
    rmSync(fileIn(folder))
    mkdirSync(fileIn(folder))
    await refusalOf(open())
  })

  it('is let go of when it can’t be used', async () => {
    writeFileSync(fileIn(folder), `SQLite format 3\0\u0010\0${'x'.repeat(4096 - 18)}`)
    await refusalOf(open())
    const held = readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder)
      } catch {
        return false
      }
    })
    expect(held).toEqual([])
  })

  it('is closed even if its log can’t be folded in', async () => {
    const database = await open()
    const writer = await database.write(async (trx) => [trx])
    // In an open transaction SQLite refuses to checkpoint, as it does on a full disk.
    for (const trx of writer) await sql`begin immediate`.execute(trx)
    await database.close()
    await expect(database.ping()).rejects.toThrow()
  })

  it('is closed after all writes that wait, however many', async () => {
    const database = await open()
    let over = 0
    const write = () => database.write(async () => over++)
    const writes = Array.from({ length: 5_000 }, write)
    const refused = write().catch((error: unknown) => error)
    await database.close()
    expect(over).toBe(5_000)
    await Promise.all(writes)
    expect(await refused).toMatchObject({ code: 'overloaded' })
  })

  it('lets others use the event loop during a long transaction', async () => {
    const database = await open()
    let isWriting = true
    let turns = 0
    const countTurn = () => {
      turns++
      if (isWriting) setImmediate(countTurn)
    }
    await database.write(async (trx) => {
      setImmediate(countTurn)
      const end = performance.now() + 300
      while (performance.now() < end) {
        await sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000) select count(*) from n`.execute(
          trx,
        )
      }
    })
    isWriting = false
    await database.close()
    expect(turns).toBeGreaterThan(5)
  })

  it('outlives its prepared statements: no garbage collection closes it', async () => {
    setFlagsFromString('--expose-gc')
    const collectGarbage = runInNewContext('gc') as () => void
    const database = await open()
    for (let n = 0; n < 5; n++) {
      const name = `n${n}`
      await database.write(async (trx) => {
        await trx.insertInto('meta').values({ name, value: 'x' }).execute()
      })
      collectGarbage()
      const row = await database.read
        .selectFrom('meta')
        .selectAll()
        .where('name', '=', name)
        .execute()
      expect(row).toHaveLength(1)
    }
    await database.close()
  })
})

describe('a service on SQLite', () => {
  const service = useService(databases[0])
  const app = useApplication(service, { resources: ['news'] })
  let database: EnvironmentDatabase
  beforeAll(async () => {
    await app.client.grantAccess({ rid: 'news', email: 'first@example.com', user_ref: 'first' })
    database = service.ctx.environments.production.database
  })

  const limitPages = (most: number) =>
    database.write(async (trx) => {
      await sql`pragma max_page_count = ${sql.lit(most)}`.execute(trx)
    })

  const grant = (name: string) =>
    app.client.grantAccess({ rid: 'news', email: `${name}@example.com`, user_ref: name })

  it('answers 503 when the disk is full, goes on reading, and recovers by itself', async () => {
    // SQLite's own page limit raises the same error as a full disk. It can't be below the current size.
    await limitPages(1)
    const granted: string[] = []
    let refusal: unknown
    for (let n = 0; refusal === undefined && n < 1_000; n++) {
      await grant(`full${n}`).then(
        () => granted.push(`full${n}`),
        (error: unknown) => {
          refusal = error
        },
      )
    }
    expect(refusal).toMatchObject({ status: 503, code: 'storage_full' })
    for (const name of ['first', ...granted]) {
      expect(await app.client.hasAccess({ rid: 'news', user_ref: name })).toBe(true)
    }
    expect(await app.client.hasAccess({ rid: 'news', user_ref: `full${granted.length}` })).toBe(
      false,
    )
    await service.requireInvariants()
    await limitPages(1_000_000)
    await grant(`full${granted.length}`)
    expect(await app.client.hasAccess({ rid: 'news', user_ref: `full${granted.length}` })).toBe(
      true,
    )
  })

  it('waits for another process that writes, answers meanwhile, and then goes on', async () => {
    const holder = await holdWriteLock(fileIn(service.installation.env.GATEHOUSE_DATA as string))
    let waiting = 20
    const grants = Array.from({ length: waiting }, (_, n) =>
      grant(`patient${n}`).then(() => waiting--),
    )
    let slowest = 0
    while (holder.exitCode === null) {
      const askedAt = performance.now()
      expect(await app.client.hasAccess({ rid: 'news', user_ref: 'first' })).toBe(true)
      slowest = Math.max(slowest, performance.now() - askedAt)
      if (holder.exitCode === null) expect(waiting).toBe(20)
    }
    // A blocked event loop would have delayed a read for as long as the lock was held.
    expect(slowest).toBeLessThan(HELD_MS / 2)
    await Promise.all(grants)
    expect(waiting).toBe(0)
  })
})

const HELD_MS = 6_000

/** Starts a process that takes the write lock, reports it, and releases it by exiting. */
async function holdWriteLock(path: string) {
  const program = `
    const { DatabaseSync } = require(${JSON.stringify(createRequire(import.meta.url).resolve('@photostructure/sqlite'))})
    const database = new DatabaseSync(${JSON.stringify(path)})
    database.exec('begin exclusive')
    console.log('held')
    setTimeout(() => process.exit(), ${HELD_MS})`
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return child
}
