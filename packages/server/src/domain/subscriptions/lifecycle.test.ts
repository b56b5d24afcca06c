import { describe, expect, it } from 'vitest'
import { useDomainSubscriptions } from '../../testing/payments/use-domain-subscriptions.ts'
import { listOutbox } from '../../testing/smtp/outbox.ts'
import { DAY } from '../../testing/time.ts'
import { changeSettings, getApplication } from '../apps/applications.ts'
import type { HistoryAction } from '../history/actions.ts'
import { clocksOf } from '../payments/context.ts'
import {
  cancelSubscription,
  closeTime,
  endSubscription,
  isCharging,
  lockSubscription,
  resumeSubscription,
} from './lifecycle.ts'
import type { SubscriptionRow } from './subscriptions.ts'

const { service, shop, env, db, historyOf, subscribe, change } = useDomainSubscriptions()
const now = () => env().clock()
const ann = { rid: 'pass', user_ref: 'ann' }
const hasAccess = () => shop.client.hasAccess(ann)

const who = ({ id }: SubscriptionRow) => ({ aid: shop.aid, id, actor: 'test' })
const cancel = (row: SubscriptionRow) =>
  db().write((trx) => cancelSubscription(trx, who(row), clocksOf(env()), env().delivery))
const resume = (row: SubscriptionRow) =>
  db().write((trx) => resumeSubscription(trx, who(row), now()))
const end = ({ aid, id }: SubscriptionRow) =>
  db().write(async (trx) =>
    endSubscription(trx, await lockSubscription(trx, aid, id), 'revoked', now(), 'test'),
  )

const entriesOf = async (action: HistoryAction) =>
  (await historyOf(action)).map(({ before, after, actor }) => ({
    before: JSON.parse(before ?? 'null'),
    after: JSON.parse(after ?? 'null'),
    actor,
  }))
const cancelMails = async () =>
  (await listOutbox(service, 'sandbox')).filter(
    ({ kind, aid }) => kind === 'canceled' && aid === shop.aid,
  )

const CHARGING = { next_due: null, next_step: null }

