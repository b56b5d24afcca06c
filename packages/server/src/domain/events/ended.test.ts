import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { useEvents } from '../../testing/events/use-events.ts'
import { MONTHLY } from '../../testing/payments/shop.ts'
import { getSubscription } from '../subscriptions/subscriptions.ts'
import { reportEndedAccess } from './ended.ts'

describe.each(databases)('An end of access on $name', (database) => {
  const { service, shop, db, now, typesOf } = useEvents(database)

  it('is not told of if a renewal is due in the same second, unless it does not begin', async () => {
    const report = () => reportEndedAccess(db(), now())
    const { subscription_id: id } = await shop.buy({ rid: 'news', userRef: 'ann', terms: MONTHLY })
    const end = async () =>
      (await getSubscription(db().read, shop.aid, id as string)).current_period_end
    service.clock.now += ((await end()) - now()) * 1000
    expect(await typesOf(report)).toEqual([])
    const renewal = ['payment.succeeded', 'subscription.renewed']
    expect(await typesOf(shop.work)).toEqual([
      ...['access.changed', 'user.access_changed'],
      ...[...renewal, 'access.changed', 'user.access_changed'],
    ])
    expect(await typesOf(report)).toEqual([])
    service.clock.now += ((await end()) + 29 - now()) * 1000
    expect(await typesOf(report)).toEqual([])
    service.clock.now += 1_000
    expect(await typesOf(report)).toEqual(['access.ended', 'user.access_changed'])
  })
})
