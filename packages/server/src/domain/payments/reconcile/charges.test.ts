import { afterEach, describe, expect, it } from 'vitest'
import { insertRows, type RowKey, updateRows } from '../../../db/queries/rows.ts'
import { databases } from '../../../testing/databases.ts'
import { useBooks } from '../../../testing/stripe/books.ts'
import type { FakeIntent } from '../../../testing/stripe/objects.ts'
import { payWithoutWebhook } from '../../../testing/stripe/stripe-shop.ts'
import { DAY } from '../../../testing/time.ts'
import type { PaymentRow } from '../payments.ts'
import type { LedgerCharge } from '../provider.ts'
import { findPaymentOfCharge } from './charges.ts'
import { rebuildCheckout } from './checkouts.ts'
import { type ComparisonContext, loadComparisonContext } from './comparison.ts'
import { compareUnlisted, listTakenPayments } from './payments.ts'

const MISSING = { code: 'resource_missing', message: 'No such payment_intent' }

describe.each(databases)('a charge that is compared on $name', (database) => {
  const { fake, app, env, buy, hasAccess, paymentOf, intentOf, compare } = useBooks(database)

  afterEach(() => {
    fake.fault = () => undefined
  })

  const change = ({ aid, id }: RowKey, values: Partial<PaymentRow>) =>
    env().database.write((trx) => updateRows(trx, 'payments', { aid, id }, values))
  const failed = { status: 'failed', settled: null } as const

  it('belongs to the payment that records it, or else to the one that it names', async () => {
    const { aid, payment_id: paymentId } = await buy('dan')
    const find = async (ref: string, labels: LedgerCharge['labels']) =>
      (await findPaymentOfCharge(env().database.read, 'stripe', { ref, labels } as LedgerCharge))
        ?.id
    expect(await find(await intentOf(paymentId), { aid, paymentId: 'lost' })).toBe(paymentId)
    expect(await find('pi_other', { aid, paymentId })).toBe(paymentId)
    expect(await find('pi_other', { paymentId })).toBe(paymentId)
    for (const labels of [{}, { aid }, { paymentId: 'lost' }, { aid: 'AAAAAAAAAA', paymentId }]) {
      expect(await find('pi_other', labels), JSON.stringify(labels)).toBeUndefined()
    }
  })

  it('is recorded if its payment counts as failed', async () => {
    const { aid, payment_id: id } = await buy('ann')
    await change({ aid, id }, failed)
    expect((await compare()).repaired).toMatchObject([{ kind: 'charge_recorded', paymentId: id }])
    expect(await paymentOf(id)).toMatchObject({ status: 'succeeded', amount: 499 })
  })

  it.each([
    ['no longer knows it', { error: { type: 'invalid_request_error', ...MISSING } }, 404],
    ['is not done with it', { status: 'processing' }, 200],
  ])('is left for later if the provider, asked again, %s', async (_, answer, status) => {
    const { aid, payment_id: id } = await buy('abe')
    await change({ aid, id }, failed)
    const rewrite = (intent: object) => ({ ...intent, ...answer })
    fake.fault = ({ route }) =>
      route === 'GET /v1/payment_intents/:id' ? { rewrite, status } : undefined
    expect(await compare()).toMatchObject({ repaired: [], open: [] })
    fake.fault = () => undefined
    expect((await compare()).repaired).toMatchObject([{ kind: 'charge_recorded', paymentId: id }])
  })

  it('changes nothing about a payment that is flagged because of its amount', async () => {
    const { aid, payment_id: id } = await buy('amy')
    const { settled } = await paymentOf(id)
    await change({ aid, id }, { status: 'failed', flag: 'mismatch' })
    expect(await compare()).toMatchObject({ repaired: [], open: [] })
    expect(await paymentOf(id)).toMatchObject({ status: 'failed', flag: 'mismatch', settled })
    await change({ aid, id }, { status: 'succeeded', flag: null })
  })

  it('completes its checkout if no event has done so', async () => {
    const eve = { rid: 'article', userRef: 'eve' }
    const { aid, payment_id: paymentId } = await payWithoutWebhook(env(), app.aid, fake, eve)
    const { repaired } = await compare()
    expect(repaired).toMatchObject([{ kind: 'checkout_completed', paymentId, aid, amount: 499 }])
    expect(await hasAccess('eve')).toBe(true)
  })

  it('is a matter for staff while its checkout counts as open', async () => {
    const fay = { rid: 'article', userRef: 'fay' }
    const { aid } = await payWithoutWebhook(env(), app.aid, fake, fay)
    const rewrite = (session: object) => ({ ...session, status: 'open', url: `${fake.url}/pay` })
    fake.fault = ({ route }) =>
      route === 'GET /v1/checkout/sessions/:id' ? { rewrite } : undefined
    const { open } = await compare()
    expect(open).toMatchObject([{ kind: 'charge_unknown', aid, amount: 499, currency: 'EUR' }])
    expect(open[0]?.message).toContain('which is open here')
    fake.fault = () => undefined
    expect(await compare()).toMatchObject({ repaired: [{ kind: 'checkout_completed' }], open: [] })
  })

  it('is a matter for staff if only its currency differs', async () => {
    const { payment_id } = await buy('bob')
    const intent = fake.ledger.intents.get(await intentOf(payment_id))
    Object.assign(intent as object, { currency: 'usd' })
    const { open } = await compare()
    expect(open).toMatchObject([{ kind: 'amount_differs', paymentId: payment_id }])
    expect(open[0]?.message).toMatch(/4\.99 EUR.* 4\.99 USD/)
    Object.assign(intent as object, { currency: 'eur' })
    expect(await compare()).toMatchObject({ repaired: [], open: [] })
  })
})

