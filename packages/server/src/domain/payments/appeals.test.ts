import { describe, expect, it } from 'vitest'
import { FOREVER } from '../../db/tables.ts'
import { MONTHLY } from '../../testing/payments/shop.ts'
import { lost, open, useDisputes, WON } from '../../testing/payments/use-disputes.ts'
import { DAY } from '../../testing/time.ts'
import { mergeUsers } from '../people/merge.ts'
import { findUidByRef } from '../users/user-ref.ts'

const { shop, env, ann, historyOf, hasAccess, accessEnd, ...disputes } = useDisputes()
const { subscriptionNow, paymentNow, apply, buy, refund, eventsOf } = disputes

describe('a lost dispute that is appealed', () => {
  it('is open again, and the access stays ended', async () => {
    const payment = await buy()
    await apply(payment, lost())
    expect(await apply(payment, open())).toMatchObject({
      ...{ status: 'disputed', lost: null, lost_amount: 0, access_left: FOREVER },
    })
    expect(await hasAccess()).toBe(false)
    await apply(payment, open())
    expect(await eventsOf()).toEqual(['lost', 'appealed'])
  })

  it.each(['after an appeal that was heard of', 'at once'])(
    'and won gives back what was bought: %s',
    async (how) => {
      const payment = await buy()
      await apply(payment, lost())
      if (how !== 'at once') await apply(payment, open())
      expect(await apply(payment, WON)).toEqual({ ...payment, access_left: null })
      expect(await hasAccess()).toBe(true)
      await apply(payment, WON)
      expect(await historyOf('access given back')).toHaveLength(1)
      expect((await eventsOf()).at(-1)).toBe('won_on_appeal')
    },
  )

  it('and lost again leaves the access ended, once', async () => {
    const payment = await buy()
    for (const finding of [lost(), open(), lost()]) await apply(payment, finding)
    expect(await paymentNow(payment)).toMatchObject({ status: 'lost', access_left: FOREVER })
    expect(await hasAccess()).toBe(false)
    expect(await historyOf('purchase ended')).toHaveLength(1)
  })

  it('gives back the days of a period that were left when it ended', async () => {
    const payment = await buy({ period: '30 days' })
    await shop.advance(10 * DAY)
    await apply(payment, lost())
    await shop.advance(50 * DAY)
    await apply(payment, WON)
    expect(await accessEnd()).toBe(env().clock() + 20 * DAY)
    // A second loss and a second appeal, of what is left by then.
    await shop.advance(5 * DAY)
    await apply(payment, lost())
    await shop.advance(DAY)
    await apply(payment, WON)
    expect(await accessEnd()).toBe(env().clock() + 15 * DAY)
  })

  it('gives back days after those that were bought since', async () => {
    const payment = await buy({ period: '30 days' })
    await apply(payment, lost())
    await buy({ period: '10 days' })
    await apply(payment, WON)
    expect(await accessEnd()).toBe(env().clock() + 40 * DAY)
  })

  it('gives it back to the person with whom the reader was merged since', async () => {
    const payment = await buy({ period: '30 days' })
    await apply(payment, lost())
    await shop.buy({ rid: 'pass', userRef: 'twin', terms: { period: '10 days' } })
    const [from, into] = await Promise.all(
      ['ann', 'twin'].map((ref) => findUidByRef(env().database.read, shop.aid, ref)),
    )
    const merge = { aid: shop.aid, from: from as string, into: into as string, actor: 'test' }
    await env().database.write((trx) => mergeUsers(trx, merge, env().clock()))
    await apply(await paymentNow(payment), WON)
    expect(await accessEnd()).toBe(env().clock() + 40 * DAY)
  })

  it('gives back nothing of a period that was over, or that staff have revoked since', async () => {
    const first = await buy({ period: '30 days' })
    await shop.advance(40 * DAY)
    expect(await apply(first, lost())).toMatchObject({ access_left: null })
    await apply(first, WON)
    expect(await hasAccess()).toBe(false)
    const second = await buy()
    await apply(second, lost())
    await shop.client.revokeAccess(ann)
    expect(await apply(second, WON)).toMatchObject({ status: 'succeeded', access_left: null })
    expect(await hasAccess()).toBe(false)
    expect(await historyOf('access given back')).toEqual([])
  })

  it('gives back the rest of the period of a subscription, which stays ended', async () => {
    const payment = await buy({ ...MONTHLY, period: '30 days' })
    await shop.advance(10 * DAY)
    await apply(payment, lost())
    await apply(payment, WON)
    expect(await hasAccess()).toBe(true)
    expect(await accessEnd()).toBe(env().clock() + 20 * DAY)
    expect(await subscriptionNow()).toMatchObject({ status: 'ended' })
    await shop.advance(30 * DAY)
    await shop.work()
    expect((await shop.client.searchPayments(ann)).data).toHaveLength(1)
    expect(await hasAccess()).toBe(false)
  })

  it('ends it again with a refund', async () => {
    const payment = await buy(MONTHLY)
    for (const finding of [lost(), WON]) await apply(payment, finding)
    expect(await refund(payment, 499)).toMatchObject({ status: 'refunded' })
    expect(await hasAccess()).toBe(false)
  })

  it('gives back what a loss and a refund together had ended', async () => {
    const payment = await buy()
    await apply(payment, lost(200))
    await refund(payment, 299)
    expect(await hasAccess()).toBe(false)
    expect(await apply(payment, WON)).toMatchObject({ status: 'partially_refunded' })
    expect(await hasAccess()).toBe(true)
  })

  it('gives back nothing that was refunded in full', async () => {
    const payment = await refund(await buy(), 499)
    for (const finding of [lost(), WON]) await apply(payment, finding)
    expect(await paymentNow(payment)).toMatchObject({ status: 'refunded', access_left: null })
    expect(await hasAccess()).toBe(false)
  })

  it('gives it back too if the appeal leaves only a part lost', async () => {
    const payment = await buy()
    for (const finding of [lost(), open(), lost(100)]) await apply(payment, finding)
    const partly = { status: 'succeeded', lost_amount: 100, access_left: null }
    expect(await paymentNow(payment)).toMatchObject(partly)
    expect(await hasAccess()).toBe(true)
  })
})
