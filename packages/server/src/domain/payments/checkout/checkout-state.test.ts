import { describe, expect, it } from 'vitest'
import { updateRows } from '../../../db/queries/rows.ts'
import { MONTHLY, ONCE } from '../../../testing/payments/shop.ts'
import { useDomainCheckouts } from '../../../testing/payments/use-domain-checkouts.ts'
import { findShownEnd, readCheckoutState } from './checkout-state.ts'
import { type CheckoutRow, createCardChangeCheckout, getCheckout } from './checkouts.ts'

const { shop, env, db, open, complete, pay } = useDomainCheckouts()
const MONTH = { ...ONCE, period: '1 month' as const }
const SUBSCRIPTION = { ...ONCE, ...MONTHLY }
const FAR = 9_999_999_999

const stateOf = (checkout: CheckoutRow, now = env().clock()) =>
  readCheckoutState(db().read, checkout, now)
const endOf = async () => (await shop.client.searchAccess()).data[0]?.expires as number

describe('the state of a checkout', () => {
  it('says that something was paid only if money was taken', async () => {
    const checkout = await open()
    expect(await stateOf(checkout)).toEqual({ kind: 'open', isPaid: false })
    expect(await stateOf({ ...checkout, status: 'expired' })).toEqual({
      ...{ kind: 'expired', isPaid: false },
    })
    expect(await stateOf(await pay(checkout))).toEqual({ kind: 'granted', isPaid: true })
    const trial = await open({ terms: { ...SUBSCRIPTION, trial_days: 7 } })
    const begun = await complete(trial, { method: 'card' })
    expect(await stateOf(begun)).toEqual({ kind: 'granted', isPaid: false })
    const id = begun.subscription_id as string
    const card = await createCardChangeCheckout(env(), { aid: shop.aid, id, linkNumber: 0 }, FAR)
    const changed = await complete(card, { method: 'card_2' })
    expect(await stateOf(changed)).toEqual({ kind: 'card_saved', isPaid: false })
  })

  it('is granted until the last second of what was bought', async () => {
    const checkout = await pay(await open({ terms: MONTH }))
    const ends = await endOf()
    expect(await stateOf(checkout, ends - 1)).toEqual({ kind: 'granted', isPaid: true })
    expect(await stateOf(checkout, ends)).toEqual({ kind: 'ended', isPaid: true })
  })

  it('is why the payment opened nothing, also if only the payment says so, as in older versions', async () => {
    const checkout = await pay(await open(), { amount: 498, currency: 'EUR' })
    await db().write((trx) =>
      updateRows(trx, 'checkouts', { aid: shop.aid, id: checkout.id }, { refusal: null }),
    )
    const old = await getCheckout(db().read, checkout)
    expect(await stateOf(old)).toEqual({ kind: 'mismatch', isPaid: true })
  })
})

describe('the end of what was bought', () => {
  it('is shown to the reader whom a link names by a reference or by an address', async () => {
    const named = await pay(await open({ terms: MONTH, userRef: 'ann' }))
    const shown = await findShownEnd(db().read, named)
    expect(shown).toBe(await endOf())
    await shop.client.revokeAccess({ rid: 'pass', user_ref: 'ann' })
    const vouched = { vouchedEmail: 'bea@example.com', typedEmail: undefined }
    const addressed = await pay(await open({ terms: MONTH, ...vouched }))
    expect(await findShownEnd(db().read, addressed)).toBe(shown)
  })

  it('is not shown to someone who typed an address: it would tell what the owner had before', async () => {
    const typed = await pay(await open({ terms: MONTH }))
    expect(await findShownEnd(db().read, typed)).toBeUndefined()
    const subscription = await pay(await open({ terms: SUBSCRIPTION, typedEmail: 'b@example.com' }))
    expect(await findShownEnd(db().read, subscription)).toBeGreaterThan(env().clock())
  })
})
