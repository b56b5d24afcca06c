import type { TestDatabase } from '../databases.ts'
import { ModelFailure, requireThat } from '../model/failure.ts'
import { NOT_APPLICABLE } from '../model/operation-kind.ts'
import {
  requireAgreement,
  requireHealth,
  requireInvariants,
  requirePairs,
  requireSettled,
} from '../model/oracles.ts'
import { playOne as playOfModel } from '../model/play.ts'
import { type Operation, writeOperation, writeScript } from '../model/script.ts'
import { RESOURCES } from '../model/shop.ts'
import { World } from '../model/world.ts'
import { injectPostgresFaults, injectSqliteFaults } from './database-faults.ts'
import { EXTRA_KINDS } from './extra-kinds.ts'
import { type CallKind, FaultPlan, type FiredFault } from './fault-plan.ts'
import type { FaultScript } from './fault-scripts.ts'
import { FaultySystem } from './faulty-system.ts'
import { injectFileFaults } from './file-faults.ts'
import { differencesOf, summarize } from './summary.ts'

/** A service gets slower with each history, and is replaced after this many. */
const HISTORIES_PER_SYSTEM = 60

export interface FaultReport {
  operation: string
  /** The calls of the operation when nothing fails. */
  calls: Record<CallKind, number>
  /** How many of the first calls were left out, because they have failed in another command already. */
  skipped: number
  /** How many runs had a fault. */
  faults: number
  /** How often each visible effect of a fault occurred. The key is a status, an exit code, an error, `nothing` or
   * `a defect`. */
  shown: Record<string, number>
  defects: string[]
}

export interface FaultRun {
  /** Tries only every n-th call, for a sample; 1 by default. */
  every?: number
  /** How many defects of one operation to collect. */
  maxDefects?: number
}

/** These change nothing, so all of their faults can be played in one history. */
const READING_KINDS = new Set(['search', 'export', 'look', 'search-payments', 'check', 'read'])

/** Plays an operation of the model, or one of ours. */
async function playOne(world: World, operation: Operation): Promise<string> {
  const extra = EXTRA_KINDS.find(({ name }) => name === operation.name)
  if (!extra) return await playOfModel(world, operation)
  return await extra.play(world, operation.args, operation.label)
}

interface Played {
  outcome: string
  fired: FiredFault | undefined
  calls: Record<CallKind, number>
  trace: readonly string[]
  shownAs: string
  /** Undefined if the operation only reads. */
  summary: string[] | undefined
}

/** Changes that a repeat makes again: the lost response held a one-time secret, or the stored file may be damaged. */
const DONE_AGAIN = ['webhook created', 'webhook secret rotated', 'file replaced']

function requireSame(expected: Played, played: Played): void {
  const { summary, outcome } = played
  if (!summary) {
    const kind = 'the repeat has another outcome'
    requireThat(outcome === expected.outcome, 'reference', kind, () => [expected.outcome, outcome])
    return
  }
  const differences = differencesOf(expected.summary ?? [], summary).filter(
    (line) => !DONE_AGAIN.some((one) => line.startsWith('+') && line.endsWith(` history ${one}`)),
  )
  if (differences.length === 0) return
  throw new ModelFailure('reference', 'the repeat leads to another result', differences.join('\n'))
}

/** Checks what a history has led to. The summaries are compared with that of the first run, so the more expensive
 * oracles have to judge only that one. */
async function requireRight(world: World, isFirst: boolean): Promise<void> {
  for (const shop of Object.values(world.shops)) {
    if (!shop.isArchived) await requirePairs(world, shop, shop.names, RESOURCES)
  }
  const aids = new Set(Object.values(world.shops).map(({ aid }) => aid))
  const hasSold = [...world.system.fake.ledger.sessions.values()].some(({ metadata }) =>
    aids.has(metadata.gatehouse_aid ?? ''),
  )
  if (hasSold) await requireSettled(world)
  await requireInvariants(world)
  if (!isFirst) return
  await requireAgreement(world)
  await requireHealth(world)
}

/** Plays histories in which one call fails, on one database. */
export class FaultRunner {
  readonly #database: TestDatabase
  readonly #plan: FaultPlan
  #stopInjecting: (() => void)[] | undefined
  /** The calls that the first command made; most commands begin with the same calls. */
  #command: readonly string[] | undefined
  #system: FaultySystem | undefined
  #histories = 0

  constructor(database: TestDatabase) {
    this.#database = database
    this.#plan = new FaultPlan(database.engine)
  }

