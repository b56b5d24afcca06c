import { describe, expect, it } from 'vitest'
import { withEvents } from '../../domain/events/emit.ts'
import { createEventTally } from '../../domain/events/tally.ts'
import { createCheckout } from '../../domain/payments/checkout/checkouts.ts'
import { databases } from '../../testing/databases.ts'
import { MONTHLY, ONCE } from '../../testing/payments/shop.ts'
import { useService, useShop } from '../../testing/use-service.ts'

describe.each(databases)('business counts on $name', (database) => {
  const service = useService(database)
  const shop = useShop(service, 'news', 'pass')

  /** Returns how much each count has grown while `work` ran, without the counts that have not. */
  async function countDuring(work: () => Promise<unknown>): Promise<Record<string, number>> {
    const before = await readCounts()
    await work()
    const grown = [...(await readCounts())].map(([name, count]) => [
      name,
      count - (before.get(name) ?? 0),
    ])
    return Object.fromEntries(grown.filter(([, growth]) => growth !== 0))
  }

  async function readCounts(): Promise<Map<string, number>> {
    const text = await (await fetch(`${service.url}/metrics`)).text()
    const lines = text.matchAll(
      /^gatehouse_(?:events|checkouts)_total\{environment="(\w+)",\w+="([^"]+)".*\} (\d+)$/gm,
    )
    return new Map(
      [...lines].map(([, environment, name, count]) => [`${environment} ${name}`, Number(count)]),
    )
  }

  it('begin with zero in both environments, so that the first event is seen to be added', async () => {
    const counts = await readCounts()
    for (const name of ['payment.succeeded', 'access.revoked', 'begun', 'completed']) {
      expect(counts.get(`production ${name}`)).toBe(0)
    }
  })

  it('have grants, and revokes, but none that changed nothing', async () => {
    const access = { rid: 'news', user_ref: 'ann' }
    const grant = () => shop.client.grantAccess({ ...access, email: 'ann@example.com' })
    expect(
      await countDuring(async () => {
        await grant()
        await grant()
        await shop.client.revokeAccess(access)
      }),
    ).toEqual({
      'sandbox access.granted': 1,
      'sandbox access.revoked': 1,
      'sandbox user.access_changed': 2,
    })
  })

  it('have a purchase, its refund, and a subscription from its begin to its end', async () => {
    const bought = await countDuring(() => shop.buy({ rid: 'news', userRef: 'bob' }))
    expect(bought).toMatchObject({
      ...{ 'sandbox begun': 1, 'sandbox completed': 1 },
      ...{ 'sandbox payment.succeeded': 1, 'sandbox access.granted': 1 },
    })
    expect(bought).not.toHaveProperty('sandbox subscription.started')
    const subscribed = await countDuring(() =>
      shop.buy({ rid: 'pass', userRef: 'bob', terms: MONTHLY }),
    )
    expect(subscribed).toMatchObject({ 'sandbox subscription.started': 1, 'sandbox completed': 1 })
    const { data } = await shop.client.searchPayments({ user_ref: 'bob', rid: 'news' })
    const refunded = await countDuring(async () => {
      await shop.client.refundPayment({ payment: data[0]?.id as string })
      await shop.work()
    })
    expect(refunded).toMatchObject({ 'sandbox refund.succeeded': 1 })
    const ended = await countDuring(async () => {
      await shop.client.cancelSubscription({ rid: 'pass', user_ref: 'bob' })
      await shop.advance(40 * 86_400)
      await shop.work()
    })
    expect(ended).toMatchObject({ 'sandbox subscription.ended': 1 })
  })

  it('have nothing of what was rolled back, and once what was tried twice', async () => {
    const { database: own, ...rest } = shop.environment
    const input = { aid: shop.aid, rid: 'news', terms: ONCE, firstName: '', lastName: '' }
    /** Begins a checkout in a transaction that ends as given; returns how many are counted. */
    async function begin(end: (attempt: () => Promise<unknown>) => Promise<void>) {
      const tally = createEventTally()
      const faulty: typeof own = {
        ...own,
        write: (fn, options) =>
          own.write(async (trx) => {
            const result = await fn(trx)
            await end(() => fn(trx))
            return result
          }, options),
      }
      const source = { environment: 'sandbox', realTime: rest.realTime, tally }
      const database = withEvents(faulty, source)
      await createCheckout({ ...rest, database }, { ...input, userRef: 'cleo' }).catch(() => {})
      return tally.checkouts.begun
    }
    expect(await begin(() => Promise.reject(new Error('rolled back')))).toBe(0)
    expect(await begin(async (attempt) => void (await attempt()))).toBe(1)
  })
})
