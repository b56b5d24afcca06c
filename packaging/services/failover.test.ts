import { describe, expect, it, vi } from 'vitest'
import { seedSetting, setting } from '../../stress/settings.ts'
import { loseByFailover } from './failover/loss.ts'
import { failoverRounds } from './failover/rounds.ts'

const kills = setting('FAILOVER_KILLS', 2)
const seed = seedSetting('FAILOVER_SEED')

vi.setConfig({ testTimeout: 3_600_000 })

describe('a pair of PostgreSQL servers with synchronous replication', () => {
  it(`loses nothing that was answered when its primary is killed ${kills} times`, async () => {
    console.info(`FAILOVER_KILLS=${kills} FAILOVER_SEED=${seed}`)
    const report = await failoverRounds({ kills, seed })
    expect(report.answered).toBeGreaterThan(kills)
  })
})

describe('a pair of PostgreSQL servers with asynchronous replication', () => {
  it('is on hold after a failover, and gets back from the provider what it has lost', async () => {
    const { cause, reconciled } = await loseByFailover()
    expect(cause).toBe('other_timeline')
    expect(reconciled.flatMap(({ open }) => open)).toEqual([])
    expect(reconciled.flatMap(({ repaired }) => repaired)).toEqual([
      expect.stringContaining('was lost and is rebuilt'),
      expect.stringContaining('was made at the provider, and now counts here'),
    ])
  })
})
