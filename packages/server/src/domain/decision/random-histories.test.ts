import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { FOREVER } from '../../db/tables.ts'
import { findRecords } from '../../http/r2/fast-path/record-lookups.ts'
import { openAccessRecord } from '../../records/access.ts'
import { checkRecord } from '../../records/decision.ts'
import { databases } from '../../testing/databases.ts'
import { closeShop, MONTHLY, openShop, type Shop } from '../../testing/payments/shop.ts'
import { seededRandom } from '../../testing/random.ts'
import { DAY } from '../../testing/time.ts'
import { useFreshService } from '../../testing/use-service.ts'
import { doesOpen, listOpens, OPENS_NOTHING, setOpens } from '../passes/opens.ts'
import { findOpenAccess } from '../passes/records.ts'
import { applyEvent } from '../payments/events.ts'
import { findPayment } from '../payments/payments.ts'
import { mergeUsers } from '../people/merge.ts'
import { findUidByRef } from '../users/user-ref.ts'
import { type Decision, decide } from './decide.ts'
import { listEntitlements } from './list.ts'

// DECISION_SEED=… repeats a history; DECISION_HISTORIES and DECISION_STEPS make it many or long.
const SEED = Number(process.env.DECISION_SEED ?? Date.now() % 2 ** 31)
const HISTORIES = Number(process.env.DECISION_HISTORIES ?? 1)
const STEPS = Number(process.env.DECISION_STEPS ?? 12)

const READERS = ['ann', 'bob', 'cid'] as const
const SOLD = ['news', 'film', 'gold'] as const
const ASKED = [...SOLD, 'news/1'] as const
const ONCE = [{ period: null }, { period: '2 days' }, { period: '1 month' }]
const SUBSCRIPTIONS = [MONTHLY, { ...MONTHLY, trial_days: 3 }]

/** What access that a step ended may be called. Undefined where that depends on what was there before. */
type Expected = readonly Decision['code'][] | undefined

type Step = {
  name: string
  expected: Expected
  /** About whom decisions may have changed. */
  readers: readonly string[]
  /** Whether nothing but time passed: whatever was to change later must still be the same. */
  isWait: boolean
}

/** One random history in an application of its own. */
class History {
  readonly shop: Shop
  readonly #random: () => number
  /** The last decision about each reader and resource. */
  readonly last = new Map<string, Decision>()
  decisions = 0
  /** When somebody did something last. Of two things that end access in the same second, either may be called the last. */
  #actedAt = 0
  /** Whether two readers have become one. */
  #areMerged = false

  constructor(shop: Shop, random: () => number) {
    this.shop = shop
    this.#random = random
  }

  pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.#random() * from.length)] as T
  }

  get now() {
    return this.shop.environment.clock()
  }

  get db() {
    return this.shop.environment.database
  }

  async step(): Promise<Step> {
    const user_ref = this.pick(READERS)
    const rid = this.pick(SOLD)
    const steps: [weight: number, name: string, () => Promise<Expected>][] = [
      [4, 'grant', () => this.#grant(user_ref, rid)],
      [2, 'revoke', () => this.#revoke(user_ref, rid)],
      [3, 'buy', () => this.#buy(user_ref, rid, this.pick(ONCE))],
      [3, 'subscribe', () => this.#buy(user_ref, rid, this.pick(SUBSCRIPTIONS))],
      [2, 'cancel', () => this.#cancel(user_ref, rid)],
      [2, 'refund', () => this.#refund(user_ref)],
      [1, 'dispute', () => this.#dispute(user_ref)],
      [2, 'opens', () => this.#open()],
      [0.3, 'merge', () => this.#merge()],
      [6, 'wait', () => this.#wait(this.pick([1, DAY, 2 * DAY, 8 * DAY]))],
      [6, 'wait for a change', () => this.#waitForChange()],
    ]
    let drawn = this.#random() * steps.reduce((sum, [weight]) => sum + weight, 0)
    const [, name, take] = steps.find(([weight]) => {
      drawn -= weight
      return drawn < 0
    }) as (typeof steps)[number]
    const isWait = name.startsWith('wait')
    const isAlone = isWait || this.now > this.#actedAt
    const expected = await take()
    if (!isWait) this.#actedAt = this.now
    const isAboutAll = isWait || this.#areMerged || name === 'opens'
    const readers = isAboutAll ? READERS : [user_ref]
    return { name, expected: isAlone ? expected : undefined, readers, isWait }
  }

  async #grant(user_ref: string, rid: string): Promise<Expected> {
    const lasts = this.pick([undefined, -1, DAY, 3 * DAY])
    const expiration = lasts === undefined ? {} : { expiration: this.now + lasts }
    const email = `${user_ref}@example.com`
    await ignoringRefusal(this.shop.client.grantAccess({ rid, email, user_ref, ...expiration }))
    // An end in the past may be in the second of the step before.
    return lasts === -1 && this.#actedAt === this.now - 1 ? undefined : ['expired']
  }

  async #revoke(user_ref: string, rid: string): Promise<Expected> {
    await ignoringRefusal(this.shop.client.revokeAccess({ rid, user_ref }))
    return ['revoked']
  }

  async #buy(userRef: string, rid: string, terms: object): Promise<Expected> {
    const card = this.pick(['good', 'good', 'declined_later'] as const)
    const vouchedEmail = `${userRef}@example.com`
    await ignoringRefusal(this.shop.buy({ rid, userRef, vouchedEmail, terms, card }))
    return undefined
  }

  async #cancel(user_ref: string, rid: string): Promise<Expected> {
    await ignoringRefusal(this.shop.client.cancelSubscription({ rid, user_ref }))
    // In the grace period nothing paid is left.
    return ['expired']
  }

  async #paymentOf(user_ref: string) {
    const { data } = await this.shop.client.searchPayments({ user_ref })
    return this.pick(data.map(({ id }) => id))
  }

  async #refund(user_ref: string): Promise<Expected> {
    const payment = await this.#paymentOf(user_ref)
    if (payment) await ignoringRefusal(this.shop.client.refundPayment({ payment }))
    return ['refunded']
  }

  async #dispute(user_ref: string): Promise<Expected> {
    const paymentId = await this.#paymentOf(user_ref)
    if (!paymentId) return undefined
    const ref = (await findPayment(this.db.read, this.shop.aid, paymentId))?.provider_ref
    if (!ref) return undefined
    await this.shop.cards.dispute(ref, 'lost')
    await applyEvent(this.shop.environment, { kind: 'payment', paymentId })
    return ['dispute_lost']
  }

  async #open(): Promise<Expected> {
    const opens = {
      ...OPENS_NOTHING,
      prefixes: this.pick([[], ['news/']]),
      rids: this.pick([[], ['film']]),
    }
    const key = { aid: this.shop.aid, rid: this.pick(['gold', 'news']) }
    await this.db.write((trx) => setOpens(trx, key, opens, this.now, 'test'))
    return undefined
  }

  async #merge(): Promise<Expected> {
    const [from, into] = await Promise.all(
      ['ann', 'bob'].map((ref) => findUidByRef(this.db.read, this.shop.aid, ref)),
    )
    if (from === undefined || into === undefined || from === into) return undefined
    const input = { aid: this.shop.aid, from, into, actor: 'test' }
    await ignoringRefusal(this.db.write((trx) => mergeUsers(trx, input, this.now)))
    this.#areMerged = true
    return undefined
  }

  async #wait(seconds: number): Promise<Expected> {
    await this.shop.advance(seconds)
    return ['expired', 'unpaid']
  }

  async #waitForChange(): Promise<Expected> {
    const changes = [...this.last.values()].flatMap(({ nextChange }) => nextChange ?? [])
    const next = changes.length === 0 ? this.now + 1 : this.pick(changes)
    const left = Math.max(next - this.now, 2)
    return await this.#wait(this.pick([left - 1, left]))
  }

  /** Compares decisions with the API's route, its fast path, a list and a naive search over all rows. */
  async check({ expected, readers, isWait }: Step): Promise<void> {
    const { aid } = this.shop
    const opens = await listOpens(this.db.read, aid)
    const all = await this.db.read.selectFrom('access').selectAll().where('aid', '=', aid).execute()
    for (const userRef of readers) {
      const uid = await findUidByRef(this.db.read, aid, userRef)
      const decisions = await decide(this.db.read, { aid, userRef, rids: ASKED }, this.now)
      this.decisions += decisions.length
      const question = { aid, userRef, after: '', limit: 100 }
      const { entitlements } = await listEntitlements(this.db.read, question, this.now)
      const fast = await this.#askFastPath(userRef)
      for (const [i, decision] of decisions.entries()) {
        const { rid, granted, via } = decision
        const live = all
          .filter((row) => row.uid === uid && row.revoked === null && row.ends > this.now)
          .filter((row) => row.rid === rid || doesOpen(opens.get(row.rid) ?? OPENS_NOTHING, rid))
        const direct = live.find((row) => row.rid === rid)
        const ends = direct?.ends ?? Math.max(0, ...live.map((row) => row.ends))
        const about = `${userRef} ${rid}`
        requireSame(granted, live.length > 0, about)
        const route = await findOpenAccess(this.db.read, { aid, rid, userRef }, this.now)
        requireSame(route?.access.id, granted ? decision.record.id : undefined, about)
        const body = route && JSON.parse(JSON.stringify(openAccessRecord(route, rid)))
        requireSame(fast[i], body, about)
        const isListed = entitlements.some((one) => one.rid === rid)
        requireSame(isListed, direct !== undefined, about)
        if (granted) {
          requireSame(decision.record.ends, ends, about)
          requireSame(decision.until ?? FOREVER, route?.access.ends, about)
          requireSame(via, route?.via, about)
        }
        this.#requireReason(about, decision, expected)
        if (isWait) this.#requireNoEarlyChange(about, decision)
        this.last.set(about, decision)
      }
    }
  }

  /** Looks the records up as the fast path does, which leaves out those that have expired. */
  async #askFastPath(userRef: string): Promise<unknown[]> {
    const keys = ASKED.map((rid) => [this.shop.aid, rid, userRef] as const)
    const found = await findRecords(this.db, keys, this.now)
    return found.map((one) => (one && one.ends > this.now ? JSON.parse(one.body) : undefined))
  }

  #requireNoEarlyChange(about: string, decision: Decision): void {
    const before = this.last.get(about)
    if (!before || (before.nextChange ?? Number.POSITIVE_INFINITY) <= this.now) return
    requireSame(checkRecord(decision), checkRecord(before), `${about} changed too early`)
  }

  /** Access that just ended is called after the step that ended it. What was refused before is called as before. */
  #requireReason(about: string, decision: Decision, expected: Expected): void {
    const before = this.last.get(about)
    if (before === undefined || decision.granted) return
    if (before.granted && expected !== undefined) expect(expected, about).toContain(decision.code)
    const isUntouched = !before.granted && isDeepStrictEqual(before.record, decision.record)
    if (isUntouched && before.record && before.via === decision.via)
      expect(decision.code, about).toBe(before.code)
  }
}

