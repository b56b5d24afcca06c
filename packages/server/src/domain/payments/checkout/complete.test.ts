import { describe, expect, it } from 'vitest'
import { updateRows } from '../../../db/queries/rows.ts'
import type { SubscriptionTable } from '../../../db/tables.ts'
import { MONTHLY } from '../../../testing/payments/shop.ts'
import { useDomainCheckouts } from '../../../testing/payments/use-domain-checkouts.ts'
import { archiveApplication } from '../../apps/applications.ts'
import { listHistory } from '../../history/history.ts'
import { getResource } from '../../resources/resources.ts'
import { getSubscription, type SubscriptionRow } from '../../subscriptions/subscriptions.ts'
import { findPayment, listRefunds } from '../payments.ts'
import type { CheckoutFinding } from '../provider.ts'
import { type CheckoutRow, createCardChangeCheckout } from './checkouts.ts'
import { completeCheckout } from './complete.ts'

const { shop, env, db, open, complete, pay, historyOf } = useDomainCheckouts()
const FAR = 9_999_999_999

describe('a new card', () => {
  async function subscribe(
    values: Partial<SubscriptionTable> = { tries: 0 },
  ): Promise<SubscriptionRow> {
    const { subscription_id } = await shop.buy({ rid: 'pass', userRef: 'ann', terms: MONTHLY })
    const { data } = await shop.client.searchSubscriptions({ rid: 'pass', user_ref: 'ann' })
    const id = subscription_id ?? (data[0]?.id as string)
    await db().write((trx) =>
      trx.updateTable('subscriptions').set(values).where('id', '=', id).execute(),
    )
    return await getSubscription(db().read, shop.aid, id)
  }

  async function changeCard(row: SubscriptionRow, finding: Partial<CheckoutFinding>) {
    const checkout = await createCardChangeCheckout(env(), { ...row, linkNumber: 0 }, FAR)
    expect(await complete(checkout, finding)).toMatchObject({ status: 'paid' })
    return await getSubscription(db().read, shop.aid, row.id)
  }

  it('is charged from now on, and is in the history', async () => {
    const row = await subscribe()
    expect(await changeCard(row, { method: 'card_2' })).toEqual({ ...row, method: 'card_2' })
    expect(await historyOf('card changed')).toMatchObject([{ uid: row.uid, rid: 'pass' }])
  })

  it('is charged at once for a renewal that was declined', async () => {
    const row = await subscribe({ status: 'past_due', next_due: FAR, next_step: 'end' })
    expect(await changeCard(row, { method: 'card_2' })).toEqual({
      ...row,
      ...{ method: 'card_2', next_due: env().clock(), next_step: 'renew' },
    })
  })

  it('waits for the outcome of a charge that is under way', async () => {
    const row = await subscribe({ status: 'past_due', next_due: null, next_step: null })
    expect(await changeCard(row, { method: 'card_2' })).toEqual({ ...row, method: 'card_2' })
  })

  it('that the provider has not kept changes nothing', async () => {
    const row = await subscribe({ status: 'past_due' })
    expect(await changeCard(row, {})).toEqual(row)
    expect(await historyOf('card changed')).toEqual([])
  })

  it('changes nothing for a subscription that has ended meanwhile', async () => {
    const row = await subscribe()
    const checkout = await createCardChangeCheckout(env(), { ...row, linkNumber: 0 }, FAR)
    const ended = { status: 'ended', next_due: null, next_step: null } as const
    await db().write((trx) =>
      trx.updateTable('subscriptions').set(ended).where('id', '=', row.id).execute(),
    )
    await complete(checkout, { method: 'card_2' })
    const after = await getSubscription(db().read, shop.aid, row.id)
    expect(after).toEqual({ ...row, ...ended })
    expect(await historyOf('card changed')).toEqual([])
  })
})

