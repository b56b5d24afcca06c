import { describe, expect, it } from 'vitest'
import { databases } from '../packages/server/src/testing/databases.ts'
import { measureDeadEndpoint } from '../packages/server/src/testing/webhooks/dead-endpoint.ts'
import { deliverToRoughReceivers } from '../packages/server/src/testing/webhooks/rough-receivers.ts'
import { seedSetting, setting } from './settings.ts'

const minutes = setting('WEBHOOK_MINUTES', 60)
const rate = setting('WEBHOOK_RATE', 20)
const backlog = setting('WEBHOOK_BACKLOG', 1_000_000)
const seed = seedSetting('WEBHOOK_SEED')

/** In megabytes. */
const MAX_GROWTH = 64

describe.each(databases)('webhooks on $name', (database) => {
  it(`are neither lost nor reordered by rough receivers, and healthy ones don't notice, in ${minutes} minutes`, async () => {
    console.info(`WEBHOOK_MINUTES=${minutes} WEBHOOK_RATE=${rate} WEBHOOK_SEED=${seed}`)
    const report = await deliverToRoughReceivers(database, { seconds: minutes * 60, seed, rate })
    console.info(database.name, JSON.stringify(report, null, 1))
    expect(report.lost).toBe(0)
    expect(report.outOfOrder).toBe(0)
    expect(report.p99.beside).toBeLessThanOrEqual(1.2 * report.p99.alone)
    expect(report.memory.end - report.memory.begin).toBeLessThan(MAX_GROWTH)
  })

  it(`to a dead endpoint that is ${backlog} events behind cost next to nothing`, async () => {
    const report = await measureDeadEndpoint(database, { backlog, seconds: 60 })
    console.info(database.name, JSON.stringify(report, null, 1))
    expect(report.processor).toBeLessThan(0.01)
    expect(report.rows).toBeLessThanOrEqual(1_000)
    expect(report.growth).toBeLessThan(MAX_GROWTH)
  })
})
