import { ApiError } from '@gatehouse/sdk'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { findViolations } from '../../db/invariants/invariants.ts'
import { Failure } from '../../errors.ts'
import { databases } from '../../testing/databases.ts'
import { sendSigned, withoutRequestId } from '../../testing/http/requests.ts'
import { getPage, submitForm } from '../../testing/payments/page-client.ts'
import { replaceProvider } from '../../testing/payments/replace-provider.ts'
import type { TestApplication, TestService } from '../../testing/service.ts'
import type { FakeStripe } from '../../testing/stripe/fake-stripe.ts'
import type { FakeSession } from '../../testing/stripe/ledger.ts'
import { DAY } from '../../testing/time.ts'
import { useFakeStripe, useService } from '../../testing/use-service.ts'
import { createStripe } from '../payments/stripe/stripe.ts'
import { setEmail } from '../users/change.ts'
import { findUserByEmail } from '../users/user-email.ts'
import { eraseUser } from './erase.ts'
import { mergeUsers } from './merge.ts'
import { describePerson } from './person-data.ts'

const RIDS = ['r1', 'r2'] as const
const EMAILS = ['a@example.com', 'b@example.com', 'c@example.com', 'd@example.com'] as const

/** Picks one of the names known so far: references, and the uids of all users ever created. */
const name = fc.nat({ max: 30 })
const email = fc.constantFrom(...EMAILS)
const rid = fc.constantFrom(...RIDS)
const pair = fc.record({ from: name, into: name })
const step = fc.oneof(
  fc.record({
    do: fc.constant('grant' as const),
    ...{ rid, email, name: fc.option(name, { nil: undefined }) },
    days: fc.option(fc.constantFrom(3, 9), { nil: undefined }),
  }),
  fc.record({
    do: fc.constant('buy' as const),
    ...{ rid, email, name: fc.option(name, { nil: undefined }) },
    isVouched: fc.boolean(),
    days: fc.option(fc.constantFrom(3, 9), { nil: undefined }),
    // Merges two users between the form and the payment.
    merge: fc.option(pair, { nil: undefined, freq: 4 }),
  }),
  fc.record({ do: fc.constant('erase' as const), name }),
  fc.record({ do: fc.constant('merge' as const), pair }),
  fc.record({ do: fc.constant('set-email' as const), name, email }),
  fc.record({ do: fc.constant('clock' as const), days: fc.constantFrom(1, 4) }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never
type Buy = Extract<Step, { do: 'buy' }>

describe.each(databases)('random histories of people on $name', (database) => {
  const stripe = useFakeStripe()
  const service = useService(database)
  beforeAll(async () => {
    const { secretKey, webhookSecret, url: api } = stripe
    // Only production has the fast path. Its configuration refuses test keys, so the provider is set directly.
    replaceProvider(
      service.ctx.environments.production,
      createStripe({ secretKey, webhookSecret, api }),
    )
  })

  it('leave nobody unnamed, and every way to ask agrees', { timeout: 300_000 }, async () => {
    const seed = Math.floor(Math.random() * 2 ** 31)
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 40 }), async (steps) => {
        const app = await service.newApplication()
        for (const one of RIDS) await app.addResource(one)
        const player = new Player(service, stripe, app)
        for (const one of steps) await player.play(one)
        await player.compare()
      }),
      // On each database; the model in `stress/` plays 100,000 such steps.
      { seed, numRuns: 5, endOnFailure: true },
    )
  })
})

/** Plays a history through the API and the checkout pages. */
class Player {
  readonly #service: TestService
  readonly #stripe: FakeStripe
  readonly #app: TestApplication
  readonly #names = new Set(['x', 'y', 'z'])
  readonly #uids = new Set<string>()

  constructor(service: TestService, stripe: FakeStripe, app: TestApplication) {
    this.#service = service
    this.#stripe = stripe
    this.#app = app
  }

  #nameAt(n: number): string {
    const names = [...this.#names]
    return names[n % names.length] as string
  }

  #uidAt(n: number): string | undefined {
    const uids = [...this.#uids]
    return uids[n % uids.length]
  }

