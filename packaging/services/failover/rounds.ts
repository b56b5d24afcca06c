import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import {
  type Credentials,
  createApplicationIn,
} from '../../../packages/server/src/testing/installations.ts'
import {
  createPaymentFixture,
  type Subscriber,
} from '../../../packages/server/src/testing/payments/payment-fixture.ts'
import { KillLoad } from '../../../packages/server/src/testing/processes/kill-load.ts'
import { requireAccess } from '../../../packages/server/src/testing/processes/kill-rounds.ts'
import { ServerGroup } from '../../../packages/server/src/testing/processes/server-group.ts'
import { seededRandom } from '../../../packages/server/src/testing/random.ts'
import { Buyers } from './buyers.ts'
import {
  requireBuyers,
  requireGranted,
  requireMails,
  requireNoDoubleCharge,
  requireNoDoubleMail,
  requireRenewals,
  requireSameMoney,
  untilSettled,
} from './checks.ts'
import { createInstallation, type FailoverInstallation } from './installation.ts'
import { Outage } from './outage.ts'
import type { KillKind } from './pair.ts'
import { Probes, type Recovery } from './probes.ts'

const PROCESSES = 2
const PAUSE_MS = 250
const MAX_KILL_DELAY_MS = 3_000
/** The renewals fall due one after another, over about the time that the rounds take. */
const RENEWALS_PER_KILL = 20
const SECONDS_PER_KILL = 60

export interface FailoverReport {
  kills: number
  /** Requests that grant or revoke, and were answered. */
  answered: number
  /** How many of those got 503. */
  refused: number
  /** How long checks and writes were not answered, in milliseconds. */
  recovery: Record<KillKind, Record<keyof Recovery, Spread>>
  purchases: number
  renewals: number
  charges: number
  refunds: number
  mails: number
  /** The number of differences that `gatehouse resume` has repaired after the failovers. */
  repaired: number
  /** How often the machine had no time for this process. */
  stalls: number
  milliseconds: number
}

interface Spread {
  kills: number
  median: number
  most: number
}

interface Scene {
  installation: FailoverInstallation
  service: ServerGroup
  app: Credentials
  load: KillLoad
  buyers: Buyers
  outage: Outage
  subscribers: Subscriber[]
  probed: string[]
  random: () => number
  recoveries: (Recovery & { kind: KillKind })[]
  repaired: number
}

/**
 * Kills the primary of a pair of servers again and again while readers are granted and revoked access and buy, and
 * subscriptions are renewed. With a synchronous standby, nothing that was answered may be lost.
 */
export async function failoverRounds(options: {
  kills: number
  seed: number
}): Promise<FailoverReport> {
  const startedAt = performance.now()
  const installation = await createInstallation(true)
  const service = new ServerGroup(installation.env, { count: PROCESSES, isFrail: true })
  const outage = new Outage()
  try {
    const scene = await createScene(installation, service, outage, options)
    for (let n = 0; n < options.kills; n++) await playRound(scene)
    const renewals = await compareAll(scene)
    const milliseconds = Math.round(performance.now() - startedAt)
    return { ...reportOf(scene), kills: options.kills, renewals, milliseconds }
  } catch (error) {
    console.error(installation.pair.readLogs(), service.readLogs())
    throw error
  } finally {
    outage.close()
    await service.end()
    await installation.remove()
  }
}

type Counted = Omit<FailoverReport, 'kills' | 'renewals' | 'milliseconds'>

function reportOf({ installation, load, buyers, outage, recoveries, repaired }: Scene): Counted {
  const { ledger } = installation.fake
  const spreadOf = (kind: KillKind) => {
    const own = recoveries.filter((one) => one.kind === kind)
    return {
      check: spread(own.map((one) => one.check)),
      write: spread(own.map((one) => one.write)),
    }
  }
  return {
    ...{ answered: load.answered, refused: load.refused, purchases: buyers.all.length },
    recovery: { server: spreadOf('server'), machine: spreadOf('machine') },
    ...{ charges: ledger.charges.size, refunds: ledger.refunds.size },
    ...{ mails: installation.smtp.mails.length, repaired, stalls: outage.stalls },
  }
}

