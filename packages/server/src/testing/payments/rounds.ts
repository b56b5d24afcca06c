import { setTimeout as sleep } from 'node:timers/promises'
import { Gatehouse } from '@gatehouse/sdk'
import { expect } from 'vitest'
import type { EnvironmentDatabase, Trx } from '../../db/database.ts'
import type { TestDatabase, TestInstallation } from '../databases.ts'
import { withContext } from '../installations.ts'
import {
  OUTAGES,
  type OutageKind,
  RECOVERY_MS,
  startRestartablePostgres,
} from '../postgres/restartable-postgres.ts'
import { ServerGroup } from '../processes/server-group.ts'
import { seededRandom } from '../random.ts'
import { type Fault, startFakeStripe } from '../stripe/fake-stripe.ts'
import { sandboxSettings } from '../stripe/stripe-shop.ts'
import { requireConsistentMoney } from './check-ledgers.ts'
import { FaultPeriod, injectFaults, type LoadContext, requestRefunds, sendEvents } from './load.ts'
import { ARTICLE, createPaymentFixture } from './payment-fixture.ts'

export interface MoneyRounds {
  renewals: number
  refunds: number
  /** Minimum duration of the faults, in seconds; all renewals fall due within it. */
  seconds: number
  /** Minimum number of kills. */
  kills: number
  /** How many processes share the home; one by default. */
  processes?: number
  /** Minimum number of PostgreSQL outages; none by default. */
  restarts?: number
  /** Minimum number of times that one of the processes is paused; none by default. */
  pauses?: number
  faults: readonly Fault[]
  seed: number
  /** Ends leases and backoffs when the faults are over, for tests that can't wait a minute. */
  skipPauses?: boolean
}

export interface MoneyReport {
  kills: number
  restarts: number
  pauses: number
  /** The longest time after PostgreSQL was back until a request was answered again, in milliseconds. */
  recovery: number
  /** How often the provider has failed, by fault. */
  faults: Record<string, number>
  /** How many events were answered with each status; 0 means no response. */
  events: Record<string, number>
  calls: number
  charges: number
  refunds: number
  /** Orders without a known outcome when the faults were over. */
  unknown: number
  /** Milliseconds until all outcomes were known. */
  knownWithin: number
  milliseconds: number
}

const WEBHOOK_SENDERS = 4
/** A kill comes at a random moment, up to this long after a start; the servers started last are not killed. */
const MAX_KILL_DELAY_MS = 4_000
const PAUSE_MS = 5_000
const MAX_SETTLE_MS = 60_000

/**
 * Renews and refunds while the provider fails in every possible way, sends events twice and in any order, and the
 * service is killed again and again. In the end every order must have been carried out exactly once.
 */
export async function moneyRounds(
  database: TestDatabase,
  rounds: MoneyRounds,
): Promise<MoneyReport> {
  const startedAt = performance.now()
  const fake = await startFakeStripe()
  const postgres = rounds.restarts ? await startRestartablePostgres() : undefined
  const installation = postgres?.installation ?? (await database.createMigrated())
  const env = { ...installation.env, ...sandboxSettings(fake) }
  const isFrail = postgres !== undefined || (rounds.pauses ?? 0) > 0
  const service = new ServerGroup(env, { count: rounds.processes, isFrail })
  try {
    const within = Math.ceil(rounds.seconds * 0.9)
    const fixture = await createPaymentFixture(env, fake, { ...rounds, within })
    const report = await runUnderFaults({ installation, fake, service, fixture, postgres }, rounds)
    await withContext(installation, ({ environments }) =>
      requireConsistentMoney(environments.sandbox, fake, fixture),
    )
    return {
      ...report,
      kills: service.kills,
      calls: fake.calls.length,
      charges: fake.ledger.charges.size,
      refunds: fake.ledger.refunds.size,
      milliseconds: Math.round(performance.now() - startedAt),
    }
  } finally {
    await service.end()
    await fake.stop()
    await installation.remove()
  }
}

type Found = Pick<
  MoneyReport,
  'faults' | 'events' | 'unknown' | 'knownWithin' | 'restarts' | 'pauses' | 'recovery'
>

/** Requests refunds, sends events and kills servers until the faults are over and all outcomes are known. */
async function runUnderFaults(scene: LoadContext, rounds: MoneyRounds): Promise<Found> {
  const { fake, service } = scene
  const { seconds, skipPauses: hurry = false } = rounds
  const random = seededRandom(rounds.seed)
  const trouble = new FaultPeriod(seconds * 1000)
  const faults = injectFaults(fake, rounds.faults, random, trouble)
  const events: Record<string, number> = {}
  const load = Promise.all([
    ...requestRefunds(scene, seconds * 1000, random),
    ...Array.from({ length: WEBHOOK_SENDERS }, () => sendEvents(scene, random, events, trouble)),
  ])
  // `await load` below reports the failure; here it only ends the kills early.
  load.catch(() => {
    trouble.hasFailed = true
  })
  const latestKill = hurry ? MAX_KILL_DELAY_MS / 4 : MAX_KILL_DELAY_MS
  const outages = await killAndRestart(scene, rounds, { random, trouble, latestKill })
  if (trouble.hasFailed) await load
  await service.start()
  await sleep(latestKill)
  trouble.isOver = true
  const known = await waitUntilSettled(scene.installation, hurry)
  await load
  await service.stop()
  return { faults, events, ...known, ...outages }
}

