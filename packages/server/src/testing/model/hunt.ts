import type { TestDatabase } from '../databases.ts'
import { DRAWN } from './alphabet.ts'
import { drawHistory } from './draw.ts'
import type { ModelFailure } from './failure.ts'
import { LocalStage } from './local-stage.ts'
import { type Played, play } from './play.ts'
import { type Operation, writeScript } from './script.ts'
import { shrink } from './shrink.ts'
import type { Stage } from './stage.ts'

/** A service grows slower with each history that it has seen. */
const OPERATIONS_PER_STAGE = 2_000
const SHRINKING_TRIES = 400

export interface Hunt {
  seed: number
  /** Operations in all, and in one history. */
  steps: number
  length: number
}

export interface Hunted {
  steps: number
  histories: number
  milliseconds: number
  /** What every operation came to, in order. */
  outcomes: string[]
}

/** Plays history after history; the first that fails is shrunk, and its script is the error. */
export async function hunt(database: TestDatabase, { seed, steps, length }: Hunt): Promise<Hunted> {
  const startedAt = performance.now()
  const hunted: Hunted = { steps: 0, histories: 0, milliseconds: 0, outcomes: [] }
  let stage = await LocalStage.open(database)
  let since = 0
  try {
    while (hunted.steps < steps) {
      if (since > OPERATIONS_PER_STAGE) {
        await stage.close()
        stage = await LocalStage.open(database)
        since = 0
      }
      const count = Math.min(length, steps - hunted.steps)
      const operations = drawHistory(DRAWN, seed + hunted.histories, count)
      const played = await play(stage, operations)
      if (played.failure) await giveUp(stage, seed + hunted.histories, operations, played)
      hunted.outcomes.push(...played.outcomes)
      hunted.steps += count
      hunted.histories++
      since += count
    }
    hunted.milliseconds = Math.round(performance.now() - startedAt)
    return hunted
  } finally {
    await stage.close()
  }
}

async function giveUp(
  stage: Stage,
  seed: number,
  operations: readonly Operation[],
  { failure, failedAt = operations.length }: Played,
): Promise<never> {
  const shortest = await shorten(stage, operations.slice(0, failedAt + 1), failure as ModelFailure)
  throw new Error(describeFailure(seed, operations.length, failure as ModelFailure, shortest))
}

/** A history that fails like this one, and has little else in it. */
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

const describeFailure = (
  seed: number,
  length: number,
  failure: ModelFailure,
  script: readonly Operation[],
): string =>
  `MODEL_SEED=${seed} MODEL_LENGTH=${length}: ${failure.message}\n\n` +
  `await replay(\`\n${writeScript(script)}\`)\n`
