import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { FOREVER } from '../../db/tables.ts'
import { findRecords } from '../../http/r2/fast-path/record-lookups.ts'
import { type AccessRecord, openAccessRecord } from '../../records/access.ts'
import { checkRecord } from '../../records/decision.ts'
import { databases } from '../../testing/databases.ts'
import {
  type Expected,
  RandomHistory,
  SOLD,
  type Step,
} from '../../testing/decisions/random-history.ts'
import { closeShop, openShop } from '../../testing/payments/shop.ts'
import { seededRandom } from '../../testing/random.ts'
import { useFreshService } from '../../testing/use-service.ts'
import { doesOpen, listOpens, OPENS_NOTHING } from '../passes/opens.ts'
import { findOpenAccess } from '../passes/records.ts'
import { readPersonPage } from '../people/page.ts'
import { findUidByRef } from '../users/user-ref.ts'
import { type Decision, decide } from './decide.ts'
import { listEntitlements } from './list.ts'

// DECISION_SEED=… repeats a history; DECISION_HISTORIES and DECISION_STEPS make it many or long.
const SEED = Number(process.env.DECISION_SEED ?? Date.now() % 2 ** 31)
const HISTORIES = Number(process.env.DECISION_HISTORIES ?? 1)
const STEPS = Number(process.env.DECISION_STEPS ?? 12)

const ASKED = [...SOLD, 'news/1'] as const
/** A person's page is compared after some of the steps only: it takes many queries. */
const STEPS_PER_PAGE = 5

/** A random history whose every step is compared with what each way to ask says. */
class History extends RandomHistory {
  decisions = 0
  #steps = 0

  /** Compares decisions with the API's route, its fast path, a list, the dashboard and a naive search over all rows. */
  async check({ expected, readers, isWait }: Step): Promise<void> {
    const { aid } = this.shop
    const opens = await listOpens(this.db.read, aid)
    const all = await this.db.read.selectFrom('access').selectAll().where('aid', '=', aid).execute()
    const hasPages = this.#steps++ % STEPS_PER_PAGE === 0
    for (const userRef of readers) {
      const uid = await findUidByRef(this.db.read, aid, userRef)
      const decisions = await decide(this.db.read, { aid, userRef, rids: ASKED }, this.now)
      this.decisions += decisions.length
      const question = { aid, userRef, after: '', limit: 100 }
      const { entitlements } = await listEntitlements(this.db.read, question, this.now)
      const fast = await this.#askFastPath(userRef)
      // The route answers about one resource at a time, which would take most of the time.
      const routed = this.pick(ASKED)
      for (const [i, decision] of decisions.entries()) {
        const { rid, granted, via } = decision
        const live = all
          .filter((row) => row.uid === uid && row.revoked === null && row.ends > this.now)
          .filter((row) => row.rid === rid || doesOpen(opens.get(row.rid) ?? OPENS_NOTHING, rid))
        const direct = live.find((row) => row.rid === rid)
        const ends = direct?.ends ?? Math.max(0, ...live.map((row) => row.ends))
        const about = `${userRef} ${rid}`
        requireSame(granted, live.length > 0, about)
        requireSame(fast[i]?.id, granted ? decision.record.id : undefined, about)
        requireSame(fast[i]?.via, granted ? via : undefined, about)
        const isListed = entitlements.some((one) => one.rid === rid)
        requireSame(isListed, direct !== undefined, about)
        if (granted) requireSame(decision.record.ends, ends, about)
        if (rid === routed) await this.#compareRoute(userRef, decision, fast[i])
        this.#requireReason(about, decision, expected)
        if (isWait) this.#requireNoEarlyChange(about, decision)
        this.last.set(about, decision)
      }
      if (hasPages && uid !== undefined) await this.#comparePage(uid, decisions)
    }
  }

  async #comparePage(uid: string, decisions: readonly Decision[]): Promise<void> {
    const page = await readPersonPage(this.db.read, this.shop.aid, uid, this.now)
    for (const decision of decisions) {
      const shown = page.decisions.find(({ rid }) => rid === decision.rid)
      const isOnPage = page.access.some(({ row }) => row.rid === decision.rid) || decision.granted
      // An article that only a pass opens and that nobody sells has no place on the page.
      const isSold = SOLD.some((rid) => rid === decision.rid)
      const expected = isOnPage && isSold ? checkRecord(decision) : undefined
      requireSame(shown && checkRecord(shown), expected, `${uid} ${decision.rid} in the dashboard`)
    }
  }

  async #compareRoute(userRef: string, decision: Decision, fast: unknown): Promise<void> {
    const { rid, granted, via } = decision
    const key = { aid: this.shop.aid, rid, userRef }
    const route = await findOpenAccess(this.db.read, key, this.now)
    const about = `${userRef} ${rid} by the route`
    requireSame(route?.access.id, granted ? decision.record.id : undefined, about)
    requireSame(fast, route && JSON.parse(JSON.stringify(openAccessRecord(route, rid))), about)
    if (!granted) return
    requireSame(decision.until ?? FOREVER, route?.access.ends, about)
    requireSame(via, route?.via, about)
  }

  /** Looks the records up as the fast path does, which leaves out those that have expired. */
  async #askFastPath(userRef: string): Promise<(AccessRecord | undefined)[]> {
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

/** A sandbox has a clock that ends in 2089, and a history of 100 steps takes most of a year. */
const HISTORIES_PER_SERVICE = 50
const batches = Array.from({ length: Math.ceil(HISTORIES / HISTORIES_PER_SERVICE) }, (_, n) => ({
  first: SEED + n * HISTORIES_PER_SERVICE,
  count: Math.min(HISTORIES_PER_SERVICE, HISTORIES - n * HISTORIES_PER_SERVICE),
}))

describe.each(databases)('decisions in random histories on $name', (database) => {
  const service = useFreshService(database)

  it.each(batches)(
    'agree with the route, the fast path, the list, the dashboard and a naive search, and change when they said (seed $first)',
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
