import { describe, expect, it, onTestFailed, vi } from 'vitest'
import { databases } from '../testing/databases.ts'
import { killRounds } from '../testing/processes/kill-rounds.ts'

/** Starts real processes many times: on a busy machine each start takes many seconds. */
vi.setConfig({ testTimeout: 600_000 })

describe.each(databases)('a server that is killed under load, on $name,', (database) => {
  it('has lost nothing that it answered, and repeats at most one mail for each kill', async () => {
    const seed = Math.floor(Math.random() * 2 ** 31)
    onTestFailed(() => console.error(`seed ${seed}`))
    const { answered } = await killRounds(database, { rounds: 4, seed })
    expect(answered).toBeGreaterThan(0)
  })
})
