import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OperatorError } from '../../errors.ts'
import { databases } from '../../testing/databases.ts'
import { startTestService, type TestService } from '../../testing/service.ts'
import { fileIn, useDatabaseFolder } from '../../testing/sqlite/database-folder.ts'
import type { EnvironmentDatabase } from '../database.ts'
import { findViolations } from '../invariants/invariants.ts'

let folder: string
const { open, refusalOf } = useDatabaseFolder((path) => {
  folder = path
})

/** Counts the access records, and checks all invariants. */
async function countAccess(database: EnvironmentDatabase): Promise<number> {
  expect(await findViolations(database.read, 253_402_300_799)).toEqual([])
  const { rows } = await sql<{ count: number }>`select count(*) as count from access`.execute(
    database.read,
  )
  return rows[0]?.count as number
}

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
