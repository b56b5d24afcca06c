import { describe, expect, it, vi } from 'vitest'
import { DatabaseUnavailable } from '../../../db/outage.ts'
import { MONTHLY } from '../../../testing/payments/shop.ts'
import { useDomainSubscriptions } from '../../../testing/payments/use-domain-subscriptions.ts'
import { listOutbox } from '../../../testing/smtp/outbox.ts'
import { DAY } from '../../../testing/time.ts'
import { archiveApplication } from '../../apps/applications.ts'
import { addPeriods } from '../../resources/periods.ts'
import type { SubscriptionRow } from '../../subscriptions/subscriptions.ts'
import { getPayment, type PaymentRow } from '../payments.ts'
import type { Renewal } from './orders.ts'
import {
  recordFailedRenewal,
  recordPaidRenewal,
  runDueSteps,
  runNextSteps,
  takeDueSteps,
} from './renewals.ts'

const { service, shop, env, db, historyOf, noticesOf, read, subscribe, change, at, begin } =
  useDomainSubscriptions()
const TRIAL = { ...MONTHLY, trial_days: 14 }
const GRACE = 7 * DAY

async function refuse(renewal: Renewal, now: number): Promise<SubscriptionRow> {
  await db().write((trx) => recordFailedRenewal(trx, env(), renewal, at(now)))
  return await read(renewal.subscription.id)
}

async function pay(renewal: Renewal): Promise<SubscriptionRow> {
  const now = renewal.payment.period_start as number
  await db().write((trx) => recordPaidRenewal(trx, env(), renewal, at(now)))
  return await read(renewal.subscription.id)
}

const mailOf = async (key: string) => {
  const mails = await listOutbox(service, 'sandbox')
  return JSON.parse(mails.find((mail) => mail.key === key)?.payload ?? 'null') as unknown
}

const parse = (text: string | null | undefined) => JSON.parse(text ?? 'null') as unknown