describe('a paid checkout', () => {
  const paymentOf = ({ payment_id }: CheckoutRow) => findPayment(db().read, shop.aid, payment_id)

  it('creates the resource that its link described', async () => {
    const resource = { name: 'Winter issue', url: 'https://example.com/winter' }
    await pay(await open({ rid: 'winter', resource }))
    expect(await getResource(db().read, shop.aid, 'winter')).toMatchObject(resource)
  })

  it('leaves a resource that exists as it is', async () => {
    const before = await getResource(db().read, shop.aid, 'pass')
    await pay(await open({ resource: { name: 'Other', url: '' } }))
    expect(await getResource(db().read, shop.aid, 'pass')).toEqual(before)
  })

  it('of an application that was archived meanwhile is refunded', async () => {
    const checkout = await open()
    await db().write((trx) => archiveApplication(trx, shop.aid, env().clock(), 'test'))
    expect(await pay(checkout)).toMatchObject({ status: 'paid', refusal: 'late' })
    expect(await paymentOf(checkout)).toMatchObject({ flag: 'late', access_id: null })
    const refunds = await listRefunds(db().read, shop.aid, [checkout.payment_id])
    expect(refunds).toMatchObject([{ amount: 499, reason: 'late' }])
    const [entry] = await historyOf('payment not wanted')
    expect(JSON.parse(entry?.after ?? '')).toEqual({ payment: checkout.payment_id, flag: 'late' })
  })

  it('of a person who was erased meanwhile opens nothing, and is refunded', async () => {
    const { uid } = await shop.client.grantAccess({ rid: 'pass', email: 'bea@example.com' })
    const checkout = await open({ typedEmail: 'bea@example.com' })
    await db().write(async (trx) => {
      const { aid } = shop
      await trx.updateTable('checkouts').set({ uid }).where('id', '=', checkout.id).execute()
      const gone = { erased: env().clock(), email: null, email_key: null }
      await trx
        .updateTable('users')
        .set(gone)
        .where((eb) => eb.and({ aid, uid }))
        .execute()
    })
    expect(await pay(checkout)).toMatchObject({ refusal: 'late', uid })
    expect(await paymentOf(checkout)).toMatchObject({ flag: 'late', uid, access_id: null })
  })

  it('that is told of twice is one purchase, and one that nobody began is none', async () => {
    const checkout = await open()
    const paid = await pay(checkout)
    const history = await listHistory(db().read, shop.aid)
    expect(history.length).toBeGreaterThan(0)
    expect(await pay(checkout)).toEqual(paid)
    const unknown = { aid: shop.aid, id: 'unknown' }
    const input = { finding: { status: 'paid' } as const, trialKey: await env().trialKey() }
    await db().write((trx) => completeCheckout(trx, env(), unknown, input))
    expect(await listHistory(db().read, shop.aid)).toEqual(history)
  })

  it('whose link was paid in another window too is refunded', async () => {
    const linkDigest = 'digest'
    const [first, second] = [
      await open({ linkDigest }),
      await open({ linkDigest, typedEmail: 'bob@example.com' }),
    ]
    const other = await open({ typedEmail: 'cid@example.com' })
    expect(await pay(first)).toMatchObject({ link_mark: linkDigest, refusal: null })
    expect(await pay(second)).toMatchObject({ link_mark: null, refusal: 'duplicate' })
    expect(await paymentOf(second)).toMatchObject({ flag: 'duplicate', access_id: null })
    expect(await pay(other)).toMatchObject({ link_mark: null, refusal: null })
  })

  it('creates the resource again if it is gone, with its id as the name', async () => {
    const checkout = await open()
    const { aid } = shop
    await db().write((trx) => trx.deleteFrom('resources').where('aid', '=', aid).execute())
    expect(await pay(checkout)).toMatchObject({ refusal: null })
    expect(await getResource(db().read, aid, 'pass')).toMatchObject({ name: 'pass', url: '' })
  })

  it('passes on no reference that names an erased person: it belongs to who typed the address', async () => {
    const { uid } = await shop.client.grantAccess({ rid: 'pass', email: 'bea@example.com' })
    const checkout = await open({ userRef: uid })
    const gone = { erased: env().clock(), email: null, email_key: null }
    await db().write((trx) => updateRows(trx, 'users', { aid: shop.aid, uid }, gone))
    const paid = await pay(checkout)
    expect(paid).toMatchObject({ refusal: null, user_ref: null, uid: expect.any(String) })
    expect(paid.uid).not.toBe(uid)
  })

  it('names the reader by the reference of its link', async () => {
    const checkout = await pay(await open({ userRef: 'ann', typedEmail: 'ann@example.com' }))
    expect(checkout).toMatchObject({ user_ref: 'ann', uid: expect.any(String) })
  })
})
