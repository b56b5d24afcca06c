import { describe, expect, it } from 'vitest'
import { databases } from '../packages/server/src/testing/databases.ts'
import { sendHostileInputs } from '../packages/server/src/testing/hostile/send-inputs.ts'
import { seedSetting, setting } from './settings.ts'

const count = setting('HOSTILE_COUNT', 10_000)
const seed = seedSetting('HOSTILE_SEED')

const MAX_PAUSE_MS = 50

describe.each(databases)('hostile images, sheets and templates on $name', (database) => {
  it(`${count} of them neither stop nor crash the service`, async () => {
    console.info(`HOSTILE_COUNT=${count} HOSTILE_SEED=${seed}`)
    const report = await sendHostileInputs(database, { count, seed })
    console.info(database.name, JSON.stringify(report, null, 1))
    expect(report.unexpected).toEqual([])
    expect(report.lostPings).toBe(0)
    const pauses = Object.values(report.pauses).map(({ processor }) => processor)
    expect(Math.max(...pauses)).toBeLessThan(MAX_PAUSE_MS)
  })
})
