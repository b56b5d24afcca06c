import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { ONCE } from '../../testing/payments/shop.ts'
import { useFreshShop, useService } from '../../testing/use-service.ts'
import { type CheckoutInput, createCheckout, getCheckout } from '../payments/checkout/checkouts.ts'
import { clocksOf } from '../payments/context.ts'
import { eraseUser } from './erase.ts'
import { eraseCheckouts, listCheckoutsOfUser } from './erase-checkouts.ts'

describe.each(databases)('checkouts, when a person is erased on $name', (database) => {
  const service = useService(database)
  const shop = useFreshShop(service, 'news', 'pass')

  const db = () => shop.environment.database
  const addReader = async (name: string) =>
    (await shop.client.grantAccess({ rid: 'news', email: `${name}@example.com`, user_ref: name }))
      .uid
  const open = (buyer: Partial<CheckoutInput>) =>
    createCheckout(shop.environment, {
      ...{ aid: shop.aid, rid: 'pass', terms: ONCE, firstName: '', lastName: '' },
      ...buyer,
    })
  const erase = (uid: string) => {
    const who = { aid: shop.aid, uid, actor: 'test' }
    return db().write((trx) => eraseUser(trx, who, clocksOf(shop.environment)))
  }

  it('are listed with what the person paid and what they only began, and no one else’s', async () => {
    const ann = await addReader('ann')
    await addReader('bob')
    const first = await open({ userRef: 'ann' })
    service.clock.advance(1)
    const paid = await shop.buy({ rid: 'pass', userRef: 'ann' })
    service.clock.advance(1)
    const last = await open({ typedEmail: 'Ann@example.com' })
    await open({ userRef: 'bob' })
    await shop.buy({ rid: 'pass', userRef: 'bob' })
    const ids = async () =>
      (await listCheckoutsOfUser(db().read, shop.aid, ann)).map(({ id }) => id)
    expect(await ids()).toEqual([first.id, paid.id, last.id])
    await erase(ann)
    expect((await ids()).sort()).toEqual([first.id, paid.id, last.id].sort())
  })

  it('of others keep their own addresses, whatever address of hers is beside them', async () => {
    const ann = await addReader('ann')
    await addReader('bob')
    const beside = await open({
      ...{ userRef: 'bob', vouchedEmail: 'bob@example.com', typedEmail: 'ann@example.com' },
    })
    const without = await open({ vouchedEmail: 'eve@example.com', typedEmail: 'x@example.com' })
    await erase(ann)
    expect(await getCheckout(db().read, beside)).toMatchObject({
      ...{ status: 'open', vouched_email: 'bob@example.com', typed_email: null },
    })
    expect(await getCheckout(db().read, without)).toEqual(without)
  })

  it('for which the application names another reader by address stay open', async () => {
    const ann = await addReader('ann')
    await addReader('bob')
    const bobs = await open({ vouchedEmail: 'bob@example.com', typedEmail: 'ann@example.com' })
    await erase(ann)
    expect(await getCheckout(db().read, bobs)).toMatchObject({
      ...{ status: 'open', uid: null, vouched_email: 'bob@example.com', typed_email: null },
    })
  })

  it.each([
    ['a reference', { user_ref: 'ann' }],
    ['a vouched address', { vouched_email: 'ann@example.com' }],
    ['a typed address', { typed_email: 'ann@example.com' }],
    ['a first name', { first_name: 'Ann' }],
    ['a last name', { last_name: 'Lee' }],
    ['a page to return to', { return_url: 'https://magazine.example/ann' }],
  ])('count as emptied once if they had %s', async (_, known) => {
    const ann = await addReader('ann')
    const { id } = await shop.buy({ rid: 'pass', userRef: 'ann' })
    const again = () => db().write((trx) => eraseCheckouts(trx, shop.aid, ann))
    expect([await again(), await again()]).toEqual([1, 0])
    await db().write((trx) =>
      trx.updateTable('checkouts').set(known).where('id', '=', id).execute(),
    )
    expect([await again(), await again()]).toEqual([1, 0])
    expect(await getCheckout(db().read, { aid: shop.aid, id })).toMatchObject({
      ...{ user_ref: null, vouched_email: null, typed_email: null, return_url: null },
      ...{ first_name: '', last_name: '', uid: ann, status: 'paid' },
    })
  })
})
