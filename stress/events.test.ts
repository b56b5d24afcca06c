import { describe, expect, it } from 'vitest'
import { databases } from '../packages/server/src/testing/databases.ts'
import { raceCursorsAtProcesses } from '../packages/server/src/testing/events/cursor-race-processes.ts'
import { seedSetting, setting } from './settings.ts'

const writers = setting('EVENT_WRITERS', 16)
const rounds = setting('EVENT_ROUNDS', 200)
const pagers = setting('EVENT_PAGERS', 4)
const kills = setting('EVENT_KILLS', 30)
const seed = seedSetting('EVENT_SEED')

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
