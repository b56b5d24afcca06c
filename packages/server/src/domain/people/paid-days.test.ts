import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import type { Shop } from '../../testing/payments/shop.ts'
import { DAY } from '../../testing/time.ts'
import { useFreshShop, useService } from '../../testing/use-service.ts'
import { findUidByRef } from '../users/user-ref.ts'
import { mergeUsers } from './merge.ts'

const DAYS_30 = { period: '30 days' }
const RENEWED = { period: '30 days', recurring: 1 as const }

describe.each(databases)('paid days through a merge on $name', (database) => {
  const service = useService(database)
  const shop = useFreshShop(service, 'news')

  const buy = (userRef: string, terms: Parameters<Shop['buy']>[0]['terms'] = DAYS_30) =>
    shop.buy({ rid: 'news', userRef, ...(terms === undefined ? {} : { terms }) })
  const refund = ({ payment_id }: { payment_id: string }) =>
    shop.client.refundPayment({ payment: payment_id, amount: '4.99', reference: payment_id })
  const wait = (days: number) => shop.advance(days * DAY)
  async function merge(from: string, into: string): Promise<void> {
    const { database, clock } = shop.environment
    const uidOf = async (ref: string) => (await findUidByRef(database.read, shop.aid, ref)) ?? ''
    const input = { aid: shop.aid, from: await uidOf(from), into: await uidOf(into), actor: 'test' }
    await database.write((trx) => mergeUsers(trx, input, clock()))
  }
  /** Days until the access ends; undefined without access, Infinity without an end. */
  async function daysLeft(user_ref: string): Promise<number | undefined> {
    const access = await shop.client.findAccess({ rid: 'news', user_ref })
    if (!access) return undefined
    return access.expires === undefined
      ? Number.POSITIVE_INFINITY
      : (access.expires - shop.environment.clock()) / DAY
  }

  it('are added up: two users with 30 days each have 60', async () => {
    await buy('old')
    await buy('new')
    await merge('old', 'new')
    expect(await daysLeft('new')).toBe(60)
  })

  it('count as far as they are left, also where one period was bought on top of another', async () => {
    await buy('new')
    await buy('new')
    await wait(10)
    await buy('old')
    await wait(5)
    await merge('old', 'new')
    expect(await daysLeft('new')).toBe(15 + 30 + 25)
    await wait(69)
    expect(await daysLeft('old')).toBe(1)
    await wait(1)
    expect(await daysLeft('old')).toBeUndefined()
  })

  it('run from now on when the first period is refunded, no more and no fewer', async () => {
    const first = await buy('new')
    await wait(5)
    await buy('old')
    await wait(10)
    await merge('old', 'new')
    expect(await daysLeft('new')).toBe(15 + 20)
    await refund(first)
    expect(await daysLeft('new')).toBe(20)
    await wait(19)
    expect(await daysLeft('new')).toBe(1)
  })

  it('stay the same when a period that is over is refunded', async () => {
    const first = await buy('new')
    await buy('old')
    await merge('old', 'new')
    await wait(40)
    expect(await daysLeft('new')).toBe(20)
    await refund(first)
    expect(await daysLeft('new')).toBe(20)
  })

  it.each([
    { side: 'who is left', subscriber: 'new', buyer: 'old' },
    { side: 'who is gone', subscriber: 'old', buyer: 'new' },
  ])('wait behind a subscription of the user $side, over renewals too', async (one) => {
    await buy(one.subscriber, RENEWED)
    await wait(10)
    await buy(one.buyer)
    await wait(5)
    await merge('old', 'new')
    expect(await daysLeft('new')).toBe(15 + 25)
    // Past one renewal.
    await wait(20)
    expect(await daysLeft('new')).toBe(25 + 25)
    await shop.client.cancelSubscription({ rid: 'news', user_ref: 'new' })
    await wait(25)
    expect(await daysLeft('new')).toBe(25)
    await wait(25)
    expect(await daysLeft('new')).toBeUndefined()
  })

  it('are not changed by grants, and are there when a lifetime purchase is refunded', async () => {
    await buy('old')
    const email = 'new@example.com'
    await shop.client.grantAccess({ rid: 'news', email, user_ref: 'new' })
    await merge('old', 'new')
    expect(await daysLeft('new')).toBe(Number.POSITIVE_INFINITY)
    const expiration = shop.environment.clock()
    await shop.client.grantAccess({ rid: 'news', email, user_ref: 'new', expiration })
    expect(await daysLeft('new')).toBe(30)
    const lifetime = await buy('third', { period: null })
    await merge('third', 'new')
    expect(await daysLeft('new')).toBe(Number.POSITIVE_INFINITY)
    await refund(lifetime)
    expect(await daysLeft('new')).toBe(30)
  })

  it('survive a second merge', async () => {
    await buy('a')
    await buy('b')
    await wait(10)
    await merge('a', 'b')
    await buy('c')
    await wait(5)
    await merge('b', 'c')
    expect(await daysLeft('c')).toBe(25 + 15 + 20)
  })

  it('are those of a naive count, whatever happens', { timeout: 120_000 }, async () => {
    const user = fc.constantFrom(0, 1, 2)
    const step = fc.oneof(
      fc.record({ do: fc.constant('buy' as const), user, days: fc.constantFrom(2, 5, 20) }),
      fc.record({ do: fc.constant('wait' as const), days: fc.constantFrom(1, 3, 9) }),
      fc.record({ do: fc.constant('merge' as const), from: user, into: user }),
      fc.record({ do: fc.constant('refund' as const), nth: fc.nat({ max: 9 }) }),
    )
    let history = 0
    const seed = Math.floor(Math.random() * 2 ** 31)
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (steps) => {
        history++
        const count = new NaiveCount()
        const refOf = (n: number) => `reader-${history}-${n}`
        for (const one of steps) {
          if (one.do === 'buy') {
            const checkout = await buy(refOf(one.user), { period: `${one.days} days` })
            count.buy(one.user, one.days, checkout.payment_id)
          } else if (one.do === 'wait') {
            await wait(one.days)
            count.wait(one.days)
          } else if (one.do === 'merge' && count.canMerge(one.from, one.into)) {
            await merge(refOf(one.from), refOf(one.into))
            count.merge(one.from, one.into)
          } else if (one.do === 'refund') {
            const payment_id = count.payments[one.nth]
            if (payment_id === undefined) continue
            await refund({ payment_id })
            count.refund(payment_id)
          }
          for (const n of [0, 1, 2]) {
            expect(await daysLeft(refOf(n)), JSON.stringify(one)).toBe(count.left(n) || undefined)
          }
        }
        await service.requireInvariants()
      }),
      // On each database; the model in `stress/` plays 100,000 such steps.
      { seed, numRuns: 4, endOnFailure: true },
    )
  })
})

