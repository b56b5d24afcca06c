import { describe, expect, it } from 'vitest'
import { FOREVER } from '../../../db/tables.ts'
import { MONTHLY, ONCE } from '../../../testing/payments/shop.ts'
import { useDomainCheckouts } from '../../../testing/payments/use-domain-checkouts.ts'
import { listOutbox } from '../../../testing/smtp/outbox.ts'
import { findPayment, listRefunds } from '../payments.ts'

const { service, shop, env, db, open, complete, pay, historyOf, noticesOf } = useDomainCheckouts()
const MONTH = { ...ONCE, period: '1 month' as const }
const SUBSCRIPTION = { ...ONCE, ...MONTHLY }
const TRIAL = { ...SUBSCRIPTION, trial_days: 7 }

const parse = (text: string | null | undefined) => JSON.parse(text ?? 'null') as unknown
describe('a purchase', () => {
  it('is in the history, in the notices for staff, and in a receipt', async () => {
    const { payment_id: payment } = await pay(await open({ terms: MONTH }))
    const [entry] = await historyOf('purchased')
    const [access] = (await shop.client.searchAccess()).data
    const ends = access?.expires
    expect([entry?.before, parse(entry?.after)]).toEqual([
      null,
      { payment, starts: env().clock(), purchase_ends: ends, ends },
    ])
    expect(await noticesOf('sale')).toEqual([
      { event: 'purchase', subject_id: payment, amount: 499 },
    ])
    const [receipt] = (await listOutbox(service, 'sandbox')).filter(({ aid }) => aid === shop.aid)
    expect(receipt).toMatchObject({ kind: 'receipt', key: `receipt:${payment}` })
    expect(parse(receipt?.payload)).toMatchObject({
      ...{ payment, ends, subscription: null, period: '1 month', price: 499 },
    })
  })

  it('says in the history how long there was access before', async () => {
    const ends = env().clock() + 60
    const until = { rid: 'pass', email: 'ann@example.com', expires: ends }
    await shop.client.grantAccess(until)
    await pay(await open())
    const [entry] = await historyOf('purchased')
    expect([parse(entry?.before), parse(entry?.after)]).toMatchObject([{ ends }, { ends: FOREVER }])
  })
})

describe('a subscription', () => {
  it('is in the history and in the notices for staff', async () => {
    const terms = SUBSCRIPTION
    const { payment_id, subscription_id } = await pay(await open({ terms }))
    const [entry] = await historyOf('subscribed')
    const [access] = (await shop.client.searchAccess()).data
    const ends = access?.expires
    expect([entry?.before, parse(entry?.after)]).toEqual([
      null,
      { subscription: subscription_id, status: 'active', current_period_end: ends, ends },
    ])
    const sale = { event: 'subscription', subject_id: payment_id, amount: 499 }
    expect(await noticesOf('sale')).toEqual([sale])
  })

  it('says in the history how long there was access before', async () => {
    const ends = env().clock() + 60
    await shop.client.grantAccess({ rid: 'pass', email: 'ann@example.com', expires: ends })
    await pay(await open({ terms: SUBSCRIPTION }))
    expect(parse((await historyOf('subscribed'))[0]?.before)).toEqual({ ends })
  })

  it('that the reader has already is refunded, at the access that is there', async () => {
    const terms = SUBSCRIPTION
    const [first, second] = [await open({ terms }), await open({ terms })]
    await pay(first)
    expect(await pay(second)).toMatchObject({ refusal: 'duplicate' })
    const payment = await findPayment(db().read, shop.aid, second.payment_id)
    const { data } = await shop.client.searchAccess()
    expect(payment).toMatchObject({ flag: 'duplicate', access_id: data[0]?.id })
  })
})

describe('a payment of something else', () => {
  it.each([
    ['amount', { amount: 498, currency: 'EUR' }],
    ['currency', { amount: 499, currency: 'USD' }],
  ])('opens nothing if it has another %s, and staff decide', async (_, money) => {
    const checkout = await open()
    expect(await pay(checkout, money)).toMatchObject({ refusal: 'mismatch' })
    const payment = await findPayment(db().read, shop.aid, checkout.payment_id)
    expect(payment).toMatchObject({ ...money, flag: 'mismatch', access_id: null })
    expect(await listRefunds(db().read, shop.aid, [checkout.payment_id])).toEqual([])
    const [entry] = await historyOf('payment not wanted')
    expect(parse(entry?.after)).toEqual({ flag: 'mismatch', payment: checkout.payment_id })
  })

  it('opens nothing if there is none', async () => {
    expect(await complete(await open(), {})).toMatchObject({ refusal: 'mismatch' })
    expect((await shop.client.searchAccess()).data).toEqual([])
  })
})

describe('a trial', () => {
  const begin = async (typedEmail: string, fingerprint?: string) =>
    await complete(await open({ terms: TRIAL, typedEmail }), {
      method: 'card',
      ...(fingerprint === undefined ? {} : { fingerprint }),
    })

  it('is not given twice to a card', async () => {
    expect(await begin('ann@example.com', 'same')).toMatchObject({ refusal: null })
    expect(await begin('bob@example.com', 'same')).toMatchObject({ refusal: 'trial_used' })
    expect(await begin('cid@example.com', 'other')).toMatchObject({ refusal: null })
    const [entry, more] = await historyOf('trial not wanted')
    expect([parse(entry?.after), more]).toEqual([{ flag: 'trial_used' }, undefined])
  })

  it('is given to everybody whose card is unknown', async () => {
    expect(await begin('ann@example.com')).toMatchObject({ refusal: null })
    expect(await begin('bob@example.com')).toMatchObject({ refusal: null })
  })
})

describe('the reference that a link names', () => {
  it('may be the uid of the reader', async () => {
    const { uid } = await shop.client.grantAccess({ rid: 'pass', email: 'ann@example.com' })
    const vouched = { vouchedEmail: 'ann@example.com', typedEmail: undefined }
    const paid = await pay(await open({ ...vouched, userRef: uid }))
    expect(paid).toMatchObject({ uid, user_ref: uid })
  })
})