describe('a canceled subscription', () => {
  it('lasts to the end of what is paid, and ends then', async () => {
    const row = await subscribe()
    expect(await cancel(row)).toMatchObject({
      status: 'canceled',
      canceled: now(),
      next_due: row.current_period_end,
      next_step: 'end',
    })
    expect(await hasAccess()).toBe(true)
    expect(await entriesOf('subscription canceled')).toEqual([
      {
        before: { status: 'active' },
        after: { status: 'canceled', ends: row.current_period_end },
        actor: 'test',
      },
    ])
    expect(await cancelMails()).toHaveLength(1)
  })

  it('is canceled once', async () => {
    const row = await subscribe()
    const canceled = await cancel(row)
    expect(await cancel(row)).toEqual(canceled)
    expect(await entriesOf('subscription canceled')).toHaveLength(1)
  })

  it('sends one mail in a period, however often it is resumed', async () => {
    const row = await subscribe()
    await cancel(row)
    await resume(row)
    await cancel(row)
    expect(await entriesOf('subscription canceled')).toHaveLength(2)
    expect(await cancelMails()).toHaveLength(1)
  })

  it('is confirmed by a mail that says until when access lasts, and who has sold it', async () => {
    const { name } = await getApplication(db().read, shop.aid)
    const row = await subscribe()
    await cancel(row)
    const [mail] = await cancelMails()
    const ends = row.current_period_end
    expect(mail?.key).toBe(`canceled:${row.id}:${ends}`)
    expect(JSON.parse(mail?.payload ?? '')).toMatchObject({
      ...{ subscription: row.id, ends, amount: 499, currency: 'EUR' },
      seller: { name, address: '', tax_line: '' },
    })
  })

  it('is confirmed with the seller’s own name, address and tax line', async () => {
    const seller = { seller_name: 'Verlag', seller_address: 'Street 1', tax_line: 'incl. VAT' }
    await db().write((trx) => changeSettings(trx, shop.aid, seller, now(), 'test'))
    await cancel(await change(await subscribe(), { current_period_end: now() - 1 }))
    const [mail] = await cancelMails()
    expect(JSON.parse(mail?.payload ?? '')).toMatchObject({
      ends: now(),
      seller: { name: 'Verlag', address: 'Street 1', tax_line: 'incl. VAT' },
    })
  })

  it('waits for the outcome of a charge that is under way', async () => {
    const row = await change(await subscribe(), { ...CHARGING, current_period_end: now() - 1 })
    expect(isCharging(row)).toBe(true)
    expect(await cancel(row)).toMatchObject({ status: 'canceled', ...CHARGING })
    expect(await hasAccess()).toBe(true)
    expect(await resume(row)).toMatchObject({ status: 'active', canceled: null, ...CHARGING })
  })

  it('ends at once when nothing that is paid is left', async () => {
    const row = await change(await subscribe(), {
      status: 'past_due',
      current_period_end: now(),
      next_due: now() + DAY,
      next_step: 'renew',
    })
    expect(await cancel(row)).toMatchObject({ status: 'ended', ended: now() })
    expect(await hasAccess()).toBe(false)
    expect(await entriesOf('subscription ended')).toMatchObject([
      { before: { status: 'canceled' }, after: { status: 'ended', why: 'canceled' } },
    ])
  })

  it('can be resumed until its last second, and not from then on', async () => {
    const row = await subscribe()
    await cancel(row)
    await change(row, { current_period_end: now() })
    await expect(resume(row)).rejects.toMatchObject({ code: 'subscription_not_found' })
    await change(row, { current_period_end: now() + 1 })
    expect(await resume(row)).toMatchObject({
      status: 'active',
      canceled: null,
      next_due: now() + 1,
      next_step: 'renew',
    })
    expect(await entriesOf('subscription resumed')).toEqual([
      { before: { status: 'canceled' }, after: { status: 'active' }, actor: 'test' },
    ])
  })
})

describe('a canceled trial', () => {
  it('is a trial again when it is resumed, with its notice still to come', async () => {
    const row = await subscribe({ terms: { trial_days: 14 } })
    expect(row.next_step).toBe('trial_notice')
    await cancel(row)
    expect(await resume(row)).toMatchObject({
      status: 'trialing',
      next_due: row.next_due,
      next_step: 'trial_notice',
    })
  })

  it('is no trial any more from its end on', async () => {
    const row = await subscribe({ terms: { trial_days: 14 } })
    await cancel(row)
    await change(row, { trial_ends: now() })
    expect(await resume(row)).toMatchObject({ status: 'active', next_step: 'renew' })
  })
})

describe('an ended subscription', () => {
  it('can neither be canceled nor resumed, and ends once', async () => {
    const row = await subscribe()
    const ended = await end(row)
    expect(ended).toMatchObject({ status: 'ended', ended: now(), ...CHARGING })
    expect(isCharging(ended)).toBe(false)
    expect(await hasAccess()).toBe(false)
    expect(await end(row)).toEqual(ended)
    expect(await entriesOf('subscription ended')).toMatchObject([
      { before: { status: 'active' }, after: { status: 'ended', why: 'revoked', ends: now() } },
    ])
    await expect(cancel(row)).rejects.toMatchObject({ code: 'subscription_not_found' })
    await expect(resume(row)).rejects.toMatchObject({ code: 'subscription_not_found' })
  })
})

it('a subscription that was not canceled is left alone by a resume', async () => {
  const row = await subscribe()
  expect(await resume(row)).toEqual(row)
  expect(await entriesOf('subscription resumed')).toEqual([])
})

it('nothing ends before it began', () => {
  expect(closeTime({ created: 5 }, 4)).toBe(5)
  expect(closeTime({ created: 5 }, 6)).toBe(6)
})
