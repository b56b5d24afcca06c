import type { TestDatabase } from '../databases.ts'
import { seededRandom } from '../random.ts'
import { drawHistory } from './draw.ts'
import { ModelFailure } from './failure.ts'
import { OPERATION_KINDS } from './operation-kinds.ts'
import { playOne, runFinalOracles } from './play.ts'
import { type Operation, writeScript } from './script.ts'
import { requireSomeShown } from './shown-names.ts'
import { ProcessSystem } from './systems/process-system.ts'
import { World } from './world.ts'

/** Operations that need a clock that can be moved, or an installation without running servers. */
const NOT_WITH_PROCESSES = ['advance', 'restore', 'backup', 'archive-app']
const MAIL_FAULTS = 0.1

export interface ProcessRun {
  seed: number
  steps: number
  /** On average, one in this many operations runs while servers are killed. */
  killEvery: number
}

async function playAndLook(world: World, operation: Operation): Promise<void> {
  await playOne(world, operation)
  await requireSomeShown(world)
}

/** Plays one long history against real servers that are killed, and judges it when everything has settled. */
export async function runHistoryOnProcesses(
  database: TestDatabase,
  { seed, steps, killEvery }: ProcessRun,
) {
  const kinds = OPERATION_KINDS.filter(({ name }) => !NOT_WITH_PROCESSES.includes(name))
  const operations = drawHistory(kinds, seed, steps)
  const random = seededRandom(seed)
  const system = await ProcessSystem.open(database)
  system.smtp.fault = () => (random() < MAIL_FAULTS ? 451 : undefined)
  let done = 0
  try {
    const world = await World.open(system)
    await system.servers.start()
    let killing = Promise.resolve()
    for (const operation of operations) {
      if (random() * killEvery < 1) {
        await killing
        killing = system.servers.kill(random).then(() => system.servers.start())
        killing.catch(() => {})
      }
      // If a restart fails, the operation would wait forever; the race makes it fail instead.
      await Promise.race([playAndLook(world, operation), killing.then(() => new Promise(() => {}))])
      done++
    }
    await killing
    await runFinalOracles(world)
    await system.servers.stop()
    return { steps: done, kills: system.servers.kills, mails: system.smtp.mails.length }
  } catch (error) {
    const oracle = error instanceof ModelFailure ? '' : ' (not an oracle)'
    const script = writeScript(operations.slice(Math.max(0, done - 20), done + 1))
    throw new Error(`MODEL_SEED=${seed}${oracle}, the last operations:\n${script}`, {
      cause: error,
    })
  } finally {
    await system.close()
  }
}