/** Compares without `expect` first, which takes as long as a query, dozens of times in a step. */
function requireSame(actual: unknown, expected: unknown, about: string): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual, about).toEqual(expected)
}

/** A step that a rule refuses is no step. */
async function ignoringRefusal(step: Promise<unknown>): Promise<void> {
  await step.catch((error: { status?: number }) => {
    if (error.status !== 402 && error.status !== 404) throw error
  })
}

/** A sandbox has a clock that ends in 2089, and a history of 100 steps takes most of a year. */
const HISTORIES_PER_SERVICE = 50
const batches = Array.from({ length: Math.ceil(HISTORIES / HISTORIES_PER_SERVICE) }, (_, n) => ({
  first: SEED + n * HISTORIES_PER_SERVICE,
  count: Math.min(HISTORIES_PER_SERVICE, HISTORIES - n * HISTORIES_PER_SERVICE),
}))

describe.each(databases)('decisions in random histories on $name', (database) => {
  const service = useFreshService(database)

  it.each(batches)(
    'agree with the route, the fast path, the list and a naive search, and change when they said (seed $first)',
    async ({ first, count }) => {
      let decisions = 0
      for (let seed = first; seed < first + count; seed++) {
        const shop = await openShop(service)
        for (const rid of SOLD) await shop.addResource(rid)
        const history = new History(shop, seededRandom(seed))
        const taken: string[] = []
        try {
          for (let step = 0; step < STEPS; step++) {
            const taking = await history.step()
            taken.push(taking.name)
            await history.check(taking)
          }
        } catch (error) {
          const steps = taken.join(', ')
          console.error(`DECISION_SEED=${seed} DECISION_STEPS=${STEPS}: ${steps}\n${error}`)
          throw error
        }
        decisions += history.decisions
        await closeShop(shop)
      }
      expect(decisions).toBeGreaterThan(count * STEPS * ASKED.length)
      if (HISTORIES > 1) console.info(`${decisions} decisions from DECISION_SEED=${first}`)
    },
    60_000 * HISTORIES_PER_SERVICE,
  )
})
