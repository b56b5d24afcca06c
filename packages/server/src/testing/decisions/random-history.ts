import type { Decision } from '../../domain/decision/decide.ts'
import { OPENS_NOTHING, setOpens } from '../../domain/passes/opens.ts'
import { applyEvent } from '../../domain/payments/events.ts'
import { findPayment } from '../../domain/payments/payments.ts'
import { mergeUsers } from '../../domain/people/merge.ts'
import { findUidByRef } from '../../domain/users/user-ref.ts'
import { MONTHLY, type Shop } from '../payments/shop.ts'
import { DAY } from '../time.ts'

const READERS = ['ann', 'bob', 'cid'] as const
export const SOLD = ['news', 'film', 'gold'] as const
const ONCE = [{ period: null }, { period: '2 days' }, { period: '1 month' }]
const SUBSCRIPTIONS = [MONTHLY, { ...MONTHLY, trial_days: 3 }]

/** The codes that a decision may have after a step that ended access; undefined if they depend on what was before. */
export type Expected = readonly Decision['code'][] | undefined

export type Step = {
  name: string
  expected: Expected
  /** The readers about whom decisions may have changed. */
  readers: readonly string[]
  /** Whether nothing but time passed: whatever was to change later must still be the same. */
  isWait: boolean
}

/** One random history in an application of its own. Its steps are drawn; what they must lead to is not known here. */
export class RandomHistory {
  readonly shop: Shop
  readonly #random: () => number
  /** The last decision about each reader and resource. */
  readonly last = new Map<string, Decision>()
  /** The time of the last action. If two things end access in the same second, either may be called the last. */
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
}

/** A step that a rule refuses is no step. */
async function ignoringRefusal(step: Promise<unknown>): Promise<void> {
  await step.catch((error: { status?: number }) => {
    if (error.status !== 402 && error.status !== 404) throw error
  })
}
