import { describe, expect, it } from 'vitest'
import { failoverRounds } from '../packaging/services/failover/rounds.ts'
import { seedSetting, setting } from './settings.ts'

const kills = setting('FAILOVER_KILLS', 20)
const seed = seedSetting('FAILOVER_SEED')

describe('a pair of PostgreSQL servers with synchronous replication', () => {
  it(`loses nothing that was answered when its primary is killed ${kills} times`, async () => {
    console.info(`FAILOVER_KILLS=${kills} FAILOVER_SEED=${seed}`)
    const report = await failoverRounds({ kills, seed })
    console.info(JSON.stringify(report, null, 2))
    expect(report.answered).toBeGreaterThan(kills)
  })
})
