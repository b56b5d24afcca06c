import { setTimeout as sleep } from 'node:timers/promises'
import { ConnectionError, Gatehouse, NotFoundError } from '@gatehouse/sdk'
import { expect } from 'vitest'
import type { EnvironmentDatabase } from '../db/database.ts'
import type { Home, TestDatabase } from './databases.ts'
import { type FakeStripe, type Fault, startFakeStripe } from './fake-stripe.ts'
import { withHome } from './homes.ts'
import { requireMoney } from './money-check.ts'
import { ARTICLE, type Buyer, openStall, PASS, type Stall } from './money-stall.ts'
import { seededRandom } from './random.ts'
import { sandboxSettings } from './stripe-shop.ts'
import { Supervised } from './supervised.ts'

export interface MoneyRounds {
  renewals: number
  refunds: number
  /** How long everything goes wrong, at least; what falls due falls due in this time. */
  seconds: number
  /** At least so many. */
  kills: number
  faults: readonly Fault[]
  seed: number
  /** Ends leases and pauses by hand when the trouble is over, for tests that can't wait for a minute. */
  hurry?: boolean
}

export interface MoneyReport {
  kills: number
  /** How often the provider has gone wrong, and how. */
  faults: Record<string, number>
  /** How often an event was answered with this status; 0 means not at all. */
  events: Record<string, number>
  calls: number
  charges: number
  refunds: number
  /** Orders without a known outcome when the trouble was over. */
  unknown: number
  /** Milliseconds until all were known. */
  knownWithin: number
  milliseconds: number
}

const CLIENTS = 12
const POSTERS = 4
/** A kill comes at any moment up to this long after the start; the last server is spared. */
const LATEST_KILL_MS = 4_000
/** A call to the provider takes up to this long, and as long again for its answer. */
const LATENCY_MS = 60
const KNOWN_WITHIN_MS = 60_000
const SHARE_OF_ORDERS = 0.35
const SHARE_OF_QUESTIONS = 0.15

/**
 * Renews and refunds while the provider fails in every way that it can, tells of it in events that come
 * twice and in any order, and the service is killed again and again. Then all that was ordered must have
 * happened, and all of it once.
 */
export async function moneyRounds(
  database: TestDatabase,
  rounds: MoneyRounds,
): Promise<MoneyReport> {
  const startedAt = performance.now()
  const fake = await startFakeStripe()
  const home = await database.makeHome()
  const env = { ...home.env, ...sandboxSettings(fake) }
  const service = new Supervised(env)
  try {
    const within = Math.ceil(rounds.seconds * 0.9)
    const stall = await openStall(env, fake, { ...rounds, within })
    const report = await survive(home, fake, service, stall, rounds)
    await withHome(home, ({ environments }) => requireMoney(environments.sandbox, fake, stall))
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
    await home.remove()
  }
}

/** Asks for refunds, tells of events and kills, until the trouble is over and all is known again. */
async function survive(
  home: Home,
  fake: FakeStripe,
  service: Supervised,
  stall: Stall,
  { seconds, kills, seed, faults: wanted, hurry = false }: MoneyRounds,
): Promise<Pick<MoneyReport, 'faults' | 'events' | 'unknown' | 'knownWithin'>> {
  const random = seededRandom(seed)
  const trouble = new Trouble(seconds * 1000)
  const faults = goWrong(fake, wanted, random, trouble)
  const events: Record<string, number> = {}
  const load = Promise.all([
    ...askForRefunds(service, stall, seconds * 1000, random),
    ...Array.from({ length: POSTERS }, () => postEvents(service, fake, random, events, trouble)),
  ])
  // What fails there is told when it is waited for.
  load.catch(() => {})
  const latestKill = hurry ? LATEST_KILL_MS / 4 : LATEST_KILL_MS
  while (trouble.progress < 1 || service.kills < kills) {
    await service.start()
    await sleep(random() * latestKill)
    await service.kill()
  }
  await service.start()
  await sleep(latestKill)
  trouble.isOver = true
  const known = await untilKnown(home, hurry)
  await load
  await service.stop()
  return { faults, events, ...known }
}

class Trouble {
  isOver = false
  readonly #startedAt = performance.now()
  readonly #lasts: number

  constructor(milliseconds: number) {
    this.#lasts = milliseconds
  }

