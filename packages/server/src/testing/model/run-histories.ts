import type { TestDatabase } from '../databases.ts'
import { drawHistory } from './draw.ts'
import type { ModelFailure } from './failure.ts'
import type { OperationKind } from './operation-kind.ts'
import { DRAWN_KINDS } from './operation-kinds.ts'
import { type Played, playHistory } from './play.ts'
import { type Operation, writeScript } from './script.ts'
import { shrink } from './shrink.ts'
import { LocalSystem } from './systems/local-system.ts'
import type { TestSystem } from './systems/test-system.ts'

/** A service gets slower with each history, and is replaced after this many operations. */
const OPERATIONS_PER_STAGE = 1_000
const SHRINKING_TRIES = 400
/** This many kinds of failures most likely have one cause, which should be looked at first. */
const ENOUGH_FAILURES = 5

export interface HistoryRun {
  seed: number
  /** Operations in total, and in one history. */
  steps: number
  length: number
  /** The kinds of operations that are drawn; all by default. */
  kinds?: readonly OperationKind[]
  /** Called from time to time with the number of operations so far. */
  onProgress?(steps: number): void
}

export interface HistoryReport {
  steps: number
  histories: number
  milliseconds: number
  /** The outcome of every operation, in order. */
  outcomes: string[]
}

/** Plays history after history. Shrinks each new kind of failure to a script, and throws all of them together. */
export async function runHistories(
  database: TestDatabase,
  { seed, steps, length, kinds = DRAWN_KINDS, onProgress }: HistoryRun,
): Promise<HistoryReport> {
  const startedAt = performance.now()
  const hunted: HistoryReport = { steps: 0, histories: 0, milliseconds: 0, outcomes: [] }
  const failures = new Map<string, string>()
  let system = await LocalSystem.open(database)
  let since = 0
  try {
    while (hunted.steps < steps && failures.size < ENOUGH_FAILURES) {
      if (since > OPERATIONS_PER_STAGE) {
        await system.close()
        onProgress?.(hunted.steps)
        system = await LocalSystem.open(database)
        since = 0
      }
      const own = seed + hunted.histories
      const count = Math.min(length, steps - hunted.steps)
      const operations = drawHistory(kinds, own, count)
      const played = await playHistory(system, operations)
      if (played.failure && !failures.has(played.failure.kind)) {
        failures.set(played.failure.kind, await describeFailure(system, own, operations, played))
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
    await system.close()
  }
}

/** Returns a shorter history that fails in the same way. */
async function shorten(
  system: TestSystem,
  operations: readonly Operation[],
  failure: ModelFailure,
): Promise<readonly Operation[]> {
  const isSame = async (shorter: readonly Operation[]) => {
    const again = await playHistory(system, shorter, failure.oracle)
    return again.failure?.oracle === failure.oracle && again.failure.kind === failure.kind
  }
  return await shrink(operations, isSame, SHRINKING_TRIES)
}

async function describeFailure(
  system: TestSystem,
  seed: number,
  operations: readonly Operation[],
  { failure, failedAt = operations.length }: Played,
): Promise<string> {
  const { message } = failure as ModelFailure
  const script = await shorten(system, operations.slice(0, failedAt + 1), failure as ModelFailure)
  const replay = `await replay(\`\n${writeScript(script)}\`, system)\n`
  return `MODEL_SEED=${seed} MODEL_LENGTH=${operations.length}: ${message}\n\n${replay}`
}
