import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { MONTHLY } from '../../testing/payments/shop.ts'
import { DAY } from '../../testing/time.ts'
import { useFreshShop, useService } from '../../testing/use-service.ts'
import { findUidByRef } from '../users/user-ref.ts'
import { mergeUsers } from './merge.ts'
import { collectHistory, collectPerson } from './person-data.ts'

describe.each(databases)('what is stored about a person on $name', (database) => {
  const service = useService(database)
  const shop = useFreshShop(service, 'news', 'maps', 'plans')

  const db = () => shop.environment.database
  const now = () => shop.environment.clock()
  const uidOf = async (ref: string) => (await findUidByRef(db().read, shop.aid, ref)) as string
  const collect = async (ref: string) => await collectPerson(db().read, shop.aid, await uidOf(ref))

  it('has each access with its own sources, oldest first', async () => {
    const ann = { email: 'ann@example.com', user_ref: 'ann' }
    for (const rid of ['plans', 'maps', 'news']) {
      await shop.client.grantAccess({ rid, ...ann })
      await shop.advance(60)
    }
    await shop.buy({ rid: 'maps', userRef: 'ann' })
    await shop.buy({ rid: 'news', userRef: 'bob' })
    const { access, events } = await collect('ann')
    expect(events[0]).toMatchObject({ type: 'access.granted', data: { rid: 'plans' } })
    expect(access.map(({ rid, sources }) => [rid, sources.map(({ kind }) => kind)])).toEqual([
      ['plans', ['grant']],
      ['maps', ['grant', 'purchase']],
      ['news', ['grant']],
    ])
  })

  it('has the terms of checkouts and subscriptions', async () => {
    const began = now()
    const bought = await shop.buy({
      ...{ rid: 'news', userRef: 'ann', email: 'ann@example.com' },
      terms: { ...MONTHLY, trial_days: 7 },
    })
    const { checkouts, subscriptions } = await collect('ann')
    expect(checkouts).toEqual([
      {
        ...{ id: bought.id, status: 'paid', created: began, paid: began, expires: bought.expires },
        ...{ rid: 'news', purpose: 'buy', amount: 499, currency: 'EUR' },
        ...{ period: '1 month', trial_days: 7, user_ref: 'ann', vouched_email: null },
        ...{ typed_email: 'ann@example.com', first_name: 'Rita', last_name: 'Reader' },
        ...{ return_url: null, payment_id: bought.payment_id },
        subscription_id: bought.subscription_id,
      },
    ])
    expect(subscriptions).toMatchObject([
      {
        ...{ id: bought.subscription_id, rid: 'news', status: 'trialing', amount: 499 },
        ...{ currency: 'EUR', period: '1 month', created: began, provider: 'test' },
        ...{ trial_ends: began + 7 * DAY, current_period_start: began },
        ...{ current_period_end: began + 7 * DAY, canceled: null, ended: null },
      },
    ])
  })

  it('has the history of everybody who was merged into the person, in order', async () => {
    const names = ['a', 'b', 'c']
    for (const rid of ['news', 'maps']) {
      for (const name of names) {
        await shop.client.grantAccess({ rid, email: `${name}@example.com`, user_ref: name })
        await shop.advance(1)
      }
    }
    const [a = '', b = '', c = ''] = await Promise.all(names.map(uidOf))
    for (const [from, into] of [
      [a, b],
      [b, c],
    ] as const) {
      const input = { aid: shop.aid, from, into, actor: 'test' }
      await db().write((trx) => mergeUsers(trx, input, now()))
      await shop.advance(1)
    }
    const { uids, rows } = await collectHistory(db().read, shop.aid, c)
    expect(uids).toEqual([c, b, a])
    const granted = rows.filter(({ action }) => action === 'granted')
    expect(granted.map(({ uid, rid }) => [uid, rid])).toEqual(
      ['news', 'maps'].flatMap((rid) => [a, b, c].map((uid) => [uid, rid])),
    )
    expect(rows.map(({ at }) => at)).toEqual(rows.map(({ at }) => at).sort((x, y) => x - y))
  })
})
