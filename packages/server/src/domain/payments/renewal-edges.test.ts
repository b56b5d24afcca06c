import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { FOREVER } from '../../db/tables.ts'
import { databases } from '../../testing/databases.ts'
import { useEdgeShop } from '../../testing/payments/edge-shop.ts'
import { cardNumber, MONTHLY } from '../../testing/payments/shop.ts'
import { listOutbox } from '../../testing/smtp/outbox.ts'
import { DAY } from '../../testing/time.ts'
import { changeSettings } from '../apps/applications.ts'
import { applyPaymentFinding } from './apply-payment.ts'
import { createCardChangeCheckout, startCheckout } from './checkout/checkouts.ts'
import { refreshCheckout } from './checkout/poll-checkouts.ts'
import { runDuePayments } from './orders/payment-loop.ts'

const ODD = { amount: 1, currency: 'EUR' }

describe.each(databases)('money at the edges on $name', (database) => {
  const { service, shop, env, named, statusOf, paymentsOf, beAway, urls } = useEdgeShop(database)

  const setGrace = (grace_days: number) =>
    env().database.write((trx) =>
      changeSettings(trx, shop.aid, { grace_days }, env().clock(), 'test'),
    )
  async function putCard(userRef: string, card: 'good' | 'declined_later'): Promise<void> {
    const [subscription] = (await shop.client.searchSubscriptions(named(userRef))).data
    const checkout = await createCardChangeCheckout(
      env(),
      { aid: shop.aid, id: subscription?.id as string, linkNumber: 0 },
      FOREVER,
    )
    const page = await startCheckout(env(), checkout, urls)
    await shop.cards.pay(page.split('/').at(-1) as string, cardNumber(card))
    await refreshCheckout(env(), checkout)
    await shop.work()
  }

  it('cards that fail one after the other leave the days of grace as long as they are', async () => {
    await shop.buy({ rid: 'pass', userRef: 'gus', terms: MONTHLY, card: 'declined_later' })
    await shop.advance(32 * DAY)
    for (const _ of [1, 2, 3, 4, 5]) await putCard('gus', 'declined_later')
    expect(await statusOf('gus')).toBe('past_due')
    expect(await shop.client.hasAccess(named('gus'))).toBe(true)
    await putCard('gus', 'good')
    expect(await statusOf('gus')).toBe('active')
  })

  it('nobody pays for days on which the service was not there', async () => {
    await shop.buy({ rid: 'pass', userRef: 'hal', terms: { recurring: 1, period: '1 day' } })
    beAway(6 * DAY)
    await shop.work()
    expect(await paymentsOf('hal')).toHaveLength(2)
    const { expires } = await shop.client.getAccess(named('hal'))
    expect(expires).toBe(env().clock() + DAY)
  })

  it('a period that is saved after its days of grace begins when it is paid', async () => {
    await shop.buy({ rid: 'pass', userRef: 'ida', terms: MONTHLY, card: 'declined_later' })
    await shop.advance(32 * DAY)
    beAway(20 * DAY)
    await putCard('ida', 'good')
    expect(await statusOf('ida')).toBe('active')
    const [subscription] = (await shop.client.searchSubscriptions(named('ida'))).data
    expect(subscription?.current_period_start).toBe(env().clock())
  })

  it('access stays open while a charge is under way, also without days of grace', async () => {
    await setGrace(0)
    await shop.buy({ rid: 'pass', userRef: 'jan', terms: MONTHLY, card: 'times_out' })
    const [subscription] = (await shop.client.searchSubscriptions(named('jan'))).data
    const end = subscription?.current_period_end as number
    beAway(end - env().clock())
    await runDuePayments(env())
    expect((await paymentsOf('jan'))[0]?.status).toBe('pending')
    expect(await shop.client.hasAccess(named('jan'))).toBe(true)
    beAway(60)
    await shop.work()
    expect((await paymentsOf('jan')).map(({ status }) => status)).toEqual([
      'succeeded',
      'succeeded',
    ])
    // Otherwise the clock in later tests would wait for this subscription's next renewal.
    await shop.client.revokeAccess(named('jan'))
  })

  it('without days of grace, a declined renewal ends the subscription at once', async () => {
    await setGrace(0)
    await shop.buy({ rid: 'pass', userRef: 'kim', terms: MONTHLY, card: 'declined_later' })
    await shop.advance(32 * DAY)
    expect(await statusOf('kim')).toBe('ended')
    expect(await shop.client.hasAccess(named('kim'))).toBe(false)
  })

  it('a trial that was canceled and resumed is not charged without its notice', async () => {
    await shop.buy({ rid: 'pass', userRef: 'ned', terms: { ...MONTHLY, trial_days: 14 } })
    await shop.client.cancelSubscription(named('ned'))
    await shop.client.resumeSubscription(named('ned'))
    expect(await statusOf('ned')).toBe('trialing')
    await shop.advance(15 * DAY)
    const mails = await listOutbox(service, 'sandbox')
    const kinds = mails.filter(({ aid }) => aid === shop.aid).map(({ kind }) => kind)
    expect(kinds.sort()).toEqual(['canceled', 'receipt', 'receipt', 'trial_ends'])
  })

  it('what was canceled can’t be resumed after its end', async () => {
    await shop.buy({ rid: 'pass', userRef: 'oda', terms: MONTHLY })
    await shop.client.cancelSubscription(named('oda'))
    beAway(40 * DAY)
    await expect(shop.client.resumeSubscription(named('oda'))).rejects.toMatchObject({
      code: 'subscription_not_found',
    })
  })

  it('a period that was bought beside a subscription waits for its last renewal', async () => {
    await shop.buy({ rid: 'pass', userRef: 'pam', terms: { recurring: 1, period: '30 days' } })
    await shop.buy({ rid: 'pass', userRef: 'pam', terms: { period: '30 days' } })
    const start = env().clock()
    await shop.advance(31 * DAY)
    expect((await shop.client.getAccess(named('pam'))).expires).toBe(start + 90 * DAY)
    await shop.client.cancelSubscription(named('pam'))
    await shop.advance(40 * DAY)
    expect(await statusOf('pam')).toBe('ended')
    expect((await shop.client.getAccess(named('pam'))).expires).toBe(start + 90 * DAY)
  })

  it('a charge of another amount than was asked for is not followed by a second one', async () => {
    await shop.buy({ rid: 'pass', userRef: 'quy', terms: MONTHLY })
    const { charge } = shop.cards
    shop.cards.charge = async (order) => ({
      ...(await charge(order)),
      money: ODD,
    })
    await shop.advance(45 * DAY)
    shop.cards.charge = charge
    expect(await statusOf('quy')).toBe('ended')
    // The provider tells of it once more: staff decide what is paid back.
    const [odd] = await paymentsOf('quy')
    const finding = { status: 'succeeded', ref: 'again', money: ODD } as const
    const key = { aid: shop.aid, id: odd?.id as string }
    await env().database.write((trx) => applyPaymentFinding(trx, env(), key, finding))
    expect((await paymentsOf('quy')).map(({ status, flag }) => [status, flag])).toEqual([
      ['failed', 'mismatch'],
      ['succeeded', undefined],
    ])
  })

  it('a new card is stored, but not charged for a period for which a wrong amount was taken', async () => {
    await shop.buy({ rid: 'pass', userRef: 'rex', terms: MONTHLY })
    const { charge } = shop.cards
    shop.cards.charge = async (order) => ({ ...(await charge(order)), money: ODD })
    await shop.advance(32 * DAY)
    shop.cards.charge = charge
    expect(await statusOf('rex')).toBe('past_due')
    await putCard('rex', 'declined_later')
    await putCard('rex', 'good')
    expect((await paymentsOf('rex')).map(({ status, flag }) => [status, flag])).toEqual([
      ['failed', 'mismatch'],
      ['succeeded', undefined],
    ])
    await shop.advance(45 * DAY)
    expect(await statusOf('rex')).toBe('ended')
    expect(await paymentsOf('rex')).toHaveLength(2)
  })

  it('a refund of a period that is over leaves the one that is paid', async () => {
    await shop.buy({ rid: 'pass', userRef: 'old', terms: MONTHLY })
    await shop.advance(40 * DAY)
    const [, first] = await paymentsOf('old')
    await shop.client.refundPayment({ payment: first?.id as string })
    expect(await paymentsOf('old')).toMatchObject([{ status: 'succeeded' }, { status: 'refunded' }])
    expect(await statusOf('old')).toBe('active')
    expect(await shop.client.hasAccess(named('old'))).toBe(true)
  })

  it('a revoke refunds what is left, and no period that is over', async () => {
    const terms = { period: '30 days' }
    await shop.buy({ rid: 'article', userRef: 'twice', terms })
    await shop.advance(40 * DAY)
    await shop.buy({ rid: 'article', userRef: 'twice', terms })
    const statuses = async (reader: string) =>
      (await paymentsOf(reader)).map(({ status }) => status)
    await shop.client.revokeAccess({ ...named('twice', 'article'), refund: true })
    expect(await statuses('twice')).toEqual(['refunded', 'succeeded'])

    await shop.buy({ rid: 'pass', userRef: 'due', terms: MONTHLY, card: 'declined_later' })
    await shop.advance(32 * DAY)
    expect(await statusOf('due')).toBe('past_due')
    await shop.client.revokeAccess({ ...named('due'), refund: true })
    expect(await statuses('due')).toEqual(['failed', 'failed', 'succeeded'])
  })

  it('who cancels in the days of grace has nothing paid left, and it ends at once', async () => {
    await shop.buy({ rid: 'pass', userRef: 'stop', terms: MONTHLY, card: 'declined_later' })
    await shop.advance(32 * DAY)
    expect(await shop.client.hasAccess(named('stop'))).toBe(true)
    await shop.client.cancelSubscription(named('stop'))
    expect(await statusOf('stop')).toBe('ended')
    expect(await shop.client.hasAccess(named('stop'))).toBe(false)
  })

  it('others are served while much is being done', async () => {
    for (const n of [1, 2, 3]) {
      await shop.buy({
        rid: 'pass',
        userRef: `daily-${n}`,
        terms: { recurring: 1, period: '1 day' },
      })
    }
    let served = 0
    let isDone = false
    const probe = async () => {
      while (!isDone) {
        const answer = await fetch(`${service.url}/healthz`)
        if (answer.ok) served++
        // Asks often, and leaves the processor to what is being done.
        await sleep(3)
      }
    }
    const probing = probe()
    await shop.advance(6 * DAY)
    isDone = true
    await probing
    expect(served).toBeGreaterThan(3)
    for (const n of [1, 2, 3]) await shop.client.revokeAccess(named(`daily-${n}`))
  })

  it('however often it is canceled and resumed, a subscription calls for one mail a period', async () => {
    await shop.buy({ rid: 'pass', userRef: 'vic', terms: MONTHLY })
    for (const _ of [1, 2, 3]) {
      await shop.client.cancelSubscription(named('vic'))
      await shop.client.resumeSubscription(named('vic'))
    }
    const mails = await listOutbox(service, 'sandbox')
    const kinds = mails.filter(({ aid }) => aid === shop.aid).map(({ kind }) => kind)
    expect(kinds.sort()).toEqual(['canceled', 'receipt'])
  })

  it('the clock ends before dates mean nothing any more', async () => {
    const input = shop.advance(70 * 366 * DAY)
    await expect(input).rejects.toMatchObject({ code: 'clock_only_forward' })
  })

  it('renewals wait while nobody is set up to charge', async () => {
    await shop.buy({ rid: 'pass', userRef: 'ray', terms: MONTHLY })
    beAway(32 * DAY)
    while ((await runDuePayments({ ...env(), provider: undefined })) > 0);
    expect(await statusOf('ray')).toBe('active')
    await shop.work()
    expect(await paymentsOf('ray')).toHaveLength(2)
  })
})