  /** Plays a history without a fault, then with a fault in each call of its last operation. */
  async run(
    script: FaultScript,
    { every = 1, maxDefects = 3 }: FaultRun = {},
  ): Promise<FaultReport> {
    const operation = script.at(-1) as Operation
    const expected = await this.#playWhole(script, 0, 0)
    if (expected.outcome === NOT_APPLICABLE) {
      throw new Error(`can't be played:\n${writeScript(script)}`)
    }
    const report: FaultReport = {
      operation: writeOperation(operation),
      calls: expected.calls,
      skipped: 0,
      faults: 0,
      shown: {},
      defects: [],
    }
    const skipped = this.#countKnown(operation, expected.trace)
    report.skipped = skipped
    const isReading = READING_KINDS.has(operation.name)
    const world = isReading ? await this.#prepare(script) : undefined
    for (let number = 1 + skipped; report.defects.length < maxDefects; number += every) {
      let ways = 1
      for (let way = 0; way < ways && report.defects.length < maxDefects; way++) {
        const play = world
          ? () => this.#playLast(world, operation, number, way)
          : () => this.#playWhole(script, number, way)
        await this.#judge(script, number, play, expected, report)
        ways = this.#plan.ways
      }
      if (ways === 0) break
    }
    await world?.close()
    return report
  }

  /** Counts the first calls of a command that the first command has made too: they open the same databases. */
  #countKnown({ name, args }: Operation, trace: readonly string[]): number {
    if (name !== 'read' && args.via !== 'cli') return 0
    const first = this.#command
    this.#command ??= trace
    if (!first) return 0
    const different = trace.findIndex((what, i) => what !== first[i])
    return different < 0 ? trace.length : different
  }

  /** Plays one fault, and compares the result with what it is without. */
  async #judge(
    script: FaultScript,
    number: number,
    play: () => Promise<Played>,
    expected: Played,
    report: FaultReport,
  ): Promise<void> {
    let shown = 'a defect'
    try {
      const played = await play()
      if (!played.fired) {
        // Nothing was left to fail, so these are all of its calls; the first run may have filled caches.
        report.calls = played.calls
        return
      }
      shown = played.shownAs
      requireSame(expected, played)
    } catch (error) {
      const { fired } = this.#plan
      const call = `call ${number}, ${fired?.mode} of ${fired?.kind} ${fired?.what}`
      report.defects.push(`${call}:\n${(error as Error).stack}\n${writeScript(script)}`)
      // The service may have been left without a database.
      this.#histories = 0
    }
    report.faults++
    report.shown[shown] = (report.shown[shown] ?? 0) + 1
  }

  /** Plays a history in new applications, with a fault in its last operation. */
  async #playWhole(script: FaultScript, number: number, way: number): Promise<Played> {
    const world = await this.#prepare(script)
    const began = world.now
    const played = await this.#playLast(world, script.at(-1) as Operation, number, way)
    await requireRight(world, number === 0)
    const summary = await summarize(world, began)
    await world.close()
    return { ...played, summary }
  }

  /** Plays everything before the last operation. */
  async #prepare(script: FaultScript): Promise<World> {
    const system = await this.#open()
    const world = await World.open(system)
    system.world = world
    system.fake.fault = ({ route }) => this.#plan.next('provider', route) as never
    for (const operation of script.slice(0, -1)) await playOne(world, operation)
    return world
  }

  async #playLast(
    world: World,
    operation: Operation,
    number: number,
    way: number,
  ): Promise<Played> {
    const plan = this.#plan
    const system = world.system as FaultySystem
    system.shownAs = 'nothing'
    plan.arm(number, way)
    try {
      const outcome = await playOne(world, operation)
      const { fired, calls, trace } = plan
      return { outcome, fired, calls, trace, shownAs: system.shownAs, summary: undefined }
    } finally {
      plan.disarm()
      world.hasFailed = false
    }
  }

  async #open(): Promise<FaultySystem> {
    if (this.#histories++ % HISTORIES_PER_SYSTEM === 0) await this.#renew()
    this.#system ??= await this.#start()
    return this.#system
  }

  async #start(): Promise<FaultySystem> {
    const inject = this.#database.engine === 'sqlite' ? injectSqliteFaults : injectPostgresFaults
    this.#stopInjecting ??= [inject(this.#plan), await injectFileFaults(this.#plan)]
    return await FaultySystem.start(this.#database, this.#plan)
  }

  async #renew(): Promise<void> {
    this.#plan.disarm()
    await this.#system?.close()
    this.#system = undefined
  }

  async close(): Promise<void> {
    await this.#renew()
    for (const stop of this.#stopInjecting ?? []) stop()
  }
}
