import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { MONTHLY } from '../../testing/payments/shop.ts'
import { useService, useShop } from '../../testing/use-service.ts'
import { archiveResource } from '../resources/change.ts'
import { findAnything } from './find.ts'

describe.each(databases)('a search through everything on $name', (database) => {
  const service = useService(database)
  const shop = useShop(service, 'map-a', 'map-b', 'map-c')
  const find = (q: string, limit = 10) =>
    findAnything(shop.environment.database.read, shop.aid, q, limit)

  it('finds access, payments and subscriptions by the first six letters of an id', async () => {
    const bought = await shop.buy({ rid: 'map-a', userRef: 'ann', terms: MONTHLY })
    const { id } = await shop.client.getAccess({ rid: 'map-a', user_ref: 'ann' })
    const ids = async (q: string) => {
      const { access, payments, subscriptions } = await find(q)
      return [access, payments, subscriptions].map((rows) => rows.map(({ id }) => id))
    }
    for (const [i, whole] of [id, bought.payment_id, bought.subscription_id].entries()) {
      const text = whole as string
      expect((await ids(text.slice(0, 6)))[i]).toEqual([text])
      expect(await ids(text.slice(0, 5))).toEqual([[], [], []])
    }
  })

  it('shows no more resources than asked for, those on sale first', async () => {
    await shop.environment.database.write((trx) =>
      archiveResource(trx, { aid: shop.aid, rid: 'map-a' }, true, shop.environment.clock(), 'test'),
    )
    const rids = async (limit: number) => (await find('map', limit)).resources.map(({ rid }) => rid)
    expect(await rids(10)).toEqual(['map-b', 'map-c', 'map-a'])
    expect(await rids(2)).toEqual(['map-b', 'map-c'])
  })
})