describe.each(databases)('payments that the provider should have on $name', (database) => {
  const { fake, service, app, env, buy, paymentOf, intentOf, compare } = useBooks(database)

  const comparison = async () => (await loadComparisonContext(env())) as ComparisonContext
  async function listed(since: number): Promise<string[]> {
    const ids: string[] = []
    for await (const { id } of listTakenPayments(await comparison(), since)) ids.push(id)
    return ids.sort()
  }

  it('are asked for one by one only if they are not among the listed charges', async () => {
    await buy('bob')
    fake.calls.length = 0
    expect(await compare()).toMatchObject({ repaired: [], open: [] })
    expect(fake.calls.map(({ route }) => route)).not.toContain('GET /v1/payment_intents/:id')
  })

  it('are a matter for staff if their charge is not paid', async () => {
    const { aid, payment_id: paymentId } = await buy('cat')
    const providerRef = await intentOf(paymentId)
    const intent = fake.ledger.intents.get(providerRef) as FakeIntent
    intent.status = 'canceled'
    const message = `the payment ${paymentId} counts as paid, but the charge ${providerRef} is failed`
    const about = { paymentId, providerRef, aid, amount: 499, currency: 'EUR' }
    expect((await compare()).open).toEqual([{ kind: 'charge_missing', message, ...about }])
    intent.status = 'succeeded'
    expect(await compare()).toMatchObject({ repaired: [], open: [] })
  })

  it('are a matter for staff if they name no charge', async () => {
    const payment = await paymentOf((await buy('dan')).payment_id)
    const outcome = await compareUnlisted(await comparison(), { ...payment, provider_ref: null }, 7)
    expect(outcome?.finding).toEqual({
      ...{ kind: 'charge_missing', at: 7 },
      message: `the payment ${payment.id} counts as paid, but the provider knows no charge`,
      ...{ paymentId: payment.id, aid: app.aid, amount: 499, currency: 'EUR' },
    })
  })

  it('are asked for while they are in dispute here, and stay so without an answer', async () => {
    const { aid, payment_id: paymentId } = await buy('dora')
    const providerRef = await intentOf(paymentId)
    fake.openDispute(providerRef)
    const about = { paymentId, providerRef, aid, amount: 499, currency: 'EUR' }
    expect((await compare()).repaired).toMatchObject([{ kind: 'dispute_recorded', ...about }])
    const intent = fake.ledger.intents.get(providerRef) as FakeIntent
    fake.ledger.intents.delete(providerRef)
    const { repaired, open } = await compare()
    expect([repaired, open]).toMatchObject([[], [{ kind: 'charge_missing', ...about }]])
    fake.ledger.intents.set(providerRef, intent)
    expect(await paymentOf(paymentId)).toMatchObject({ status: 'disputed' })
  })

  it('are listed since a time on the clock of the sandbox, which may be ahead', async () => {
    await buy('eve')
    await app.client.advanceClock({ seconds: 40 * DAY })
    const { payment_id } = await buy('fay')
    expect(await listed(service.clock.seconds)).toEqual([payment_id])
  })

  it('are listed once each, however many there are', async () => {
    const row = await paymentOf((await buy('ann')).payment_id)
    const copies = Array.from({ length: 501 }, (_, at) => ({
      ...row,
      id: `${row.id}-${at}`,
      ...{ checkout_id: null, provider_ref: null },
    }))
    await env().database.write((trx) => insertRows(trx, 'payments', copies))
    const ids = (await listed(0)).filter((id) => id.startsWith(row.id))
    expect(ids).toEqual([row, ...copies].map(({ id }) => id).sort())
  })
})