/** Kills, restarts and pauses as often as requested, and for as long as the faults last. */
async function killAndRestart(
  scene: LoadContext,
  { kills, restarts = 0, pauses = 0 }: MoneyRounds,
  how: { random: () => number; trouble: FaultPeriod; latestKill: number },
): Promise<Pick<MoneyReport, 'restarts' | 'pauses' | 'recovery'>> {
  const { service, postgres } = scene
  const { random, trouble } = how
  const done = { restarts: 0, pauses: 0, recovery: 0 }
  const isDone = () => service.kills >= kills && done.restarts >= restarts && done.pauses >= pauses
  while (!trouble.hasFailed && (trouble.progress < 1 || !isDone())) {
    await service.start()
    await sleep(random() * how.latestKill)
    const chance = random() * (kills + restarts + pauses)
    if (postgres && chance < restarts) {
      const { readyAt } = await postgres.takeDown(OUTAGES[done.restarts++ % 3] as OutageKind)
      done.recovery = Math.max(done.recovery, await untilRecovered(scene, readyAt))
    } else if (chance < restarts + pauses) {
      await pause(scene, random, done.pauses++ % 2 === 1)
    } else await service.kill(random)
  }
  return done
}

/** Pauses one server. Its leases outlast the pause unless they are ended: then another server takes over its work. On
 * SQLite, ending them may have to wait for a lock that the paused server holds. */
async function pause(
  { installation, service }: LoadContext,
  random: () => number,
  loseLeases: boolean,
): Promise<void> {
  await withContext(installation, async ({ environments: { sandbox } }) => {
    let lost = Promise.resolve()
    await service.pauseOne(random, async () => {
      if (loseLeases) lost = expirePauses(sandbox.database, sandbox.realTime())
      await sleep(PAUSE_MS)
    })
    await lost
  })
}

/** Sends its own request, since all others may be waiting for the provider. */
async function untilRecovered(
  { service, fixture: { aid, privateKey } }: LoadContext,
  readyAt: number,
): Promise<number> {
  for (;;) {
    const baseUrl = `${await service.url()}/sandbox`
    const isAnswered = await new Gatehouse({ baseUrl, aid, privateKey })
      .hasAccess({ rid: ARTICLE, user_ref: 'nobody' })
      .then(
        () => true,
        () => false,
      )
    const took = Math.round(performance.now() - readyAt)
    expect(took, 'milliseconds without an answer').toBeLessThan(RECOVERY_MS)
    if (isAnswered) return took
    await sleep(5)
  }
}

/** Waits until the outcome of every order is known. */
async function waitUntilSettled(installation: TestInstallation, hurry: boolean) {
  return await withContext(installation, async ({ environments: { sandbox } }) => {
    const { database, clock, realTime } = sandbox
    const startedAt = performance.now()
    const unknown = await countUnsettled(database, clock())
    if (hurry) await expirePauses(database, realTime())
    for (;;) {
      const left = await countUnsettled(database, clock())
      const knownWithin = Math.round(performance.now() - startedAt)
      if (left === 0) return { unknown, knownWithin }
      if (knownWithin > MAX_SETTLE_MS) throw new Error(`${left} of ${unknown} are still unknown`)
      await sleep(100)
    }
  })
}

const ORDER_TABLES = ['payments', 'refunds'] as const

/** Counts orders that wait for the provider, and due renewals that were not ordered yet. */
async function countUnsettled({ read }: EnvironmentDatabase, now: number): Promise<number> {
  const late = await read
    .selectFrom('subscriptions')
    .select('id')
    .where('next_due', '<=', now)
    .execute()
  let count = late.length
  for (const table of ORDER_TABLES) {
    const rows = await read.selectFrom(table).select('id').where('status', '=', 'pending').execute()
    count += rows.length
  }
  return count
}

async function expirePauses(database: EnvironmentDatabase, realTime: number): Promise<void> {
  const end = async (trx: Trx) => {
    for (const table of ORDER_TABLES) {
      await trx
        .updateTable(table)
        .set({ due: realTime, lease_until: null })
        .where('status', '=', 'pending')
        .execute()
    }
  }
  // A paused server may have locked some of them.
  await database.write(end, { batch: true })
}