function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0
  return { kills: sorted.length, median, most: sorted.at(-1) ?? 0 }
}

async function createScene(
  installation: FailoverInstallation,
  service: ServerGroup,
  outage: Outage,
  { kills, seed }: { kills: number; seed: number },
): Promise<Scene> {
  const { env, fake } = installation
  const app = await createApplicationIn(installation)
  const size = { renewals: kills * RENEWALS_PER_KILL, refunds: 0, within: kills * SECONDS_PER_KILL }
  const { subscribers, quitters } = await createPaymentFixture(env, fake, size)
  await service.start()
  const load = new KillLoad(app, service, { postgres: outage, pauseMs: PAUSE_MS })
  const clientOf = (url: string) => load.clientOf(url)
  const buyers = new Buyers({ fake, service, outage, clientOf })
  await Probes.grantFirst(clientOf(service.next() as string), app.rid)
  return {
    ...{ installation, service, app, load, buyers, outage, random: seededRandom(seed) },
    ...{ subscribers: [...subscribers, ...quitters], probed: [] },
    ...{ recoveries: [], repaired: 0 },
  }
}

/** Kills the primary under load, and compares when the pair is whole again. */
async function playRound(scene: Scene): Promise<void> {
  const { installation, service, load, buyers, outage, random, recoveries, app } = scene
  const { pair } = installation
  const kind: KillKind = random() < 0.5 ? 'server' : 'machine'
  const running = [load.start(random), buyers.start(random)]
  const clients = service.urls.map((url) => load.clientOf(url))
  const probes = new Probes(clients, app.rid, outage)
  await sleep(1_000 + random() * MAX_KILL_DELAY_MS)
  outage.begin()
  const killed = await pair.killPrimary(kind)
  outage.killedAt = performance.now()
  probes.reset()
  await pair.untilTakenOver(killed)
  outage.end()
  const recovery = { kind, ...(await probes.measure()) }
  recoveries.push(recovery)
  pair.revive(killed)
  await resume(scene)
  await pair.untilWhole()
  await Promise.all([...running, probes].map((one) => one.stop()))
  scene.probed.push(...probes.granted)
  await compareAnswered(scene)
  console.info(recovery, reportOf(scene))
}

/** Ends the hold, as the operator does. Nothing was lost, so nothing is left to decide. */
async function resume(scene: Scene): Promise<void> {
  const { installation, outage } = scene
  const { resumed, reconciled } = await installation.resume()
  expect(resumed).toBe(true)
  outage.noteResumed()
  expect(reconciled.flatMap(({ open }) => open)).toEqual([])
  scene.repaired += reconciled.flatMap(({ repaired }) => repaired).length
}

/** Compares what holds at any time; charges and mails may still wait. */
async function compareAnswered(scene: Scene): Promise<void> {
  const { installation, service, load, app, probed } = scene
  for (const url of service.urls) await requireAccess(load, url, app.rid)
  await requireGranted(load.clientOf(service.next() as string), app.rid, probed)
  requireNoDoubleCharge(installation.fake)
  requireNoDoubleMail(installation.smtp)
  await installation.requireHealthy()
}

/** Returns how many subscriptions were renewed. */
async function compareAll(scene: Scene): Promise<number> {
  const { installation, service, load, buyers, subscribers } = scene
  await untilSettled(installation)
  await requireSameMoney(installation)
  const renewals = await requireRenewals(installation, subscribers)
  await requireBuyers(load.clientOf(service.next() as string), buyers.all, installation.fake)
  await compareAnswered(scene)
  await requireMails(installation, load)
  await service.stop()
  return renewals
}
