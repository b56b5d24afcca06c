import { join } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { POSTGRES_DISK_FULL } from '../db/outage.ts'
import { createFullDiskLogger } from '../logging/full-disk-logger.ts'
import { signInAs } from '../testing/dashboard-api.ts'
import { databases } from '../testing/databases.ts'
import { mountSmallDisk, removeSmallDisk } from '../testing/faults/small-disk.ts'
import { startTestService } from '../testing/service.ts'

async function startLogged() {
  // The disk fills up although much of it would have to stay free.
  const env = { GATEHOUSE_UPLOAD_FREE_BYTES: '0' }
  const lines: { level: number; msg: string; err?: { message: string } }[] = []
  const logger = pino({ level: 'error' }, { write: (line) => void lines.push(JSON.parse(line)) })
  return { lines, service: await startTestService(databases[0], { logger, env }) }
}

const lineFor = (folder: string) =>
  expect.stringMatching(
    new RegExp(
      `^the disk of ${folder} \\(GATEHOUSE_DATA\\) is full\\. .* refused until space is freed`,
    ),
  )

describe('a write that is refused because the disk is full', () => {
  it('is logged once, however many there are', async () => {
    const { lines, service } = await startLogged()
    try {
      const app = await service.newApplication()
      await app.addResource('news')
      // SQLite's own page limit raises the same error as a full disk.
      await app.environment.database.write(async (trx) => {
        await sql`pragma max_page_count = 1`.execute(trx)
      })
      const refused: unknown[] = []
      for (let n = 0; refused.length < 3; n++) {
        const email = `reader${n}@example.com`
        await app.client.grantAccess({ rid: 'news', email }).catch((error) => refused.push(error))
      }
      for (const one of refused) expect(one).toMatchObject({ code: 'storage_full' })
      expect(lines).toEqual([
        expect.objectContaining({ level: 50, msg: lineFor(service.ctx.config.dataFolder) }),
      ])
    } finally {
      await service.stop()
    }
  })

  it('is logged for an uploaded file too', async () => {
    const { lines, service } = await startLogged()
    const { dataFolder } = service.ctx.config
    const files = join(dataFolder, 'files')
    const hasDisk = mountSmallDisk(files, '1m')
    try {
      if (!hasDisk) return
      const app = await service.newApplication()
      await app.addResource('large')
      const staff = (await signInAs(service, 'support')).of(app)
      const path = '/resources/large/files?name=large.txt'
      const { status } = await staff.upload('POST', path, 'x'.repeat(2_000_000))
      expect(status).toBe(503)
      expect(lines).toEqual([
        expect.objectContaining({
          msg: lineFor(dataFolder),
          err: expect.objectContaining({ message: expect.stringContaining('ENOSPC') }),
        }),
      ])
    } finally {
      if (hasDisk) removeSmallDisk(files)
      await service.stop()
    }
  })
})

describe('the log of full disks', () => {
  afterEach(() => vi.useRealTimers())

  it("has a line a minute for each disk, and tells PostgreSQL's from our own", () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const lines: string[] = []
    const report = createFullDiskLogger({ error: (_, text) => lines.push(text) }, '/data')
    const own = new Error('full')
    const postgres = Object.assign(new Error('full'), { code: POSTGRES_DISK_FULL })
    for (const error of [own, postgres, own, postgres]) report(error)
    expect(lines).toEqual([
      expect.stringContaining('the disk of /data (GATEHOUSE_DATA) is full.'),
      expect.stringContaining("the disk of PostgreSQL's server is full."),
    ])
    vi.advanceTimersByTime(59_000)
    report(own)
    expect(lines).toHaveLength(2)
    vi.advanceTimersByTime(1_000)
    report(own)
    expect(lines).toHaveLength(3)
  })
})
