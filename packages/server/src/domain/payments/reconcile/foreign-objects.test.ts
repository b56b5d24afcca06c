import { describe, expect, it } from 'vitest'
import { databases } from '../../../testing/databases.ts'
import { kindsOf, useBooks } from '../../../testing/stripe/books.ts'
import { DAY } from '../../../testing/time.ts'
import { listOpenFindings } from './findings.ts'

describe.each(databases)('objects at Stripe on $name', (database) => {
  const books = useBooks(database)
  const { fake, service, app, env, buy, subscribe, work, compare, deliver } = books
  const { hasAccess, paymentOf, intentOf, requireSameBooks } = books

  /** Changes fields of an object in Stripe's records. */
  const setFields = (items: ReadonlyMap<string, object>, id: string, fields: object) => {
    Object.assign(items.get(id) as object, fields)
  }
  const openMessages = async () =>
    (await listOpenFindings(env().database.read)).map(({ message }) => message)

  it('of other systems, of every odd kind, keep nothing from being compared or heard of', async () => {
    const { payment_id } = await buy('ann')
    fake.addForeignObjects()
    fake.refundByHand(await intentOf(payment_id))
    fake.addForeignObjects()
    expect(new Set(await deliver())).toEqual(new Set([200]))
    expect(await hasAccess('ann')).toBe(false)
    const missed = await buy('ben')
    fake.refundByHand(await intentOf(missed.payment_id))
    const { repaired, open } = await compare()
    expect([kindsOf(repaired), kindsOf(open)]).toEqual([['refund_adopted'], []])
    await requireSameBooks()
  })

  it('of other systems keep no renewal from being charged', async () => {
    const { subscription_id } = await subscribe('cat')
    fake.addForeignObjects()
    const [ours] = [...fake.ledger.intents.values()].filter(({ customer }) => customer !== null)
    for (const one of fake.ledger.intents.values()) {
      if (one.metadata?.gatehouse_payment === undefined) one.customer = ours?.customer ?? null
    }
    await app.client.advanceClock({ seconds: 30 * DAY })
    await work()
    const { data } = await app.client.searchPayments({ user_ref: 'cat' })
    expect(data).toMatchObject([
      { subscription_id, status: 'succeeded' },
      { subscription_id, status: 'succeeded' },
    ])
  })

  it('of ours that can’t be read are told to staff, and the others are compared', async () => {
    const [odd, next] = [await buy('dan'), await buy('eve')]
    const unread = fake.refundByHand(await intentOf(odd.payment_id), 100)
    setFields(fake.ledger.refunds, unread, { status: null })
    const charge = await intentOf(odd.payment_id)
    setFields(fake.ledger.intents, charge, { customer: 'cus-old.1' })
    fake.openDispute(await intentOf(next.payment_id))
    const first = await compare()
    expect(kindsOf(first.open)).toEqual(['object_unreadable', 'object_unreadable'])
    expect(kindsOf(first.repaired)).toEqual(['dispute_recorded'])
    expect(await openMessages()).toEqual(
      expect.arrayContaining([
        `${unread} is ours, but its status can't be read, so it was not compared`,
        `${charge} is ours, but its customer can't be read, so it was not compared`,
      ]),
    )
    expect(first.open.map(({ aid }) => aid)).toEqual([app.aid, app.aid])
    setFields(fake.ledger.refunds, unread, { status: 'succeeded' })
    setFields(fake.ledger.intents, charge, { customer: null })
    service.clock.advance(DAY)
    expect((await compare()).open).toEqual([])
    expect(await openMessages()).toEqual([])
    expect(await paymentOf(odd.payment_id)).toMatchObject({ refunded: 100 })
  })

  it('of ours that can’t be read are told to staff also when they are disputes', async () => {
    const { payment_id } = await buy('fay')
    const id = fake.openDispute(await intentOf(payment_id))
    fake.ledger.markOdd(id, 'a field of it is missing')
    setFields(fake.ledger.disputes, id, { is_charge_refundable: undefined })
    const { open } = await compare()
    expect(open.map(({ message }) => message)).toEqual([
      `${id} is ours, but its is_charge_refundable can't be read, so it was not compared`,
    ])
    setFields(fake.ledger.disputes, id, { is_charge_refundable: false })
    expect(kindsOf((await compare()).repaired)).toEqual(['dispute_recorded'])
  })
})

describe.each(databases)('disputes whose events were missed, on $name,', (database) => {
  const { fake, service, buy, hasAccess, compare, intentOf, paymentOf, deliver } =
    useBooks(database)

  it('are found: a loss that was appealed weeks later, and won', async () => {
    const { payment_id } = await buy('ann')
    const dispute = fake.openDispute(await intentOf(payment_id))
    fake.settleDispute(dispute, 'lost')
    await deliver()
    expect(await hasAccess('ann')).toBe(false)
    service.clock.advance(60 * DAY)
    await compare()
    service.clock.advance(40 * DAY)
    fake.settleDispute(dispute, 'appeal_under_review')
    expect(kindsOf((await compare()).repaired)).toEqual(['dispute_recorded'])
    expect(await paymentOf(payment_id)).toMatchObject({ status: 'disputed', lost_amount: 0 })
    service.clock.advance(90 * DAY)
    fake.settleDispute(dispute, 'won')
    expect(kindsOf((await compare()).repaired)).toEqual(['dispute_recorded'])
    expect(await paymentOf(payment_id)).toMatchObject({ status: 'succeeded', lost: null })
    expect(await hasAccess('ann')).toBe(true)
    expect((await compare()).repaired).toEqual([])
  })

  it('are found: several about parts, and an inquiry that became a dispute', async () => {
    const { payment_id } = await buy('ben')
    const intent = await intentOf(payment_id)
    const first = fake.openDispute(intent, { amount: 100, status: 'warning_needs_response' })
    await deliver()
    expect(await paymentOf(payment_id)).toMatchObject({
      ...{ status: 'disputed', disputed_amount: 100, refundable_in_dispute: 1 },
    })
    fake.settleDispute(first, 'needs_response')
    const [found] = (await compare()).repaired
    expect(found?.kind).toBe('dispute_recorded')
    fake.settleDispute(first, 'lost')
    fake.settleDispute(fake.openDispute(intent, { amount: 150 }), 'lost')
    const [{ message } = { message: '' }] = (await compare()).repaired
    const said = 'it is now succeeded, and 2.50 EUR lost'
    expect(message).toBe(`the disputes of the payment ${payment_id} have changed: ${said}`)
    expect(await hasAccess('ben')).toBe(true)
    fake.settleDispute(fake.openDispute(intent, { amount: 5, currency: 'usd' }), 'lost')
    await deliver()
    expect(await paymentOf(payment_id)).toMatchObject({ status: 'lost', lost_amount: 499 })
    expect(await hasAccess('ben')).toBe(false)
  })
})
