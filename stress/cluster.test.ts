import { describe, expect, it } from 'vitest'
import { databases } from '../packages/server/src/testing/databases.ts'
import { killWorkersUnderLoad } from '../packages/server/src/testing/processes/worker-kills.ts'
import { seedSetting, setting } from './settings.ts'

const kills = setting('CLUSTER_KILLS', 200)
const seed = seedSetting('CLUSTER_SEED')

describe.each(databases)('two workers that are killed under load, on $name,', (database) => {
  it(`keep nobody waiting, refuse nobody and leave no descriptor, ${kills} times`, async () => {
    console.info(`CLUSTER_KILLS=${kills} CLUSTER_SEED=${seed}`)
    const report = await killWorkersUnderLoad(database, { kills, seed })
    console.info(database.name, JSON.stringify(report))
    expect(report.outcomes).not.toHaveProperty('ECONNREFUSED')
    expect(report.outcomes).not.toHaveProperty('hangs')
    expect(report.longestMs).toBeLessThan(3_000)
    expect(report.descriptors.after).toBe(report.descriptors.before)
  })
})