  get progress(): number {
    return (performance.now() - this.#startedAt) / this.#lasts
  }

  /** For a while nothing works at all. */
  get isOutage(): boolean {
    return this.progress > 0.4 && this.progress < 0.5
  }
}

/** Lets the provider fail at random; returns a count of how. */
function goWrong(
  fake: FakeStripe,
  faults: readonly Fault[],
  random: () => number,
  trouble: Trouble,
): Record<string, number> {
  const counted: Record<string, number> = {}
  fake.latency = () => random() * LATENCY_MS
  fake.fault = ({ route }) => {
    const share = route.startsWith('POST') ? SHARE_OF_ORDERS : SHARE_OF_QUESTIONS
    if (trouble.isOver) return undefined
    if (!trouble.isOutage && random() >= share) return undefined
    const fault = trouble.isOutage
      ? 'error_before'
      : (faults[Math.floor(random() * faults.length)] as Fault & string)
    counted[fault] = (counted[fault] ?? 0) + 1
    return fault
  }
  return counted
}

/** Everybody at a moment of their own, each until there is an answer. */
function askForRefunds(
  service: Supervised,
  stall: Stall,
  spread: number,
  random: () => number,
): Promise<void>[] {
  const { buyers, quitters } = stall
  const wishes = [
    ...buyers.map((buyer) => (client: Gatehouse) => payBack(client, buyer)),
    ...quitters.map(
      ({ userRef }) =>
        (client: Gatehouse) =>
          revoke(client, PASS, userRef),
    ),
  ].map((wish) => ({ wish, at: performance.now() + random() * spread }))
  wishes.sort((a, b) => a.at - b.at)
  return Array.from({ length: CLIENTS }, async () => {
    for (let next = wishes.shift(); next; next = wishes.shift()) {
      await sleep(Math.max(0, next.at - performance.now()))
      await untilAnswered(service, stall, next.wish)
    }
  })
}

async function untilAnswered(
  service: Supervised,
  { aid, privateKey }: Stall,
  wish: (client: Gatehouse) => Promise<void>,
): Promise<void> {
  for (;;) {
    const client = new Gatehouse({ baseUrl: await service.url, aid, privateKey })
    try {
      return await wish(client)
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error
      await sleep(10)
    }
  }
}

async function payBack(client: Gatehouse, buyer: Buyer): Promise<void> {
  const { userRef, paymentId: payment, amount } = buyer
  if (buyer.by === 'revoke') return await revoke(client, ARTICLE, userRef)
  const wish = { payment, amount: (amount / 100).toFixed(2), reference: `back-${userRef}` }
  expect((await client.refundPayment(wish)).status).not.toBe('failed')
}

/** Not found is an answer too: the revoke before it was carried out, and its answer was lost. */
async function revoke(client: Gatehouse, rid: string, user_ref: string): Promise<void> {
  try {
    const { refunds } = await client.revokeAccess({ rid, user_ref, refund: true })
    for (const { status } of refunds) expect(status).not.toBe('failed')
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error
  }
  expect(await client.hasAccess({ rid, user_ref })).toBe(false)
}

/** Sends any of the events that there are, new ones more often, again and again. */
async function postEvents(
  service: Supervised,
  fake: FakeStripe,
  random: () => number,
  statuses: Record<string, number>,
  trouble: Trouble,
): Promise<void> {
  while (!trouble.isOver) {
    const back = Math.ceil(fake.events.length * random() ** 3)
    const { headers, body } = fake.signed(fake.events.at(-back) as object)
    const address = `${await service.url}/events/stripe`
    const status = await fetch(address, { method: 'POST', headers, body }).then(
      (response) => response.status,
      () => 0,
    )
    expect([0, 200, 503]).toContain(status)
    statuses[status] = (statuses[status] ?? 0) + 1
    await sleep(random() * 50)
  }
}

/** Waits until the outcome of every order is known. */
async function untilKnown(home: Home, hurry: boolean) {
  return await withHome(home, async ({ environments: { sandbox } }) => {
    const { database, clock, wall } = sandbox
    const startedAt = performance.now()
    const unknown = await countUnknown(database, clock())
    if (hurry) await endPauses(database, wall())
    for (;;) {
      const left = await countUnknown(database, clock())
      const knownWithin = Math.round(performance.now() - startedAt)
      if (left === 0) return { unknown, knownWithin }
      if (knownWithin > KNOWN_WITHIN_MS) throw new Error(`${left} of ${unknown} are still unknown`)
      await sleep(100)
    }
  })
}

const ORDERED = ['payments', 'refunds'] as const

/** Orders that wait for the provider, and renewals that nobody has ordered yet. */
async function countUnknown({ read }: EnvironmentDatabase, now: number): Promise<number> {
  const late = await read
    .selectFrom('subscriptions')
    .select('id')
    .where('next_due', '<=', now)
    .execute()
  let count = late.length
  for (const table of ORDERED) {
    const rows = await read.selectFrom(table).select('id').where('status', '=', 'pending').execute()
    count += rows.length
  }
  return count
}

async function endPauses(database: EnvironmentDatabase, wall: number): Promise<void> {
  await database.write(async (trx) => {
    for (const table of ORDERED) {
      await trx
        .updateTable(table)
        .set({ due: wall, lease_until: null })
        .where('status', '=', 'pending')
        .execute()
    }
  })
}
