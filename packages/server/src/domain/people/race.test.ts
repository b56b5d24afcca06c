import { describe, expect, it } from 'vitest'
import { afterQuery } from '../../testing/after-query.ts'
import { databases } from '../../testing/databases.ts'
import { cardNumber, ONCE } from '../../testing/payments/shop.ts'
import { somebodyWaits } from '../../testing/somebody-waits.ts'
import { useService, useShop } from '../../testing/use-service.ts'
import { createCheckout, startCheckout } from '../payments/checkout/checkouts.ts'
import { completeCheckout } from '../payments/checkout/complete.ts'
import { refreshCheckout } from '../payments/checkout/poll-checkouts.ts'
import { clocksOf } from '../payments/context.ts'
import { eraseUser } from './erase.ts'
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

  it.each([
    { by: 'a reference', name: 'payer-0', reader: { userRef: 'payer-0' } },
    { by: 'an address', name: 'payer-1', reader: { typedEmail: 'payer-1@example.com' } },
  ])('are erased after a payment under $by that began before, without a deadlock', async (one) => {
    const { environment: env, aid } = shop
    const { uid } = await shop.client.grantAccess({
      ...{ rid: 'r1', email: `${one.name}@example.com`, user_ref: one.name },
    })
    const id = await pay('r2', one.reader)
    const trialKey = await env.trialKey()
    const { amount, currency } = ONCE
    const payment = { status: 'succeeded', ref: `ch_${id}`, money: { amount, currency } } as const
    const finding = { status: 'paid', payment } as const
    const attempts = { pay: 0, erase: 0 }
    const erase = () =>
      env.database.write((trx) => {
        attempts.erase++
        return eraseUser(trx, { aid, uid, actor: 'test' }, clocksOf(env))
      })
    let erasing: ReturnType<typeof erase> | undefined
    await env.database.write(async (trx) => {
      attempts.pay++
      // By then, the payment has locked its checkout, and nobody else. On SQLite, the erasure waits for all of it.
      afterQuery(trx, 1, async () => {
        erasing ??= erase()
        if (database.engine === 'postgres') await somebodyWaits(env.database.read)
      })
      await completeCheckout(trx, env, { aid, id }, { finding, trialKey })
    })
    expect(await erasing).toMatchObject({ revoked: 2 })
    expect(attempts).toEqual({ pay: 1, erase: 1 })
    const { data } = await shop.client.searchPayments({ rid: 'r2' })
    expect(data.filter((row) => row.uid === uid)).toMatchObject([{ status: 'succeeded' }])
    await service.requireInvariants()
  })
})