describe('a checkout that is rebuilt from its charge', () => {
  const terms = { recurring: 0, period: null, trial_days: 0, isVouched: false } as const
  const labels = {
    aid: 'AAAAAAAAAA',
    rid: 'news',
    checkoutId: 'AAAAAAAAAA-12345678901234567890',
    paymentId: 'payment1',
    terms,
    userRef: 'ann',
  }
  const page = { ref: 'cs_1', email: 'ann@example.com' }
  const rebuilt = (changes: Partial<LedgerCharge['labels']>, email: string | undefined) => {
    const money = { amount: 499, currency: 'EUR' }
    const charge = {
      ref: 'pi_1',
      status: 'succeeded',
      money,
      created: 1,
      method: undefined,
    } as const
    const clocks = { now: 7, realTime: 9_000 }
    return rebuildCheckout(
      'stripe',
      { ...charge, labels: { ...labels, ...changes } },
      { ...page, email },
      clocks,
    )
  }

  it('has everything that the charge says, and is looked at immediately', () => {
    expect(rebuilt({}, page.email)).toMatchObject({
      ...{ aid: labels.aid, rid: 'news', id: labels.checkoutId, payment_id: 'payment1' },
      ...{ amount: 499, currency: 'EUR', recurring: 0, provider: 'stripe', provider_ref: 'cs_1' },
      ...{ user_ref: 'ann', typed_email: 'ann@example.com', vouched_email: null, due: 9_000 },
    })
  })

  it('has an address that the application vouched for as such', () => {
    const vouched = { terms: { ...terms, isVouched: true } }
    expect(rebuilt(vouched, page.email)).toMatchObject({
      vouched_email: 'ann@example.com',
      typed_email: null,
    })
    expect(rebuilt(vouched, undefined)).toMatchObject({ vouched_email: null, typed_email: null })
  })

  it('needs a reference or an address, and one is enough', () => {
    expect(rebuilt({}, undefined)).toMatchObject({ user_ref: 'ann', typed_email: null })
    expect(rebuilt({ userRef: undefined }, page.email)).toMatchObject({ user_ref: null })
    expect(rebuilt({ userRef: undefined }, undefined)).toBeUndefined()
  })

  it.each(['aid', 'rid', 'checkoutId', 'paymentId', 'terms'] as const)(
    'is left to staff if the charge lacks the label for %s',
    (label) => {
      expect(rebuilt({ [label]: undefined }, page.email)).toBeUndefined()
    },
  )

  it('is left to staff if its id names another application', () => {
    expect(rebuilt({ aid: 'BBBBBBBBBB' }, page.email)).toBeUndefined()
    expect(rebuilt({ checkoutId: 'from-an-older-version' }, page.email)).toMatchObject({
      aid: labels.aid,
    })
  })
})
