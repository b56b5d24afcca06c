import { describe, expect, it } from 'vitest'
import { databases } from '../packages/server/src/testing/databases.ts'
import { raceCursorsAtProcesses } from '../packages/server/src/testing/events/cursor-race-processes.ts'

const writers = Number(process.env.EVENT_WRITERS ?? 16)
const rounds = Number(process.env.EVENT_ROUNDS ?? 200)
const pagers = Number(process.env.EVENT_PAGERS ?? 4)
const kills = Number(process.env.EVENT_KILLS ?? 30)
const seed = Number(process.env.EVENT_SEED ?? Math.floor(Math.random() * 2 ** 31))

describe.each(databases)('events at two processes on $name', (database) => {
  it.each([0, kills])(
    `are missed by nobody and come to nobody twice, with ${writers} writers and %i kills`,
    async (killed) => {
      const size = { writers, rounds, pagers, kills: killed, seed }
      console.info(`EVENT_WRITERS=${writers} EVENT_ROUNDS=${rounds} EVENT_SEED=${seed}`)
      const report = await raceCursorsAtProcesses(database, size)
      console.info(database.name, report)
      expect(report.writes).toBe(writers * rounds * 2)
    },
  )
})
