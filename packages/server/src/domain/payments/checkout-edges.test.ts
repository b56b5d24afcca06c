import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { useEdgeShop } from '../../testing/payments/edge-shop.ts'
import { cardNumber, MONTHLY, ONCE } from '../../testing/payments/shop.ts'
import { listOutbox } from '../../testing/smtp/outbox.ts'
import { DAY } from '../../testing/time.ts'
import { archiveApplication } from '../apps/applications.ts'
import { createCheckout, startCheckout } from './checkout/checkouts.ts'
import { refreshCheckout } from './checkout/poll-checkouts.ts'
import { runDuePayments } from './orders/payment-loop.ts'
import { ProviderError } from './provider-error.ts'

describe.each(databases)('money at the edges on $name', (database) => {
  const { service, shop, env, named, paymentsOf, beAway, urls, goToPay } = useEdgeShop(database)

  it('a checkout that was paid while nobody looked is found, however late', async () => {
    const { page } = await goToPay({ rid: 'article', userRef: 'ann' })
    await shop.cards.pay(page, cardNumber('good'))
    beAway(40 * DAY)
    await shop.work()
    expect(await shop.client.hasAccess(named('ann', 'article'))).toBe(true)
  })

  it('a checkout that nobody paid expires once the provider has said so', async () => {
    const { id } = await goToPay({ rid: 'article', userRef: 'bea' })
    beAway(2 * DAY)
    await shop.work()
    expect((await refreshCheckout(env(), { aid: shop.aid, id })).status).toBe('expired')
    beAway(40 * DAY)
    await shop.work()
    await expect(refreshCheckout(env(), { aid: shop.aid, id })).rejects.toMatchObject({
      code: 'checkout_not_found',
    })
  })

  it('a payer who comes back to pay after all comes to the same page', async () => {
    const { id, page } = await goToPay({ rid: 'article', userRef: 'cat' })
    service.clock.advance(60)
    const again = await startCheckout(
      env(),
      await refreshCheckout(env(), { aid: shop.aid, id }),
      urls,
    )
    expect(again.endsWith(`/${page}`)).toBe(true)
  })

  it('a link by a uid is refused before paying if its address is that of another reader', async () => {
    const { uid } = await shop.client.grantAccess({
      rid: 'article',
      email: 'dan@example.com',
      user_ref: 'dan',
    })
    await shop.client.grantAccess({ rid: 'article', email: 'eve@example.com', user_ref: 'eve' })
    const refused = shop.buy({ rid: 'article', userRef: uid, vouchedEmail: 'eve@example.com' })
    await expect(refused).rejects.toMatchObject({ code: 'user_ref_is_uid' })
    const addresses = [undefined, 'dan@example.com', 'new@example.com']
    for (const [i, vouchedEmail] of addresses.entries()) {
      const rid = `by-uid-${i}`
      await shop.addResource(rid)
      const email = 'typed@example.com'
      await shop.buy({ rid, userRef: uid, ...(vouchedEmail ? { vouchedEmail } : { email }) })
      expect(await shop.client.getAccess(named('dan', rid))).toMatchObject({ uid, user_ref: uid })
    }
  })

  it('a purchase is completed also if its reference became a uid’s meanwhile', async () => {
    const { uid } = await shop.client.grantAccess({ rid: 'article', email: 'fay@example.com' })
    const { id, page } = await goToPay({ rid: 'pass', userRef: uid })
    await shop.client.grantAccess({ rid: 'article', email: 'fay@example.com', user_ref: 'fay' })
    await shop.cards.pay(page, cardNumber('good'))
    expect((await refreshCheckout(env(), { aid: shop.aid, id })).status).toBe('paid')
    expect((await shop.client.searchPayments({ rid: 'pass' })).total).toBe(1)
  })

  it('what is paid after the application was archived is paid back', async () => {
    const { id, page } = await goToPay({ rid: 'article', userRef: 'lea' })
    await shop.cards.pay(page, cardNumber('good'))
    await env().database.write((trx) => archiveApplication(trx, shop.aid, env().clock(), 'test'))
    await refreshCheckout(env(), { aid: shop.aid, id })
    await shop.work()
    const rows = await env().database.read.selectFrom('payments').selectAll().execute()
    expect(rows.filter(({ aid }) => aid === shop.aid)).toMatchObject([
      { status: 'refunded', flag: 'late' },
    ])
  })

  it('a dispute that is there from the beginning is known from the beginning', async () => {
    await shop.buy({ rid: 'article', userRef: 'max', card: 'disputed' })
    expect(await paymentsOf('max')).toMatchObject([{ status: 'disputed' }])
    expect(await shop.client.hasAccess(named('max', 'article'))).toBe(true)
    const input = { ...named('max', 'article'), refund: true }
    expect((await shop.client.revokeAccess(input)).refund).toMatchObject({
      status: 'failed',
      reason: 'disputed',
    })
  })

  it('what another provider was to be paid is left to that one, and given up after a week', async () => {
    const { id } = await goToPay({ rid: 'article', userRef: 'uli' })
    beAway(120)
    const other = { ...env(), provider: { ...shop.cards, name: 'other' } }
    expect(await runDuePayments(other)).toBe(0)
    beAway(8 * DAY)
    await runDuePayments(other)
    expect((await refreshCheckout(env(), { aid: shop.aid, id })).status).toBe('expired')
  })

  it('who types another address gets that receipt, and not the mails of what was there before', async () => {
    await shop.buy({ rid: 'pass', userRef: 'wim', email: 'wim@example.com', terms: MONTHLY })
    await shop.buy({ rid: 'article', userRef: 'wim', email: 'other@example.com' })
    await shop.client.cancelSubscription(named('wim'))
    const mails = (await listOutbox(service, 'sandbox')).filter(({ aid }) => aid === shop.aid)
    expect(mails.map(({ kind, recipient }) => `${kind} ${recipient}`).sort()).toEqual([
      'canceled wim@example.com',
      'receipt other@example.com',
      'receipt wim@example.com',
    ])
  })

  it('what a stranger types as a name is kept only if it is one', async () => {
    const input = { aid: shop.aid, rid: 'article', terms: ONCE, lastName: 'O’Hara-Núñez Jr.' }
    for (const firstName of ['see http://evil.example/ now', 'evil。com', 'call 0900 123']) {
      const typedEmail = `xi-${firstName.length}@example.com`
      const checkout = await createCheckout(env(), { ...input, firstName, typedEmail })
      const page = await startCheckout(env(), checkout, urls)
      await shop.cards.pay(page.split('/').at(-1) as string, cardNumber('good'))
      await refreshCheckout(env(), checkout)
    }
    const users = await env().database.read.selectFrom('users').selectAll().execute()
    const own = users.filter(({ aid }) => aid === shop.aid)
    expect(own.map((user) => [user.first_name, user.last_name])).toEqual(
      Array(3).fill(['', 'O’Hara-Núñez Jr.']),
    )
  })

  it('one checkout that can’t be asked about does not keep the others waiting for good', async () => {
    const first = await goToPay({ rid: 'article', userRef: 'sam' })
    const second = await goToPay({ rid: 'article', userRef: 'tia' })
    for (const { page } of [first, second]) await shop.cards.pay(page, cardNumber('good'))
    const { checkout } = shop.cards.find
    shop.cards.find.checkout = async (ref) => {
      if (ref === first.page) throw new ProviderError('no answer')
      return await checkout(ref)
    }
    for (const _ of [1, 2]) {
      beAway(61)
      await shop.work()
    }
    shop.cards.find.checkout = checkout
    expect(await shop.client.hasAccess(named('tia', 'article'))).toBe(true)
  })
})
