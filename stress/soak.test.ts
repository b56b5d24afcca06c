import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { databases } from '../packages/server/src/testing/databases.ts'
import { soak } from '../packages/server/src/testing/soak/soak.ts'
import { seedSetting, setting } from './settings.ts'

const minutes = setting('SOAK_MINUTES', 30)
const seed = seedSetting('SOAK_SEED')
const workers = (process.env.SOAK_WORKERS ?? '1,2').split(',').map(Number) as (1 | 2)[]

/** In megabytes per ten minutes. */
const MAX_MEMORY_SLOPE = 1
/** In descriptors per ten minutes. The number of connections varies by itself. */
const MAX_DESCRIPTOR_SLOPE = 3
/** In seconds. A mail that a killed process was sending waits until its claim ends, after at most 90 seconds. */
const MAX_MAIL_AGE = 120

describe.each(databases)(
  'a mixed load with kills, restarts and clock moves, on $name,',
  (database) => {
    it.each(workers)(
      `makes nothing grow in ${minutes} minutes, with %i worker(s)`,
      async (count) => {
        console.info(`SOAK_MINUTES=${minutes} SOAK_SEED=${seed} SOAK_WORKERS=${count}`)
        const folder = mkdtempSync(join(tmpdir(), 'gatehouse-soak-'))
        const file = join(folder, 'issue.pdf')
        writeFileSync(file, randomBytes(64 * 1024))
        try {
          const report = await soak(database, { minutes, workers: count, seed, file })
          console.info(database.name, JSON.stringify(report, null, 1))
          for (const { slope } of Object.values(report.memory)) {
            expect(slope).toBeLessThanOrEqual(MAX_MEMORY_SLOPE)
          }
          for (const { slope } of Object.values(report.descriptors)) {
            expect(slope).toBeLessThanOrEqual(MAX_DESCRIPTOR_SLOPE)
          }
          expect(report.mailAge.max).toBeLessThan(MAX_MAIL_AGE)
          expect(report.counts.check).toBeGreaterThan(minutes * 60 * 50)
        } finally {
          rmSync(folder, { recursive: true, force: true })
        }
      },
    )
  },
)
