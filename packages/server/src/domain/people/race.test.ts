import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { cardNumber, ONCE } from '../../testing/payments/shop.ts'
import { useService, useShop } from '../../testing/use-service.ts'
import { createCheckout, startCheckout } from '../payments/checkout/checkouts.ts'
import { refreshCheckout } from '../payments/checkout/poll-checkouts.ts'
import { mergeUsers } from './merge.ts'

const ROUNDS = Array.from({ length: 3 }, (_, i) => i)

describe.each(databases)('people to whom two things happen at once, on $name', (database) => {
  const service = useService(database)
  const shop = useShop(service, 'r1', 'r2', 'r3')

  /** Pays at the provider, without the service being notified yet. */
  async function pay(rid: string, reader: { userRef?: string; typedEmail?: string }) {
    const { environment: env, aid, cards } = shop
    const names = { firstName: '', lastName: '' }
    const checkout = await createCheckout(env, { aid, rid, terms: ONCE, ...names, ...reader })
    const urls = { done: 'http://localhost/', back: 'http://localhost/' }
    const page = await startCheckout(env, checkout, urls)
    await cards.pay(page.split('/').at(-1) as string, cardNumber('good'))
    return checkout.id
  }
  const settle = (ids: readonly string[]) =>
    Promise.all(ids.map((id) => refreshCheckout(shop.environment, { aid: shop.aid, id })))

  it.each(ROUNDS)('are one new user, whose address pays for three things (%i)', async (round) => {
    const typedEmail = `new-${round}@example.com`
    const ids: string[] = []
    for (const rid of ['r1', 'r2', 'r3']) ids.push(await pay(rid, { typedEmail }))
    const settled = await settle(ids)
    expect(new Set(settled.map(({ uid }) => uid)).size).toBe(1)
    const { data } = await shop.client.searchAccess({ email: typedEmail })
    expect(data.map(({ rid }) => rid).sort()).toEqual(['r1', 'r2', 'r3'])
  })

  it.each(ROUNDS)(
    'keep what is paid under an old name while they are merged (%i)',
    async (round) => {
      const grant = (name: string, user_ref?: string) =>
        shop.client.grantAccess({
          ...{ rid: 'r1', email: `${name}-${round}@example.com`, suppress_email: true },
          ...(user_ref === undefined ? {} : { user_ref }),
        })
      const gone = await grant('gone')
      const kept = await grant('kept', `kept-${round}`)
      const ids = [
        await pay('r2', { userRef: gone.uid, typedEmail: 'x@example.com' }),
        await pay('r3', { userRef: gone.uid, typedEmail: 'x@example.com' }),
      ]
      const { environment: env, aid } = shop
      const input = { aid, from: gone.uid, into: kept.uid, actor: 'test' }
      await Promise.all([
        settle(ids),
        env.database.write((trx) => mergeUsers(trx, input, env.clock())),
      ])
      for (const rid of ['r1', 'r2', 'r3']) {
        for (const user_ref of [gone.uid, `kept-${round}`]) {
          const found = await shop.client.getAccess({ rid, user_ref })
          expect(found.uid).toBe(kept.uid)
        }
      }
      await service.requireInvariants()
    },
  )
})
