import { describe, expect, it } from 'vitest'
import { databases } from '../packages/server/src/testing/databases.ts'
import { killRounds } from '../packages/server/src/testing/processes/kill-rounds.ts'
import { seedSetting, setting } from './settings.ts'

const rounds = setting('KILL_ROUNDS', 100)
const restarts = setting('KILL_RESTARTS', 30)
const pauses = setting('KILL_PAUSES', 10)
const seed = seedSetting('KILL_SEED')

describe.each(databases)('servers that are killed under load, on $name,', (database) => {
  it.each([1, 2])(
    `have lost nothing that they answered after ${rounds} kills: %i of them`,
    async (processes) => {
      console.info(`KILL_ROUNDS=${rounds} KILL_SEED=${seed}`)
      const report = await killRounds(database, { rounds, seed, processes })
      console.info(database.name, { processes, ...report })
      expect(report.answered).toBeGreaterThan(rounds)
    },
  )
})

describe.each(databases)('two servers that stand still for 5 seconds, on $name,', (database) => {
  it(`have lost nothing that they answered, and send twice only what was taken from them, ${pauses} times`, async () => {
    console.info(`KILL_PAUSES=${pauses} KILL_SEED=${seed}`)
    const report = await killRounds(database, { rounds: 0, pauses, seed, processes: 2 })
    console.info(database.name, report)
    expect(report.answered).toBeGreaterThan(0)
  })
})

describe('two servers that are killed, and whose PostgreSQL goes away under load,', () => {
  it(`have lost nothing that they answered, and recover, ${restarts} times`, async () => {
    const kills = Math.ceil(rounds / 4)
    console.info(`KILL_ROUNDS=${rounds} KILL_RESTARTS=${restarts} KILL_SEED=${seed}`)
    const report = await killRounds(databases[1], { rounds: kills, restarts, seed, processes: 2 })
    console.info(report)
    expect(report.refused).toBeGreaterThan(0)
  })
})
