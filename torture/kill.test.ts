import { describe, expect, it } from 'vitest'
import { databases } from '../packages/server/src/testing/databases.ts'
import { killRounds } from '../packages/server/src/testing/kill-rounds.ts'

const rounds = Number(process.env.KILL_ROUNDS ?? 100)
const seed = Number(process.env.KILL_SEED ?? Math.floor(Math.random() * 2 ** 31))

describe.each(databases)('a server that is killed under load, on $name,', (database) => {
  it(`has lost nothing that it answered after ${rounds} kills`, async () => {
    console.info(`KILL_ROUNDS=${rounds} KILL_SEED=${seed}`)
    const report = await killRounds(database, { rounds, seed })
    console.info(database.name, report)
    expect(report.answered).toBeGreaterThan(rounds)
  })
})
