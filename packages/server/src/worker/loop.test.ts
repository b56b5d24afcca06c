import { once } from 'node:events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createChangeWatcher } from '../db/changes.ts'
import { createLogger } from '../logging/logger.ts'
import { databases } from '../testing/databases.ts'
import { useApplication, useService } from '../testing/use-service.ts'
import { MAX_QUIET_MS, startLoop } from './loop.ts'

const IDLE_MS = 2
/** Long, for a busy machine. */
const WITHIN = { timeout: 20_000, interval: 10 }

/** A database whose version is set by hand, and which counts how often it was read. */
function createFakeDatabase() {
  const reads = new EventTarget()
  const fake = {
    version: 1,
    isUnavailable: false,
    /** Resolves after the version was read this many more times. */
    async read(times: number) {
      for (let n = 0; n < times; n++) await once(reads, 'read')
    },
    database: {
      engine: 'sqlite' as const,
      read: undefined as never,
      dataVersion() {
        reads.dispatchEvent(new Event('read'))
        if (fake.isUnavailable) throw new Error('unavailable')
        return fake.version
      },
    },
  }
  return fake
}

/** Runs a job that never finds anything, and counts its passes. */
function startIdleJob(more: { nextDue?: () => Promise<number | undefined>; idleMs?: number } = {}) {
  const fake = createFakeDatabase()
  const changes = createChangeWatcher([fake.database])
  let offset = 0
  let passes = 0
  const env = {
    ...{ name: 'production' as const, changes },
    realTime: () => Date.now() + offset,
  }
  const loop = startLoop(env, createLogger('silent'), {
    ...{ name: 'a job', idleMs: IDLE_MS, lookEveryMs: IDLE_MS, retryMs: IDLE_MS, ...more },
    async work() {
      passes++
      return 0
    },
  })
  onTestFinished(() => loop.stop())
  return {
    ...{ fake, changes, env, loop },
    passes: () => passes,
    setClockAhead(ms: number) {
      offset = ms
    },
    /** Resolves when the job only waits for a change, and returns how often it had looked by then. */
    async quiet() {
      for (let before = -1; before !== passes; ) {
        before = passes
        await fake.read(5)
      }
      return passes
    },
  }
}

describe('a background job that finds nothing to do', () => {
  it('does not look again while nothing changes', async () => {
    const job = startIdleJob()
    const before = await job.quiet()
    await job.fake.read(20)
    expect(job.passes()).toBe(before)
  })

  it.each([
    ['a commit', (job: ReturnType<typeof startIdleJob>) => job.fake.version++],
    ['state in memory that changed', (job) => job.changes.notify()],
    ['a clock that was set forward', (job) => job.setClockAhead(5_000)],
    ['a clock that was set back', (job) => job.setClockAhead(-5_000)],
  ] satisfies [string, (job: ReturnType<typeof startIdleJob>) => void][])(
    'looks again after %s',
    async (_, change) => {
      const job = startIdleJob()
      const before = await job.quiet()
      change(job)
      await expect.poll(job.passes, WITHIN).toBeGreaterThan(before)
    },
  )

  it('looks again when something is due', async () => {
    const job = startIdleJob({ nextDue: async () => Date.now() + 50 })
    await expect.poll(job.passes, WITHIN).toBeGreaterThan(5)
  })

  it('goes on looking while something is overdue', async () => {
    const job = startIdleJob({ nextDue: async () => 1 })
    await expect.poll(job.passes, WITHIN).toBeGreaterThan(20)
  })

  it('looks when the database is unavailable, and so reports it', async () => {
    const job = startIdleJob()
    const before = await job.quiet()
    job.fake.isUnavailable = true
    await expect.poll(job.passes, WITHIN).toBeGreaterThan(before + 5)
  })

  it('ends at once when it is stopped', async () => {
    const job = startIdleJob()
    await job.quiet()
    await job.loop.stop()
    const short = startIdleJob({ idleMs: MAX_QUIET_MS })
    await expect.poll(short.passes, WITHIN).toBe(1)
    await short.loop.stop()
  })
})

describe.each(databases)('changes on $name', (database) => {
  const service = useService(database, { useRealTime: true })
  const app = useApplication(service, { resources: ['news'] })

  /** Resolves when a wait for a change of the present version has ended. */
  async function untilChanged(): Promise<void> {
    const { changes, realTime } = app.environment
    await changes.refresh()
    const since = changes.version
    const stopping = new AbortController().signal
    await changes.wait({ since, due: undefined, realTime, maxMs: 60_000, everyMs: 5, stopping })
    expect(changes.version).not.toBe(since)
  }

  it('are noticed in both environments and in the control database', async () => {
    const { control, environments } = service.ctx
    for (const { database: own } of Object.values(environments)) {
      const changed = untilChanged()
      const row = { name: 'test change', value: 'yes' }
      await own.write((trx) => trx.insertInto('meta').values(row).execute())
      await changed
      await own.write((trx) => trx.deleteFrom('meta').where('name', '=', row.name).execute())
    }
    const changed = untilChanged()
    const row = { name: 'test change', value: 'yes' }
    await control.write((trx) => trx.insertInto('meta').values(row).execute())
    await changed
  })
})
