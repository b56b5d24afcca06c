import { requireEvents, requireMirrors } from './event-oracles.ts'
import { ModelFailure, type Oracle } from './failure.ts'
import { settleWebhooks } from './hooks.ts'
import { OPERATION_KINDS } from './operation-kinds.ts'
import {
  requireAgreement,
  requireHealth,
  requireInvariants,
  requirePairs,
  requireSettled,
} from './oracles.ts'
import type { Operation } from './script.ts'
import { RESOURCES } from './shop.ts'
import { requireAllShown, requireSomeShown } from './shown-names.ts'
import type { TestSystem } from './systems/test-system.ts'
import { World } from './world.ts'

const KINDS = new Map(OPERATION_KINDS.map((kind) => [kind.name, kind]))

/** How often the more expensive oracles run, in operations. */
const INVARIANTS_EVERY = 10
const EVENTS_EVERY = 15
const AGREEMENT_EVERY = 40

export interface Played {
  /** The outcome of each operation, without ids: the same on every database. */
  outcomes: string[]
  failure?: ModelFailure
  /** The index of the operation that failed, or the number of operations if the final checks failed. */
  failedAt?: number
}

/** Plays a history in new applications and judges it after each operation; if an oracle is given, as shrinking does,
 * judges the end by that one alone. */
export async function playHistory(
  system: TestSystem,
  operations: readonly Operation[],
  only?: Oracle,
): Promise<Played> {
  const world = await World.open(system)
  const played = await playAll(world, operations, only)
  try {
    await world.close()
    return played
  } catch (error) {
    const failedAt = operations.length
    return { failure: asFailure(error, 'the clearing up'), failedAt, ...played }
  }
}

async function playAll(
  world: World,
  operations: readonly Operation[],
  only: Oracle | undefined,
): Promise<Played> {
  const outcomes: string[] = []
  for (const [i, operation] of operations.entries()) {
    try {
      outcomes.push(await playOne(world, operation))
      await requireTouchedBy(world, operation)
      if (only === undefined) await runOracles(world, i + 1)
    } catch (error) {
      return { outcomes, failure: asFailure(error, operation.name), failedAt: i }
    }
  }
  try {
    if (only === undefined) await runFinalOracles(world)
    else await BY_ORACLE[only](world)
    return { outcomes }
  } catch (error) {
    return { outcomes, failure: asFailure(error, 'the end'), failedAt: operations.length }
  }
}

export async function playOne(world: World, { name, args, label }: Operation): Promise<string> {
  const kind = KINDS.get(name)
  if (!kind) throw new Error(`no such operation: ${name}`)
  world.hasFailed = false
  world.wasCut = false
  return await kind.play(world, args, label)
}

/** Checks whom and what an operation was about; cheap enough to run after each one. */
async function requireTouchedBy(world: World, { args }: Operation): Promise<void> {
  const names = ['ref', 'who', 'from', 'into'].map((name) => world.text(args[name]))
  const rids = args.rid === undefined ? RESOURCES : [args.rid]
  const known = names.filter((name) => name !== undefined)
  await requirePairs(world, world.shop(args.app), known, rids)
}

async function runOracles(world: World, count: number): Promise<void> {
  await requireSomeShown(world)
  if (count % INVARIANTS_EVERY === 0) {
    await requireInvariants(world)
    await requireAllShown(world)
  }
  if (count % EVENTS_EVERY === 0) await requireEvents(world)
  if (count % AGREEMENT_EVERY === 0) await requireAgreement(world)
}

export async function runFinalOracles(world: World): Promise<void> {
  await requireSettled(world)
  await settleWebhooks(world)
  await requireMirrors(world)
  await requireAllShown(world)
  await requireAgreement(world)
  await requireEvents(world)
  await requireInvariants(world)
  await requireHealth(world)
}

const BY_ORACLE: Readonly<Record<Oracle, (world: World) => Promise<void>>> = {
  status: requireSettled,
  ledger: requireSettled,
  invariants: requireInvariants,
  reference: requireAgreement,
  aliases: requireAgreement,
  agreement: requireAgreement,
  names: requireAllShown,
  bytes: requireAgreement,
  doctor: requireHealth,
  async events(world) {
    await settleWebhooks(world)
    await requireMirrors(world)
    await requireEvents(world)
  },
  webhooks: settleWebhooks,
}

const asFailure = (error: unknown, during: string): ModelFailure =>
  error instanceof ModelFailure
    ? error
    : new ModelFailure(
        'status',
        `${during} could not be played`,
        String((error as Error).stack ?? error),
      )
