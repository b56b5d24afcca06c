import type { TestDatabase } from '../databases.ts'
import { DRAWN } from './alphabet.ts'
import { drawHistory } from './draw.ts'
import type { ModelFailure } from './failure.ts'
import { LocalStage } from './local-stage.ts'
import { type Played, play } from './play.ts'
import { type Operation, writeScript } from './script.ts'
import { shrink } from './shrink.ts'
import type { Stage } from './stage.ts'

/** A service gets slower with each history, and is replaced after this many operations. */
const OPERATIONS_PER_STAGE = 2_000
const SHRINKING_TRIES = 400
/** This many kinds of failures most likely have one cause, which should be looked at first. */
const ENOUGH_FAILURES = 5

export interface Hunt {
  seed: number
  /** Operations in total, and in one history. */
  steps: number
  length: number
  /** Called from time to time with the number of operations so far. */
  onProgress?(steps: number): void
}

export interface Hunted {
  steps: number
  histories: number
  milliseconds: number
  /** The outcome of every operation, in order. */
  outcomes: string[]
}

/** Plays history after history. Shrinks each new kind of failure to a script, and throws all of them together. */
export async function hunt(
  database: TestDatabase,
  { seed, steps, length, onProgress }: Hunt,
): Promise<Hunted> {
  const startedAt = performance.now()
  const hunted: Hunted = { steps: 0, histories: 0, milliseconds: 0, outcomes: [] }
  const failures = new Map<string, string>()
  let stage = await LocalStage.open(database)
  let since = 0
  try {
    while (hunted.steps < steps && failures.size < ENOUGH_FAILURES) {
      if (since > OPERATIONS_PER_STAGE) {
        await stage.close()
        onProgress?.(hunted.steps)
        stage = await LocalStage.open(database)
        since = 0
      }
      const own = seed + hunted.histories
      const count = Math.min(length, steps - hunted.steps)
      const operations = drawHistory(DRAWN, own, count)
      const played = await play(stage, operations)
      if (played.failure && !failures.has(played.failure.kind)) {
        failures.set(played.failure.kind, await describeFailure(stage, own, operations, played))
      }
      hunted.outcomes.push(...played.outcomes)
      hunted.steps += count
      hunted.histories++
      // A failure, and shrinking it, leaves a lot of data behind: continue with a new service.
      since = played.failure ? Number.POSITIVE_INFINITY : since + count
    }
    hunted.milliseconds = Math.round(performance.now() - startedAt)
    if (failures.size > 0) throw new Error([...failures.values()].join('\n'))
    return hunted
  } finally {
    await stage.close()
  }
}

/** Returns a shorter history that fails in the same way. */
async function shorten(
  stage: Stage,
  operations: readonly Operation[],
  failure: ModelFailure,
): Promise<readonly Operation[]> {
  const isSame = async (shorter: readonly Operation[]) => {
    const again = await play(stage, shorter, failure.oracle)
    return again.failure?.oracle === failure.oracle && again.failure.kind === failure.kind
  }
  return await shrink(operations, isSame, SHRINKING_TRIES)
}

async function describeFailure(
  stage: Stage,
  seed: number,
  operations: readonly Operation[],
  { failure, failedAt = operations.length }: Played,
): Promise<string> {
  const { message } = failure as ModelFailure
  const script = await shorten(stage, operations.slice(0, failedAt + 1), failure as ModelFailure)
  const replay = `await replay(\`\n${writeScript(script)}\`)\n`
  return `MODEL_SEED=${seed} MODEL_LENGTH=${operations.length}: ${message}\n\n${replay}`
}