interface Piece {
  payment: string
  left: number
}

/** A simple model: every user has a list of paid periods, and each day is taken from the first that has any left. */
class NaiveCount {
  readonly #known = new Map<number, Piece[]>()
  /** The user that a merged user became part of. */
  readonly #into = new Map<number, number>()
  readonly payments: string[] = []

  #of(user: number): number {
    const into = this.#into.get(user)
    return into === undefined ? user : this.#of(into)
  }

  buy(user: number, days: number, payment: string): void {
    const owner = this.#of(user)
    this.#known.set(owner, [...(this.#known.get(owner) ?? []), { payment, left: days }])
    this.payments.push(payment)
  }

  wait(days: number): void {
    for (const pieces of this.#known.values()) {
      for (let day = 0; day < days; day++) {
        const running = pieces.find(({ left }) => left > 0)
        if (running) running.left--
      }
    }
  }

  canMerge(from: number, into: number): boolean {
    const [gone, kept] = [this.#of(from), this.#of(into)]
    return gone !== kept && this.#known.has(gone) && this.#known.has(kept)
  }

  merge(from: number, into: number): void {
    const [gone, kept] = [this.#of(from), this.#of(into)]
    const pieces = [...(this.#known.get(kept) ?? []), ...(this.#known.get(gone) ?? [])]
    this.#known.set(kept, pieces)
    this.#known.delete(gone)
    this.#into.set(gone, kept)
  }

  refund(payment: string): void {
    this.payments.splice(this.payments.indexOf(payment), 1)
    for (const [user, pieces] of this.#known) {
      this.#known.set(
        user,
        pieces.filter((piece) => piece.payment !== payment),
      )
    }
  }

  left(user: number): number {
    const pieces = this.#known.get(this.#of(user)) ?? []
    return pieces.reduce((sum, piece) => sum + piece.left, 0)
  }
}