  #learn(uid: string): void {
    this.#uids.add(uid)
    this.#names.add(uid)
  }

  async play(one: Step): Promise<void> {
    const { clock, database } = this.#app.environment
    switch (one.do) {
      case 'grant':
        return await this.#grant(one)
      case 'buy':
        return await this.#buy(one)
      case 'erase':
        return await this.#change(one.name, (trx, who) =>
          eraseUser(trx, who, { now: clock(), realTime: this.#app.environment.realTime() }),
        )
      case 'merge':
        return await this.#merge(one.pair)
      case 'set-email':
        return await this.#change(one.name, (trx, who) => setEmail(trx, who, one.email, clock()))
      case 'clock':
        this.#service.clock.advance(one.days * DAY)
        await database.ping()
    }
  }

  async #grant({ rid, email, name, days }: Extract<Step, { do: 'grant' }>): Promise<void> {
    const granted = await allowed(
      this.#app.client.grantAccess({
        ...{ rid, email },
        ...(name === undefined ? {} : { user_ref: this.#nameAt(name) }),
        ...(days === undefined ? {} : { expiration: this.#app.environment.clock() + days * DAY }),
      }),
    )
    if (granted) this.#learn(granted.uid)
  }

  async #buy({ rid, email, name, isVouched, days, merge }: Buy): Promise<void> {
    const link = await this.#app.client.purchaseLink({
      ...{ rid, amount: '2.90', currency: 'EUR' },
      ...(days === undefined ? {} : { period: `${days} days` }),
      ...(name === undefined ? {} : { user_ref: this.#nameAt(name) }),
      ...(isVouched ? { email } : {}),
      expires: this.#app.environment.clock() + 3_600,
    })
    const sent = await submitForm(link, { email })
    expect(sent.status, sent.text).toBeLessThan(500)
    if (sent.status !== 303) return
    if (merge) await this.#merge(merge)
    const session = [...this.#stripe.ledger.sessions.values()].at(-1) as FakeSession
    this.#stripe.pay(session.id)
    const done = await getPage(session.success_url)
    expect(done.status, done.text).toBe(200)
    const { data } = await this.#app.client.searchPayments({ pagesize: 1000 })
    for (const { uid } of data) this.#learn(uid)
  }

  async #merge({ from, into }: { from: number; into: number }): Promise<void> {
    const [gone, kept] = [this.#uidAt(from), this.#uidAt(into)]
    if (gone === undefined || kept === undefined) return
    const { database, clock } = this.#app.environment
    const { aid } = this.#app
    const input = { aid, from: gone, into: kept, actor: 'test' }
    const before = await database.snapshot((db) => describePerson(db, aid, gone))
    const merged = await allowed(database.write((trx) => mergeUsers(trx, input, clock())))
    if (merged === undefined) return
    for (const address of [before.email, ...before.former_addresses]) {
      if (address === null) continue
      expect((await findUserByEmail(database.read, aid, address))?.uid).toBe(kept)
    }
  }

  async #change(
    name: number,
    work: (trx: Parameters<typeof setEmail>[0], who: Parameters<typeof setEmail>[1]) => unknown,
  ): Promise<void> {
    const uid = this.#uidAt(name)
    if (uid === undefined) return
    const who = { aid: this.#app.aid, uid, actor: 'test' }
    await allowed(this.#app.environment.database.write(async (trx) => await work(trx, who)))
  }

  /** Checks the invariants of `doctor`, and that search, route and fast path agree. */
  async compare(): Promise<void> {
    const { database, clock } = this.#app.environment
    expect(await findViolations(database.read, clock())).toEqual([])
    for (const address of EMAILS) {
      const named = await findUserByEmail(database.read, this.#app.aid, address)
      const { data } = await this.#app.client.searchAccess({ email: address })
      expect(data.filter(({ uid }) => uid !== named?.uid)).toEqual([])
    }
    const found = new Set<string>()
    for (const rid of RIDS) {
      for (const user_ref of this.#names) {
        const id = await this.#check(rid, user_ref)
        if (id !== undefined) found.add(id)
      }
    }
    const { data } = await this.#app.client.searchAccess({ pagesize: 1000 })
    expect(new Set(data.map(({ id }) => id))).toEqual(found)
  }

  /** Returns the id of the record that search, route and fast path all find, or undefined. */
  async #check(rid: string, user_ref: string): Promise<string | undefined> {
    const ask = async (headers = {}) => {
      const response = await sendSigned(
        this.#app,
        'GET',
        '/r2/access',
        { rid, user_ref },
        { headers },
      )
      return {
        status: response.status,
        body: JSON.parse(withoutRequestId(response).replace(/,\}/, '}')),
      }
    }
    // This header forces the route.
    const [fast, route] = [await ask(), await ask({ 'content-length': '0' })]
    expect(fast, `${rid} ${user_ref}`).toEqual(route)
    const { data } = await this.#app.client.searchAccess({ rid, user_ref })
    const ids = data.map(({ id }) => id)
    expect(ids, `${rid} ${user_ref}`).toEqual(route.status === 200 ? [route.body.id] : [])
    return ids[0]
  }
}

/** Returns undefined if a rule refuses the operation. */
async function allowed<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Failure) return undefined
    if (error instanceof ApiError && [402, 404].includes(error.status)) return undefined
    throw error
  }
}
