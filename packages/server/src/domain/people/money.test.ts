import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { MONTHLY, ONCE } from '../../testing/payments/shop.ts'
import { useFreshShop, useService } from '../../testing/use-service.ts'
import { createCheckout } from '../payments/checkout/checkouts.ts'
import { findUidByRef } from '../users/user-ref.ts'
import { eraseUser } from './erase.ts'
import { mergeUsers } from './merge.ts'
import { collectPerson } from './person-data.ts'

describe.each(databases)('people who paid on $name', (database) => {
  const service = useService(database)
  const shop = useFreshShop(service, 'article', 'pass')

  const read = () => shop.environment.database.read
  const uidOf = async (ref: string) => (await findUidByRef(read(), shop.aid, ref)) as string
  const clocks = () => ({ now: shop.environment.clock(), realTime: shop.environment.realTime() })
  const merge = async (from: string, into: string) => {
    const input = { aid: shop.aid, from: await uidOf(from), into: await uidOf(into), actor: 'test' }
    return await shop.environment.database.write((trx) => mergeUsers(trx, input, clocks().now))
  }
  const erase = async (ref: string) => {
    const who = { aid: shop.aid, uid: await uidOf(ref), actor: 'test' }
    await shop.environment.database.write((trx) => eraseUser(trx, who, clocks()))
    return who.uid
  }

  it('keep what they bought and what they are paying for through a merge', async () => {
    await shop.buy({ rid: 'article', userRef: 'old', terms: { period: '30 days' } })
    await shop.buy({ rid: 'article', userRef: 'new' })
    await shop.buy({ rid: 'pass', userRef: 'old', terms: MONTHLY })
    expect(await merge('old', 'new')).toMatchObject({ moved: 1, joined: 1 })
    const article = await shop.client.getAccess({ rid: 'article', user_ref: 'old' })
    expect(article.expires).toBeUndefined()
    const { data: payments } = await shop.client.searchPayments({ user_ref: 'new' })
    expect(payments.map(({ rid }) => rid).sort()).toEqual(['article', 'article', 'pass'])
    const { data } = await shop.client.searchSubscriptions({ user_ref: 'new' })
    expect(data).toMatchObject([{ rid: 'pass', status: 'active', uid: article.uid }])
    // Both payments are sources of the joined record, so both are refunded.
    const input = { rid: 'article', user_ref: 'new', refund: true }
    expect((await shop.client.revokeAccess(input)).refunds).toHaveLength(2)
    // A refund that takes long was answered as pending.
    const refunded = async () =>
      (await shop.client.searchPayments({ user_ref: 'new' })).data.flatMap(({ refunds }) => refunds)
    await expect.poll(refunded).toMatchObject([{ status: 'succeeded' }, { status: 'succeeded' }])
  })

  it('are not merged while both pay for the same thing', async () => {
    await shop.buy({ rid: 'pass', userRef: 'one', terms: MONTHLY })
    await shop.buy({ rid: 'pass', userRef: 'two', terms: MONTHLY })
    await expect(merge('one', 'two')).rejects.toMatchObject({ code: 'already_subscribed' })
    await shop.client.revokeAccess({ rid: 'pass', user_ref: 'one' })
    expect(await merge('one', 'two')).toMatchObject({ references: 1 })
  })

  it('are merged if they pay for different things', async () => {
    await shop.buy({ rid: 'pass', userRef: 'one', terms: MONTHLY })
    await shop.buy({ rid: 'article', userRef: 'two', terms: MONTHLY })
    expect(await merge('one', 'two')).toMatchObject({ moved: 1, joined: 0 })
    const { data } = await shop.client.searchSubscriptions({ user_ref: 'two' })
    expect(data.map(({ rid, status }) => [rid, status]).sort()).toEqual([
      ['article', 'active'],
      ['pass', 'active'],
    ])
  })

  it.each([
    { case: 'gone, if the other one got it for free', own: undefined, price: [4.99, 'EUR'] },
    { case: 'left, if both paid', own: 299, price: [2.99, 'EUR'] },
  ])('are shown what was paid by the user who is $case', async ({ own, price }) => {
    await shop.buy({ rid: 'article', userRef: 'old', terms: { amount: 499 } })
    if (own === undefined) {
      await shop.client.grantAccess({ rid: 'article', email: 'new@example.com', user_ref: 'new' })
    } else await shop.buy({ rid: 'article', userRef: 'new', terms: { amount: own } })
    await merge('old', 'new')
    const access = await shop.client.getAccess({ rid: 'article', user_ref: 'new' })
    expect([access.amount, access.currency]).toEqual(price)
  })

  it('give their address to one who has none', async () => {
    await shop.client.grantAccess({ rid: 'article', email: 'ann@example.com', user_ref: 'known' })
    await shop.buy({ rid: 'pass', userRef: 'nameless' })
    await merge('known', 'nameless')
    const access = await shop.client.getAccess({ rid: 'article', user_ref: 'nameless' })
    expect(access.user_email).toBe('ann@example.com')
  })

  it('keep an address that they typed when they paid, beside one that is theirs', async () => {
    await shop.client.grantAccess({ rid: 'article', email: 'ann@example.com', user_ref: 'known' })
    await shop.buy({ rid: 'pass', userRef: 'nameless', email: 'typed@example.com' })
    await merge('nameless', 'known')
    const { user } = await collectPerson(read(), shop.aid, await uidOf('known'))
    expect(user).toMatchObject({ email: 'ann@example.com', contact_email: 'typed@example.com' })
  })

  it('keep the address that they typed themselves', async () => {
    await shop.buy({ rid: 'article', userRef: 'one', email: 'one@example.com' })
    await shop.buy({ rid: 'article', userRef: 'two', email: 'two@example.com' })
    await merge('one', 'two')
    const { user } = await collectPerson(read(), shop.aid, await uidOf('two'))
    expect(user.contact_email).toBe('two@example.com')
  })

  it('leave nothing of checkouts that they never paid', async () => {
    await shop.buy({ rid: 'article', userRef: 'half', vouchedEmail: 'half@example.com' })
    const input = { aid: shop.aid, rid: 'article', terms: ONCE, firstName: 'Hal', lastName: 'F' }
    await createCheckout(shop.environment, { ...input, typedEmail: 'Half@Example.com' })
    await createCheckout(shop.environment, {
      ...input,
      userRef: 'half',
      typedEmail: 'x@example.com',
    })
    await erase('half')
    const rows = await read().selectFrom('checkouts').selectAll().execute()
    const text = JSON.stringify(rows.filter((row) => row.aid === shop.aid))
    for (const secret of ['half', 'Half@Example.com', 'x@example.com', 'Hal']) {
      expect(text).not.toContain(`"${secret}"`)
    }
  })

  it('are charged no more once they are erased, and nothing says who they were', async () => {
    await shop.buy({ rid: 'pass', userRef: 'gone', email: 'secret@example.com', terms: MONTHLY })
    const uid = await erase('gone')
    await shop.advance(40 * 86_400)
    const { payments, subscriptions } = await collectPerson(read(), shop.aid, uid)
    expect(payments).toMatchObject([{ status: 'succeeded' }])
    expect(subscriptions).toMatchObject([{ status: 'ended' }])
    for (const table of ['users', 'checkouts', 'outbox', 'history', 'test_ledger'] as const) {
      const rows = await read().selectFrom(table).selectAll().execute()
      const own = rows.filter((row) => !('aid' in row) || row.aid === shop.aid)
      expect(JSON.stringify(own), table).not.toContain('secret@example.com')
    }
  })
})
