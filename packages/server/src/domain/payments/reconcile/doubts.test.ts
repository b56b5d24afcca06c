import { afterEach, describe, expect, it, vi } from 'vitest'
import { listRows, updateRows } from '../../../db/queries/rows.ts'
import { inProcessCli } from '../../../testing/cli.ts'
import { databases } from '../../../testing/databases.ts'
import { kindsOf, useBooks } from '../../../testing/stripe/books.ts'
import type { FakeIntent } from '../../../testing/stripe/objects.ts'
import { RENEWAL_PERIOD_S, sandboxSettings } from '../../../testing/stripe/stripe-shop.ts'
import { DAY } from '../../../testing/time.ts'
import { listOpenFindings } from './findings.ts'

describe.each(databases)('what reconciliation on $name can’t be certain of', (database) => {
  const {
    fake,
    service,
    app,
    env,
    work,
    subscribe,
    buy,
    hasAccess,
    paymentOf,
    intentOf,
    compare,
    deliver,
  } = useBooks(database)

  afterEach(() => {
    vi.restoreAllMocks()
    fake.fault = () => undefined
    // So that each test has its own findings.
    fake.ledger.intents.delete(added?.id ?? '')
    fake.ledger.charges.delete(added?.latest_charge ?? '')
    added = undefined
  })

  let added: FakeIntent | undefined
  /** Makes another charge like the one of a payment, with other labels. */
  async function chargeAgain(paymentId: string, labels: (own: FakeIntent['metadata']) => object) {
    const intent = fake.ledger.intents.get(await intentOf(paymentId))
    if (!intent) throw new Error('nothing was charged')
    const { amount, currency, customer, payment_method } = intent
    const metadata = labels(intent.metadata) as FakeIntent['metadata']
    added = fake.ledger.addIntent({ amount, currency, customer, payment_method, metadata })
    fake.ledger.capture(added)
  }
  const subscriptionOf = (id: string | null) =>
    env()
      .database.read.selectFrom('subscriptions')
      .selectAll()
      .where('id', '=', id as string)
      .executeTakeFirstOrThrow()

  const refundsOf = (payment_id: string, status: 'pending' | 'failed') =>
    listRows(env().database.read, 'refunds', { aid: app.aid, payment_id, status })

  it('is found by doctor where nothing was compared for two days', async () => {
    const cli = inProcessCli({ ...service.installation.env, ...sandboxSettings(fake) })
    const advice = async () =>
      (await cli.json<{ checks: { message: string }[] }>('doctor')).checks
        .map(({ message }) => message)
        .filter((message) => message.includes('last compared'))
    service.clock.advance(-3 * DAY)
    await compare()
    expect(await advice()).toHaveLength(1)
    service.clock.advance(3 * DAY)
    await compare()
    expect(await advice()).toEqual([])
  })

  it('is a second charge for one payment: staff are asked', async () => {
    const { payment_id } = await buy('ann')
    await chargeAgain(payment_id, (own) => own)
    const { repaired, open } = await compare()
    expect(repaired).toEqual([])
    expect(open).toMatchObject([{ kind: 'charge_unknown', paymentId: payment_id }])
    expect(open[0]?.message).toContain('is a second charge for the payment')
  })

  it('is a charge for a period that is paid already: nobody gets a period for it', async () => {
    const { payment_id, subscription_id } = await subscribe('ben')
    const before = await subscriptionOf(subscription_id)
    await chargeAgain(payment_id, ({ gatehouse_installation, gatehouse_aid }) => ({
      ...{ gatehouse_installation, gatehouse_aid, gatehouse_payment: 'lost' },
      gatehouse_subscription: subscription_id,
      gatehouse_period: String(before.current_period_end - RENEWAL_PERIOD_S),
    }))
    expect((await compare()).open).toMatchObject([{ kind: 'charge_unknown' }])
    expect(await subscriptionOf(subscription_id)).toEqual(before)
  })

  it('is a charge for a subscription that has ended: it stays ended', async () => {
    const { payment_id, subscription_id } = await subscribe('cat')
    await app.client.cancelSubscription({ rid: 'pass', user_ref: 'cat' })
    service.clock.advance(RENEWAL_PERIOD_S + DAY)
    await work()
    const before = await subscriptionOf(subscription_id)
    expect(before.status).toBe('ended')
    await chargeAgain(payment_id, ({ gatehouse_installation, gatehouse_aid }) => ({
      ...{ gatehouse_installation, gatehouse_aid, gatehouse_payment: 'lost' },
      gatehouse_subscription: subscription_id,
      gatehouse_period: String(before.current_period_end),
    }))
    const { repaired, open } = await compare()
    expect(kindsOf(repaired)).toEqual([])
    expect(open).toMatchObject([{ kind: 'charge_unknown' }])
    expect(await subscriptionOf(subscription_id)).toEqual(before)
    expect(await hasAccess('cat', 'pass')).toBe(false)
  })

  it('is a charge of an older version long before the next period: it renews nothing', async () => {
    const { payment_id, subscription_id } = await subscribe('dan')
    const before = await subscriptionOf(subscription_id)
    await chargeAgain(payment_id, ({ gatehouse_aid }) => ({
      ...{ gatehouse_aid, gatehouse_payment: 'random-id-of-old' },
    }))
    expect((await compare()).open).toMatchObject([{ kind: 'charge_unknown' }])
    expect(await subscriptionOf(subscription_id)).toEqual(before)
  })

  it('is not a charge whose answer was lost: it is recorded', async () => {
    const { subscription_id } = await subscribe('eve')
    service.clock.advance(RENEWAL_PERIOD_S)
    fake.fault = ({ route }) => (route === 'POST /v1/payment_intents' ? 'reset_after' : undefined)
    await work()
    fake.fault = () => undefined
    const { id } = await env()
      .database.read.selectFrom('payments')
      .select('id')
      .where('status', '=', 'pending')
      .where('subscription_id', '=', subscription_id)
      .executeTakeFirstOrThrow()
    expect(new Set(kindsOf((await compare()).repaired))).toEqual(new Set(['charge_recorded']))
    expect(await paymentOf(id)).toMatchObject({ status: 'succeeded' })
  })

  /** Orders a full refund that the provider does not carry out yet, and refunds a part of the payment there. */
  async function refundTwice(payment: string): Promise<void> {
    fake.fault = ({ route }) => (route === 'POST /v1/refunds' ? 'error_before' : undefined)
    await app.client.refundPayment({ payment })
    fake.refundByHand(await intentOf(payment), 100)
  }

  it('is not a refund that leaves too little for ours: it counts, and ours has failed', async () => {
    const { payment_id: payment } = await buy('fay')
    await refundTwice(payment)
    expect(await compare()).toMatchObject({ repaired: [{ kind: 'refund_adopted' }], open: [] })
    const [failed] = await refundsOf(payment, 'failed')
    expect(failed).toMatchObject({ amount: 499, reason: 'refused' })
    fake.fault = () => undefined
    service.clock.advance(3_600)
    await work()
    expect(await paymentOf(payment)).toMatchObject({ refunded: 100 })
  })

  it('is a refund of more than is left by what is recorded here: staff are asked', async () => {
    const { payment_id: payment } = await buy('fred')
    await refundTwice(payment)
    const [ours] = await refundsOf(payment, 'pending')
    const key = { aid: app.aid, id: ours?.id as string }
    await env().database.write((trx) => updateRows(trx, 'refunds', key, { status: 'succeeded' }))
    expect((await compare()).open).toMatchObject([{ kind: 'refund_unknown', paymentId: payment }])
    await env().database.write((trx) =>
      updateRows(trx, 'refunds', key, { status: 'failed', due: null }),
    )
    expect(await compare()).toMatchObject({ repaired: [{ kind: 'refund_adopted' }], open: [] })
  })

  it('is not a refund of ours whose answer was lost: it is recorded, and again if it fails', async () => {
    const { payment_id: payment } = await buy('gil')
    fake.fault = ({ route }) => (route === 'POST /v1/refunds' ? 'reset_after' : undefined)
    await app.client.refundPayment({ payment })
    fake.fault = () => undefined
    const money = { amount: 499, currency: 'EUR', aid: app.aid, paymentId: payment }
    expect((await compare()).repaired).toMatchObject([{ kind: 'refund_recorded', ...money }])
    expect(await paymentOf(payment)).toMatchObject({ status: 'refunded', refunded: 499 })
    const [id] = [...fake.ledger.refunds.keys()].slice(-1)
    fake.settleRefund(id as string, 'failed')
    expect((await compare()).repaired).toMatchObject([{ kind: 'refund_recorded', ...money }])
    expect(await paymentOf(payment)).toMatchObject({ status: 'succeeded', refunded: 0 })
    expect(await compare()).toMatchObject({ repaired: [], open: [] })
  })

  it('is not a refund that has failed at the provider: nothing changes', async () => {
    const { payment_id } = await buy('gia')
    fake.ledger.newRefundStatus = 'failed'
    fake.refundByHand(await intentOf(payment_id), 100)
    fake.ledger.newRefundStatus = 'succeeded'
    expect(await compare()).toMatchObject({ repaired: [], open: [] })
    expect(await paymentOf(payment_id)).toMatchObject({ status: 'succeeded', refunded: 0 })
  })

  it('is not a refund of another payment than its label says: ours goes on waiting', async () => {
    const { payment_id: payment } = await buy('gro')
    const other = await buy('gwen')
    fake.fault = ({ route }) => (route === 'POST /v1/refunds' ? 'error_before' : undefined)
    await app.client.refundPayment({ payment })
    const [ours] = await refundsOf(payment, 'pending')
    const made = fake.ledger.refunds.get(fake.refundByHand(await intentOf(other.payment_id)))
    Object.assign(made?.metadata as object, { gatehouse_refund: ours?.id })
    await compare()
    expect(await refundsOf(payment, 'pending')).toHaveLength(1)
  })

  it.each([
    ['just enough', '1.49', 'pending'],
    ['too little', '1.50', 'failed'],
  ] as const)('is not a refund that leaves %s for an order of ours', async (_, amount, status) => {
    const { payment_id: payment } = await buy(`gil${amount}`)
    await app.client.refundPayment({ payment, amount: '2.50', reference: 'first' })
    fake.fault = ({ route }) => (route === 'POST /v1/refunds' ? 'error_before' : undefined)
    await app.client.refundPayment({ payment, amount, reference: 'second' })
    fake.refundByHand(await intentOf(payment), 100)
    expect((await compare()).repaired).toMatchObject([{ kind: 'refund_adopted', amount: 100 }])
    expect(await refundsOf(payment, status)).toMatchObject([{ reference: 'second' }])
    const [adopted] = await listRows(env().database.read, 'history', {
      ...{ aid: app.aid, action: 'refund ordered', actor: 'provider' },
      uid: (await paymentOf(payment)).uid,
    })
    const after = { payment, amount: 100, currency: 'EUR' }
    expect(JSON.parse(adopted?.after as string)).toMatchObject(after)
  })

  it.each([
    ['late', 100, 499],
    ['late', 499, 499],
    ['mismatch', 100, 100],
    [null, 100, 100],
  ] as const)(
    'is not the rest of a payment flagged %s: once %i are paid back, %i are in the end',
    async (flag, made, refunded) => {
      const { aid, payment_id: id } = await buy(`gus${flag}${made}`)
      await env().database.write((trx) => updateRows(trx, 'payments', { aid, id }, { flag }))
      fake.refundByHand(await intentOf(id), made)
      await compare()
      await work()
      expect(await paymentOf(id)).toMatchObject({ refunded })
    },
  )

  it('is not a refund that its event records meanwhile: it counts once', async () => {
    const { payment_id } = await buy('gus')
    // Only the event of the refund is sent below.
    fake.ledger.events.length = 0
    fake.refundByHand(await intentOf(payment_id))
    vi.spyOn(env(), 'refreshClock').mockImplementationOnce(async () => {
      await deliver()
    })
    const { repaired, open } = await compare()
    expect([kindsOf(repaired), kindsOf(open)]).toEqual([[], []])
    expect(await paymentOf(payment_id)).toMatchObject({ status: 'refunded', refunded: 499 })
  })

  it('is compared again however long ago it was: a dispute', async () => {
    const { payment_id } = await buy('hal')
    const dispute = fake.openDispute(await intentOf(payment_id))
    for (let month = 0; month < 3; month++) {
      expect((await compare()).open).toEqual([])
      service.clock.advance(30 * DAY)
    }
    fake.settleDispute(dispute, 'lost')
    expect(kindsOf((await compare()).repaired)).toEqual(['dispute_recorded'])
    expect(await hasAccess('hal')).toBe(false)
  })

  it('is compared again however long ago it was: what staff were asked', async () => {
    const { payment_id } = await buy('ida')
    const intent = fake.ledger.intents.get(await intentOf(payment_id)) as FakeIntent
    Object.assign(intent, { amount: 600, amount_received: 600 })
    for (let month = 0; month < 3; month++) {
      expect(kindsOf((await compare()).open)).toEqual(['amount_differs'])
      service.clock.advance(30 * DAY)
    }
    Object.assign(intent, { amount: 499, amount_received: 499 })
    await compare()
    expect(await listOpenFindings(env().database.read)).toEqual([])
  })
})
