import { describe, expect, it } from 'vitest'
import { updateRows } from '../../../db/queries/rows.ts'
import { databases } from '../../../testing/databases.ts'
import { useBooks } from '../../../testing/stripe/books.ts'
import type { LedgerCharge } from '../provider.ts'
import { rebuildCheckout } from './checkouts.ts'

describe.each(databases)('a charge that is compared on $name', (database) => {
  const { fake, env, buy, paymentOf, intentOf, compare } = useBooks(database)

  it('is recorded if its payment counts as failed', async () => {
    const { aid, payment_id: id } = await buy('ann')
    const failed = { status: 'failed' as const, settled: null }
    await env().database.write((trx) => updateRows(trx, 'payments', { aid, id }, failed))
    expect((await compare()).repaired).toMatchObject([{ kind: 'charge_recorded', paymentId: id }])
    expect(await paymentOf(id)).toMatchObject({ status: 'succeeded', amount: 499 })
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
