import { describe, expect, it } from 'vitest'
import { getInstallationId } from '../../../db/installation.ts'
import { MONTHLY, ONCE } from '../../../testing/payments/shop.ts'
import { useDomainCheckouts } from '../../../testing/payments/use-domain-checkouts.ts'
import { advanceClock } from '../../sandbox/clock.ts'
import { type CheckoutRow, createCardChangeCheckout } from './checkouts.ts'
import { checkoutOrderOf } from './orders.ts'

const { service, shop, env, db, open, complete } = useDomainCheckouts()
const SUBSCRIPTION = { ...ONCE, ...MONTHLY }
const TRIAL = { ...SUBSCRIPTION, trial_days: 7 }

const orderOf = (checkout: CheckoutRow) =>
  checkoutOrderOf(env(), checkout, { done: 'http://localhost/done', back: 'http://localhost/back' })

describe('the order of a checkout page', () => {
  it('says all that the provider has to know', async () => {
    const checkout = await open({ userRef: 'ann' })
    expect(await orderOf(checkout)).toEqual({
      ...{ aid: shop.aid, checkoutId: checkout.id, paymentId: checkout.payment_id },
      labels: {
        ...{ installation: await getInstallationId(db()), rid: 'pass', userRef: 'ann' },
        subscriptionId: undefined,
        terms: { recurring: 0, period: null, trial_days: 0, isVouched: false },
      },
      charge: { amount: 499, currency: 'EUR' },
      ...{ currency: 'EUR', keepCard: false, title: 'Resource pass', email: 'ann@example.com' },
      ...{ doneUrl: 'http://localhost/done', backUrl: 'http://localhost/back' },
      created: env().realTime(),
      expires: env().realTime() + 23 * 3_600_000,
    })
  })

  it('keeps the card for what is renewed, and charges nothing for a trial or a new card', async () => {
    expect(await orderOf(await open({ terms: SUBSCRIPTION }))).toMatchObject({
      ...{ keepCard: true, charge: { amount: 499, currency: 'EUR' } },
    })
    const trial = await open({ terms: TRIAL })
    expect(await orderOf(trial)).toMatchObject({ keepCard: true, charge: undefined })
    const { subscription_id } = await complete(trial, { method: 'card' })
    const id = subscription_id as string
    const card = await createCardChangeCheckout(
      env(),
      { aid: shop.aid, id, linkNumber: 0 },
      env().clock() + 60,
    )
    const order = await orderOf(card)
    expect(order).toMatchObject({ keepCard: true, charge: undefined, currency: 'EUR' })
    expect(order.labels.subscriptionId).toBe(id)
    expect(order.expires).toBe(env().realTime() + 60_000)
  })

  it('prefers the address that the application vouches for', async () => {
    const vouched = { vouchedEmail: 'ann@example.com', typedEmail: 'other@example.com' }
    expect(await orderOf(await open(vouched))).toMatchObject({
      ...{ email: 'ann@example.com', labels: { terms: { isVouched: true } } },
    })
  })

  it('is titled with the name of the resource, or else with the one in the link', async () => {
    const resource = { name: 'Winter issue', url: '' }
    expect((await orderOf(await open({ rid: 'winter', resource }))).title).toBe('Winter issue')
    expect((await orderOf(await open({ resource }))).title).toBe('Resource pass')
  })

  it('has real times, however far the clock of the sandbox was moved', async () => {
    await advanceClock(env(), 60)
    expect(await orderOf(await open())).toMatchObject({
      created: env().realTime(),
      expires: env().realTime() + 23 * 3_600_000,
    })
  })

  it('stays the same while time passes', async () => {
    const checkout = await open()
    const order = await orderOf(checkout)
    service.clock.advance(3_600)
    expect(await orderOf(checkout)).toEqual(order)
  })
})
