import { describe, expect, it } from 'vitest'
import { databases } from '../packages/server/src/testing/databases.ts'
import { RESTORING_KINDS } from '../packages/server/src/testing/model/operation-kinds.ts'
import { runHistories } from '../packages/server/src/testing/model/run-histories.ts'
import { runHistoryOnProcesses } from '../packages/server/src/testing/model/run-on-processes.ts'
import { seedSetting, setting } from './settings.ts'

const steps = setting('MODEL_STEPS', 100_000)
const length = setting('MODEL_LENGTH', 100)
const seed = seedSetting('MODEL_SEED')

describe.each(databases)('random histories over all entry points on $name', (database) => {
  it(`hold against every oracle for ${steps} operations`, async () => {
    console.info(`MODEL_STEPS=${steps} MODEL_LENGTH=${length} MODEL_SEED=${seed}`)
    const { outcomes, ...report } = await runHistories(database, {
      ...{ seed, steps, length },
      onProgress: (done) => console.info(`${database.name}: ${done} operations`),
    })
    console.info(database.name, report)
    expect(outcomes).toHaveLength(steps)
  })
})

const restoreSteps = setting('MODEL_RESTORE_STEPS', 2_000)

describe.each(databases)('random histories with many restores on $name', (database) => {
  it(`leave sites that follow events with what there is, after ${restoreSteps} operations`, async () => {
    console.info(`MODEL_RESTORE_STEPS=${restoreSteps} MODEL_SEED=${seed}`)
    const { outcomes, ...report } = await runHistories(database, {
      ...{ seed, steps: restoreSteps, length, kinds: RESTORING_KINDS },
      onProgress: (done) => console.info(`${database.name}: ${done} operations`),
    })
    const restores = outcomes.filter((outcome) => outcome === 'restored').length
    console.info(database.name, { ...report, restores })
    expect(outcomes).toHaveLength(restoreSteps)
    expect(restores).toBeGreaterThan(0)
  })
})

const processSteps = setting('MODEL_PROCESS_STEPS', 2_000)
const killEvery = setting('MODEL_KILL_EVERY', 40)

describe.each(databases)(
  'a random history against servers that are killed, on $name',
  (database) => {
    it(`leaves nothing wrong after ${processSteps} operations`, async () => {
      console.info(
        `MODEL_PROCESS_STEPS=${processSteps} MODEL_KILL_EVERY=${killEvery} MODEL_SEED=${seed}`,
      )
      const report = await runHistoryOnProcesses(database, { seed, steps: processSteps, killEvery })
      console.info(database.name, report)
      expect(report.kills).toBeGreaterThan(0)
    })
  },
)
