import { describe, expect, it } from 'vitest'
import { databases } from '../../../testing/databases.ts'
import { MONTHLY, moneyOf } from '../../../testing/payments/money-rows.ts'
import { getPage, redirectTarget, submitForm } from '../../../testing/payments/page-client.ts'
import { goToPayment, payOnPage } from '../../../testing/payments/page-shop.ts'
import type { TestApplication } from '../../../testing/service.ts'
import { DAY } from '../../../testing/time.ts'
import { useOwner, usePageShop, useService } from '../../../testing/use-service.ts'
import type { CheckoutRow } from '../../payments/checkout/checkouts.ts'

const peopleOf = async ({ environment, aid }: TestApplication) =>
  await environment.database.read
    .selectFrom('users')
    .selectAll()
    .where('aid', '=', aid)
    .where('erased', 'is', null)
    .execute()

describe.each(databases)('the open checkouts of an erased person on $name', (database) => {
  const link = (rid: string, more: object) => shop.link({ rid, name: rid, ...MONTHLY, ...more })

  const service = useService(database)
  const owner = useOwner(service)
  const shop = usePageShop(service, 'news', 'pass')

  /** Creates a reader with a free access record, to be erased. */
  const meet = async (name: string) =>
    (
      await shop.client.grantAccess({
        rid: 'news',
        email: `${name}@example.com`,
        user_ref: name,
      })
    ).uid
  const erase = async (uid: string) => {
    const path = `/sandbox/${shop.aid}/people/${uid}/erase`
    const response = await owner.call('POST', path)
    expect([response.status, response.text]).toEqual([200, expect.any(String)])
  }
  const checkoutAt = async (payment: string) => {
    const { checkouts } = await moneyOf(shop)
    return checkouts.find(({ provider_ref }) => payment.endsWith(`/${provider_ref}`)) as CheckoutRow
  }
  const expectNobodyPays = async (uid: string) => {
    const { subscriptions, payments } = await moneyOf(shop)
    expect(subscriptions.filter((row) => row.uid === uid && row.status !== 'ended')).toEqual([])
    const before = payments.length
    await shop.advance(40 * DAY)
    expect((await moneyOf(shop)).payments).toHaveLength(before)
  }

  it.each([
    ['a reference in a signed link', (name: string) => ({ user_ref: name }), 'x@example.com'],
    ['an address in a signed link', (name: string) => ({ email: `${name}@example.com` }), ''],
    ['an address that was typed', () => ({}), 'TYPED@example.com'],
  ])('are closed, also at the provider, where they are hers by %s', async (_, words, typed) => {
    const name = typed.startsWith('TYPED') ? 'typed' : `reader${typed.length}`
    const uid = await meet(name)
    const page = await goToPayment(await link('pass', words(name)), { email: typed })
    await erase(uid)
    await shop.work()
    expect(await checkoutAt(page)).toMatchObject({ status: 'expired', uid, due: null })
    expect((await getPage(page)).status).toBe(404)
    expect((await submitForm(page, { number: '4242424242424242' })).status).toBe(404)
    expect((await moneyOf(shop)).payments.filter((row) => row.uid === uid)).toEqual([])
  })

  it('take no money that is paid a moment later: it is hers, late, and refunded', async () => {
    const uid = await meet('late')
    const people = (await peopleOf(shop)).length
    const page = await goToPayment(await link('pass', { user_ref: 'late' }), {
      email: 'late@example.com',
    })
    await erase(uid)
    const done = await payOnPage(page)
    expect((await getPage(done)).status).toBe(200)
    await shop.work()
    const { payments, refunds } = await moneyOf(shop)
    const [payment, ...others] = payments.filter((row) => row.uid === uid)
    expect(others).toEqual([])
    expect(payment).toMatchObject({ status: 'refunded', flag: 'late', access_id: null })
    expect(refunds.filter((row) => row.payment_id === payment?.id)).toMatchObject([
      { status: 'succeeded', reason: 'late', amount: 499 },
    ])
    expect(await peopleOf(shop)).toHaveLength(people - 1)
    const asked = shop.client.getAccess({ rid: 'pass', user_ref: 'late' })
    await expect(asked).rejects.toMatchObject({ status: 404 })
    await expectNobodyPays(uid)
  })

  it('begin no free trial either', async () => {
    const uid = await meet('trial')
    const page = await goToPayment(await link('pass', { user_ref: 'trial', trial_days: 14 }), {
      email: 'trial@example.com',
    })
    await erase(uid)
    await getPage(await payOnPage(page))
    await shop.work()
    expect((await moneyOf(shop)).subscriptions.filter((row) => row.uid === uid)).toEqual([])
    await expectNobodyPays(uid)
  })

  it('of other people stay open, also where her address was typed beside their reference', async () => {
    const uid = await meet('ann')
    await meet('bob')
    const bobs = await goToPayment(await link('pass', { user_ref: 'bob' }), {
      email: 'ann@example.com',
    })
    await erase(uid)
    await shop.work()
    expect(await checkoutAt(bobs)).toMatchObject({
      status: 'open',
      user_ref: 'bob',
      typed_email: null,
    })
    await getPage(await payOnPage(bobs))
    expect(await shop.client.hasAccess({ rid: 'pass', user_ref: 'bob' })).toBe(true)
    await shop.client.revokeAccess({ rid: 'pass', user_ref: 'bob' })
  })

  it('of others lose her address, also where their link names it', async () => {
    await meet('eve')
    const uid = await meet('dora')
    const named = { user_ref: 'eve', email: 'dora@example.com' }
    const eves = await goToPayment(await link('pass', named), {})
    await erase(uid)
    expect(await checkoutAt(eves)).toMatchObject({ status: 'open', vouched_email: null })
    await getPage(await payOnPage(eves))
    expect(await shop.client.hasAccess({ rid: 'pass', user_ref: 'eve' })).toBe(true)
    await shop.client.revokeAccess({ rid: 'pass', user_ref: 'eve' })
  })

  it('for a new card of her subscription are closed too, and nothing is charged again', async () => {
    const first = await goToPayment(await link('pass', { user_ref: 'card' }), {
      email: 'card@example.com',
    })
    await getPage(await payOnPage(first))
    const { uid } = await shop.client.getAccess({ rid: 'pass', user_ref: 'card' })
    const { url } = await shop.client.getManageLink({ rid: 'pass', user_ref: 'card' })
    const page = redirectTarget(await submitForm(url, { action: 'card' }), url)
    await erase(uid)
    await getPage(await payOnPage(page).catch(() => shop.baseUrl))
    await shop.work()
    expect(await checkoutAt(page)).toMatchObject({ uid, due: null })
    const { subscriptions } = await moneyOf(shop)
    expect(subscriptions.filter((row) => row.uid === uid)).toMatchObject([
      { status: 'ended', method: null },
    ])
    await expectNobodyPays(uid)
  })

  it('that are paid in the same moment leave nobody who pays', async () => {
    for (let round = 0; round < 12; round++) {
      const name = `race${round}`
      const uid = await meet(name)
      const words = round % 2 === 0 ? { user_ref: name } : {}
      const page = await goToPayment(await link('pass', words), { email: `${name}@example.com` })
      const done = await payOnPage(page)
      const path = `/sandbox/${shop.aid}/people/${uid}/erase`
      const [, erased] = await Promise.all([getPage(done), owner.call('POST', path)])
      expect(erased.status).toBe(200)
      await getPage(done)
      await shop.work()
      const { payments, subscriptions } = await moneyOf(shop)
      const own = payments.filter((row) => row.uid === uid)
      expect(own).toHaveLength(1)
      // Paid before the erasure, or after it and refunded.
      const isLate = own[0]?.flag === 'late'
      expect(own[0]?.status).toBe(isLate ? 'refunded' : 'succeeded')
      expect(subscriptions.filter((row) => row.uid === uid && row.status !== 'ended')).toEqual([])
      const found = await shop.client.searchAccess({ email: `${name}@example.com` })
      expect(found.data).toEqual([])
      const people = await peopleOf(shop)
      expect(people.filter(({ email }) => email?.startsWith(`${name}@`))).toEqual([])
    }
    await service.requireInvariants()
  })
})