describe('a due step', () => {
  /** The steps of this shop that are due at the end of the row's period. */
  async function run(row: SubscriptionRow, ctx = env(), now = row.next_due as number) {
    const then = { ...ctx, clock: () => now }
    const due = (await takeDueSteps(then)).filter(({ aid }) => aid === shop.aid)
    await runDueSteps(then, due)
    return due.map(({ id }) => id)
  }

  it('is not run before its time', async () => {
    const row = await subscribe()
    expect(await run(row, env(), (row.next_due as number) - 1)).toEqual([])
  })

  it('that is a renewal waits while there is no provider; the end of a canceled one doesn’t', async () => {
    const ann = await subscribe()
    const bob = await subscribe({ userRef: 'bob' })
    await shop.client.cancelSubscription({ rid: 'pass', user_ref: 'bob' })
    expect(await run(ann, { ...env(), provider: undefined })).toEqual([bob.id])
    expect(await read(ann.id)).toEqual(ann)
    expect(await read(bob.id)).toMatchObject({ status: 'ended', next_due: null })
    const [entry] = await historyOf('subscription ended')
    expect(parse(entry?.after)).toMatchObject({ why: 'canceled' })
  })

  it('that another worker has run already is not run again', async () => {
    const row = await subscribe()
    const due = [{ aid: shop.aid, id: row.id }]
    await runDueSteps(env(), due)
    expect(await read(row.id)).toEqual(row)
    await begin(row)
    const waiting = await read(row.id)
    await runDueSteps({ ...env(), clock: () => row.current_period_end }, due)
    expect(await read(row.id)).toEqual(waiting)
    expect(await historyOf('renewal begun')).toHaveLength(1)
  })

  it('ends what was sold by an archived application, and charges nothing', async () => {
    const row = await subscribe()
    await db().write((trx) => archiveApplication(trx, shop.aid, env().clock(), 'test'))
    await change(row, { status: 'active', ended: null, next_due: row.next_due, next_step: 'renew' })
    await run(row)
    expect(await read(row.id)).toMatchObject({ status: 'ended' })
    const [entry] = await historyOf('subscription ended')
    expect(parse(entry?.after)).toMatchObject({ why: 'archived' })
    expect(await historyOf('renewal begun')).toEqual([])
  })

  it('charges a card that is there', async () => {
    const row = await subscribe()
    await run(row)
    expect(await read(row.id)).toMatchObject({ status: 'active', next_due: null, next_step: null })
    expect(await historyOf('renewal failed')).toEqual([])
  })

  it.each([
    ['no card', { method: null }],
    ['a card at another provider', { provider: 'other' }],
  ])('says at once that a subscription has %s', async (_, changes) => {
    const row = await subscribe()
    await change(row, changes)
    await run(row)
    const now = row.current_period_end
    expect(await read(row.id)).toMatchObject({ status: 'past_due', next_due: now + DAY })
    const { data } = await shop.client.searchPayments({ user_ref: 'ann' })
    const failed = data.find(({ status }) => status === 'failed')
    const payment = await getPayment(db().read, shop.aid, failed?.id as string)
    expect(payment).toMatchObject({ failure: 'no_card', settled: now, due: null })
  })

  it('ends what nobody has paid for', async () => {
    const row = await subscribe()
    await change(row, { status: 'past_due', next_step: 'end' })
    await run(row)
    expect(await read(row.id)).toMatchObject({ status: 'ended' })
    const [entry] = await historyOf('subscription ended')
    expect(parse(entry?.after)).toMatchObject({ why: 'unpaid' })
    expect(await noticesOf('payment_failed')).toMatchObject([
      { event: 'ended', subject_id: row.id },
    ])
  })

  it('tells the reader before a trial ends', async () => {
    const row = await subscribe({ terms: TRIAL })
    expect(row).toMatchObject({ status: 'trialing', next_step: 'trial_notice' })
    await run(row)
    const ends = row.current_period_end
    expect(await read(row.id)).toMatchObject({ next_due: ends, next_step: 'renew' })
    expect(await mailOf(`trial_ends:${row.id}`)).toMatchObject({
      ...{ subscription: row.id, period: '1 month', ends, amount: 499 },
    })
    const [entry] = await historyOf('trial notice')
    expect(parse(entry?.after)).toEqual({ ends })
  })

  it('that fails delays no other one, and is reported', async () => {
    const row = await subscribe()
    const missing = { aid: shop.aid, id: 'missing' }
    const then = { ...env(), clock: () => row.current_period_end }
    const due = [missing, { aid: shop.aid, id: row.id }]
    await expect(runDueSteps(then, due)).rejects.toMatchObject({ code: 'subscription_not_found' })
    expect(await read(row.id)).toMatchObject({ next_due: null })
  })

  it('that fails does not keep a renewal without an outcome from ending', async () => {
    const overdue = await subscribe()
    await begin(overdue)
    const row = await subscribe({ userRef: 'bob' })
    const later = { ...env(), clock: () => row.current_period_end + 30 * 86_400 }
    const { write } = db()
    const breaking = vi.fn(write).mockRejectedValueOnce(new Error('broken'))
    const ctx = {
      ...later,
      database: { ...db(), write: breaking as typeof write },
      refreshClock: async () => {},
    }
    await expect(runNextSteps(ctx)).rejects.toThrow('broken')
    expect(await read(overdue.id)).toMatchObject({ status: 'ended' })
  })

  it('is the last one if the database is away', async () => {
    const write = vi.fn(() => Promise.reject(new DatabaseUnavailable('away')))
    const ctx = { ...env(), database: { ...db(), write } }
    const two = ['a', 'b'].map((id) => ({ aid: shop.aid, id }))
    await expect(runDueSteps(ctx, two)).rejects.toThrow('away')
    expect(write).toHaveBeenCalledTimes(1)
  })
})

describe('a paid renewal', () => {
  it('opens the next period, and is in the history and in a receipt', async () => {
    const row = await subscribe()
    const renewal = await begin(row)
    const { id } = renewal.payment
    const ends = addPeriods(row.anchor, '1 month', 2)
    expect(await pay(renewal)).toMatchObject({
      ...{ status: 'active', periods: 2, tries: 0, next_due: ends, next_step: 'renew' },
      ...{ current_period_start: row.current_period_end, current_period_end: ends },
    })
    expect(await getPayment(db().read, shop.aid, id)).toMatchObject({ period_end: ends })
    expect(await mailOf(`receipt:${id}`)).toMatchObject({
      ...{ payment: id, ends, subscription: row.id, period: '1 month', price: 499 },
    })
    const [entry] = await historyOf('renewed')
    expect([parse(entry?.before), parse(entry?.after)]).toEqual([
      { status: 'active' },
      { payment: id, current_period_end: ends, ends },
    ])
    expect(await noticesOf('sale')).toMatchObject([{ event: 'subscription' }])
  })

  it('of a trial is the sale', async () => {
    const row = await subscribe({ terms: TRIAL })
    const renewal = await begin(row)
    expect(await pay(renewal)).toMatchObject({ status: 'active', periods: 1 })
    const sale = { event: 'trial_converted', subject_id: renewal.payment.id, amount: 499 }
    expect(await noticesOf('sale')).toContainEqual(sale)
  })

  it('leaves canceled what was canceled meanwhile: the period is the last', async () => {
    const { payment, subscription } = await begin(await subscribe())
    await change(subscription, { status: 'canceled' })
    const changed = await pay({ payment, subscription: { ...subscription, status: 'canceled' } })
    expect(changed).toMatchObject({ status: 'canceled', next_step: 'end' })
    expect(changed.next_due).toBe(changed.current_period_end)
    expect(await mailOf(`receipt:${payment.id}`)).toMatchObject({ period: null })
  })
})

