import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { DatabaseSync } from '@photostructure/sqlite'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { OperatorError } from '../../errors.ts'
import { databases } from '../../testing/databases.ts'
import { startTestService, type TestService } from '../../testing/service.ts'
import { useApplication, useService } from '../../testing/use-service.ts'
import type { EnvironmentDatabase } from '../database.ts'
import { findViolations } from '../invariants/invariants.ts'
import { environmentMigrations } from '../migrations.ts'
import { openDatabase } from '../open.ts'
import type { Tables } from '../tables.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-sqlite-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const fileIn = (where: string) => join(where, 'production.sqlite')
const open = (where = folder): Promise<EnvironmentDatabase> =>
  openDatabase<Tables>({ engine: 'sqlite', folder: where }, 'production', environmentMigrations)

async function refusalOf(opening: Promise<EnvironmentDatabase>): Promise<string> {
  const error = await opening.then(
    (database) => database.close(),
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(OperatorError)
  const { message } = error as OperatorError
  expect(message).toContain(fileIn(folder))
  expect(message).not.toMatch(/[\r\n]/)
  return message
}

/** Counts the access records, and checks all invariants. */
async function countAccess(database: EnvironmentDatabase): Promise<number> {
  expect(await findViolations(database.read, 253_402_300_799)).toEqual([])
  const { rows } = await sql<{ count: number }>`select count(*) as count from access`.execute(
    database.read,
  )
  return rows[0]?.count as number
}

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

describe('damage to an SQLite file', () => {
  /** Few enough to stay below the automatic checkpoint: the test truncates the log. */
  const GRANTS = 15
  const FOLDED_AT = 1_000 * 4_120
  let service: TestService
  /** A copy of the database with a write-ahead log, and one whose log is empty. */
  let withLog: string
  let whole: string

  beforeAll(async () => {
    service = await startTestService(databases[0])
    const app = await service.newApplication()
    await app.addResource('news')
    const other = new DatabaseSync(fileIn(service.installation.env.GATEHOUSE_DATA as string))
    other.exec('pragma wal_checkpoint(truncate)')
    other.close()
    for (let n = 0; n < GRANTS; n++) {
      await app.client.grantAccess({
        rid: 'news',
        email: `reader${n}@example.com`,
        user_ref: `r${n}`,
      })
    }
    withLog = mkdtempSync(join(tmpdir(), 'gatehouse-log-'))
    const home = service.installation.env.GATEHOUSE_DATA as string
    copyFileSync(fileIn(home), fileIn(withLog))
    copyFileSync(`${fileIn(home)}-wal`, `${fileIn(withLog)}-wal`)
    await service.requireInvariants()
    await service.stop()
    whole = mkdtempSync(join(tmpdir(), 'gatehouse-whole-'))
    for (const name of readdirSync(withLog)) copyFileSync(join(withLog, name), join(whole, name))
    await (await open(whole)).close()
    // A stopped service leaves an empty log.
    expect(statSync(`${fileIn(whole)}-wal`).size).toBe(0)
    for (const end of ['-wal', '-shm']) rmSync(fileIn(whole) + end)
  })
  afterAll(() => {
    for (const one of [withLog, whole]) rmSync(one, { recursive: true, force: true })
  })

  function copyOf(original: string): void {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder)
    for (const name of readdirSync(original)) copyFileSync(join(original, name), join(folder, name))
  }

  /** Returns undefined if the file was refused. */
  async function tryToOpen(): Promise<EnvironmentDatabase | undefined> {
    try {
      return await open()
    } catch (error) {
      expect(error).toBeInstanceOf(OperatorError)
      const { message } = error as OperatorError
      expect(message).toContain(fileIn(folder))
      expect(message).not.toMatch(/\p{Cc}/u)
      return undefined
    }
  }

  it('such as a log cut at any byte leaves a state that was once committed', async () => {
    const size = statSync(`${fileIn(withLog)}-wal`).size
    expect(size).toBeGreaterThan(100_000)
    expect(size).toBeLessThan(FOLDED_AT)
    const seen = new Set<number>()
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: size }), async (length) => {
        copyOf(withLog)
        truncateSync(`${fileIn(folder)}-wal`, length)
        const database = await open()
        expect(await database.findDamage()).toEqual([])
        const { rows } = await sql<{ ref: string }>`
          select user_ref as ref from access where user_ref is not null`.execute(database.read)
        await countAccess(database)
        // No gaps: the surviving grants are the first ones.
        const numbers = rows.map(({ ref }) => Number(ref.slice(1))).sort((a, b) => a - b)
        expect(numbers).toEqual(numbers.map((_, index) => index))
        seen.add(numbers.length)
        await database.close()
      }),
      { numRuns: 40 },
    )
    expect(seen.size).toBeGreaterThan(5)
  })

  it('such as an empty, a lost or a foreign log costs no more than what was in the log', async () => {
    for (const damage of [
      () => writeFileSync(`${fileIn(folder)}-wal`, ''),
      () => writeFileSync(`${fileIn(folder)}-wal`, 'x'.repeat(100_000)),
      () => writeFileSync(`${fileIn(folder)}-shm`, 'x'.repeat(32_768)),
    ]) {
      copyOf(whole)
      damage()
      const database = await open()
      expect(await countAccess(database)).toBe(GRANTS)
      await database.close()
    }
  })

  it('such as a cut file is refused', async () => {
    const size = statSync(fileIn(whole)).size
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: size - 1 }), async (length) => {
        copyOf(whole)
        truncateSync(fileIn(folder), length)
        expect(await refusalOf(open())).toContain('is damaged')
      }),
      { numRuns: 40 },
    )
  })

  it('such as flipped bytes is refused in one line, or has left the tables whole', async () => {
    const bytes = readFileSync(fileIn(whole))
    let refusals = 0
    const flips = fc.array(
      fc.tuple(fc.nat({ max: bytes.length - 1 }), fc.integer({ min: 1, max: 255 })),
      {
        minLength: 20,
        maxLength: 60,
      },
    )
    await fc.assert(
      fc.asyncProperty(flips, async (flipped) => {
        copyOf(whole)
        const damaged = Buffer.from(bytes)
        for (const [at, mask] of flipped) damaged[at] = (damaged[at] as number) ^ mask
        writeFileSync(fileIn(folder), damaged)
        const database = await tryToOpen()
        if (!database) refusals++
        await database?.close()
      }),
      { numRuns: 60 },
    )
    expect(refusals).toBeGreaterThan(10)
  })

  it('in the list of tables or in any page of theirs is refused', async () => {
    const bytes = readFileSync(fileIn(whole))
    const PAGE = 4096
    for (let page = 1; page < bytes.length / PAGE; page++) {
      copyOf(whole)
      const damaged = Buffer.from(bytes)
      damaged.fill(0xa5, page * PAGE, page * PAGE + 64)
      writeFileSync(fileIn(folder), damaged)
      expect(await refusalOf(open()), `page ${page + 1}`).toContain('is damaged')
    }
    copyOf(whole)
    const renamed = Buffer.from(
      bytes.toString('latin1').replaceAll('migrations', 'nigrations'),
      'latin1',
    )
    writeFileSync(fileIn(folder), renamed)
    await refusalOf(open())
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