describe('a refused renewal', () => {
  it('is tried again on the 1st, 3rd, 5th and 7th day, then it ends', async () => {
    const row = await subscribe()
    const { payment, subscription } = await begin(row)
    const end = row.current_period_end
    const next = async (now: number) => {
      const current = await read(subscription.id)
      const attempt = { ...payment, id: `${payment.id}-${current.tries}` }
      const refused = await refuse({ payment: attempt, subscription: current }, now)
      const { next_due, next_step, tries } = refused
      return [next_due === null ? null : (next_due - end) / DAY, next_step, tries]
    }
    expect(await next(end)).toEqual([1, 'renew', 1])
    expect(await next(end + DAY)).toEqual([3, 'renew', 2])
    expect(await next(end + 3 * DAY)).toEqual([5, 'renew', 3])
    expect(await next(end + 5 * DAY)).toEqual([7, 'renew', 4])
    expect(await next(end + GRACE)).toEqual([null, null, 5])
    expect(await read(row.id)).toMatchObject({ status: 'ended' })
  })

  it('leaves access open for the days of grace, and is in the history and in a mail', async () => {
    const row = await subscribe()
    const renewal = await begin(row)
    const now = row.current_period_end
    const id = renewal.payment.id
    expect(await refuse(renewal, now)).toMatchObject({ status: 'past_due' })
    const [access] = (await shop.client.searchAccess()).data
    expect(access?.expires).toBe(now + GRACE)
    expect(await mailOf(`payment_failed:${id}`)).toMatchObject({
      ...{ subscription: row.id, failure: 'declined', retry: now + DAY, ends: now + GRACE },
    })
    const [entry] = await historyOf('renewal failed')
    expect([parse(entry?.before), parse(entry?.after)]).toEqual([
      { status: 'active' },
      { payment: id, failure: null, status: 'past_due' },
    ])
  })

  it('ends the access with the days of grace, also if it was kept open longer for the charge', async () => {
    const row = await subscribe()
    const graceEnd = row.current_period_end + GRACE
    const now = graceEnd - 3_600
    const renewal = await begin(row, now)
    const expires = async () => (await shop.client.searchAccess()).data[0]?.expires
    expect(await expires()).toBe(now + DAY)
    await refuse(renewal, now)
    expect(await expires()).toBe(graceEnd)
  })

  it('is told to staff once, and again when the subscription ends', async () => {
    const { payment, subscription } = await begin(await subscribe())
    const now = subscription.current_period_end
    const past = await refuse({ payment, subscription }, now)
    await refuse({ payment: { ...payment, id: 'second' }, subscription: past }, now + DAY)
    expect(await noticesOf('payment_failed')).toMatchObject([{ event: 'past_due' }])
    await refuse({ payment: { ...payment, id: 'third' }, subscription: past }, now + GRACE)
    const events = (await noticesOf('payment_failed')).map(({ event }) => event)
    expect(events.sort()).toEqual(['ended', 'past_due'])
  })

  it('ends at once what was canceled, and names no day of grace', async () => {
    const { payment, subscription } = await begin(await subscribe())
    const now = subscription.current_period_end
    await change(subscription, { status: 'canceled' })
    const canceled = { payment, subscription: { ...subscription, status: 'canceled' } as const }
    expect(await refuse(canceled, now)).toMatchObject({ status: 'ended', ended: now })
    expect(await mailOf(`payment_failed:${payment.id}`)).toMatchObject({ retry: null, ends: now })
    const [entry] = await historyOf('renewal failed')
    expect(parse(entry?.after)).toMatchObject({ status: 'canceled' })
    expect(await noticesOf('payment_failed')).toMatchObject([{ event: 'ended' }])
  })

  it('of a wrong amount is not tried again: it ends with the days of grace', async () => {
    const { payment, subscription } = await begin(await subscribe())
    const odd: PaymentRow = { ...payment, flag: 'mismatch', failure: 'needs_payer' }
    const now = subscription.current_period_end
    const changed = await refuse({ payment: odd, subscription }, now)
    expect(changed).toMatchObject({ next_step: 'end', next_due: now + GRACE })
    expect(await mailOf(`payment_failed:${payment.id}`)).toMatchObject({
      ...{ failure: 'needs_payer', retry: null, ends: now + GRACE },
    })
  })
})
