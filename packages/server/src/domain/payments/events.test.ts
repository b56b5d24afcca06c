import { beforeEach, describe, expect, it } from 'vitest'
import { getInstallationId } from '../../db/installation.ts'
import { deleteRows, listRows, updateRows } from '../../db/queries/rows.ts'
import { newOrderedId } from '../../ids.ts'
import { databases } from '../../testing/databases.ts'
import { useBooks } from '../../testing/stripe/books.ts'
import { payWithoutWebhook, RENEWING_TERMS } from '../../testing/stripe/stripe-shop.ts'
import { type CheckoutRow, findCheckoutById } from './checkout/checkouts.ts'
import { clocksOf } from './context.ts'
import { applyEvent } from './events.ts'
import { sendOrderNow } from './orders/orders.ts'
import type { PaymentRow, RefundRow } from './payments.ts'
import type { EventOwner, EventSubject } from './provider.ts'
import { listOpenFindings } from './reconcile/findings.ts'
import { requestRefund } from './refunds/orders.ts'
import { findRefund } from './refunds/refunds.ts'
import { METADATA_KEYS } from './stripe/metadata.ts'

const DAY = 86_400

/** The same queries run on both databases: what differs between them is tested with the front doors. */
const [database] = databases

describe('an event', () => {
  const { fake, service, app, env, work, subscribe, buy, hasAccess, paymentOf } = useBooks(database)
  let owner: EventOwner
  let readers = 0
  beforeEach(async () => {
    owner = { installation: await getInstallationId(env().database), aid: app.aid }
    await env().database.write((trx) => trx.deleteFrom('reconciliation_findings').execute())
  })

  const read = () => env().database.read
  const found = async () => await listOpenFindings(read())
  const apply = (subject: EventSubject) => applyEvent(env(), subject)
  const newReader = () => `reader-${readers++}`
  const foreign = () => ({ ...owner, installation: 'another' })

  /** Pays on a page of which we have not heard yet. */
  async function payUnheard(trial_days?: number) {
    const userRef = newReader()
    const terms = trial_days === undefined ? {} : { ...RENEWING_TERMS, trial_days }
    const rid = trial_days === undefined ? 'article' : 'pass'
    const checkout = await payWithoutWebhook(env(), app.aid, fake, { rid, userRef, terms })
    const session = [...fake.ledger.sessions.values()].at(-1)
    const page = {
      ...{ ref: session?.id as string, owner, created: 1_000 },
      paymentRef: session?.payment_intent ?? undefined,
    }
    return { userRef, checkout, page }
  }
  /** A restore has lost the checkout. */
  const lose = ({ aid, id }: CheckoutRow) =>
    env().database.write((trx) => deleteRows(trx, 'checkouts', { aid, id }))

  /** A charge that names this installation, and says no more than this. */
  const charge = (metadata: Record<string, string>, more = {}) =>
    fake.ledger.addIntent({
      ...{ amount: 499, currency: 'eur', status: 'succeeded' as const },
      metadata: {
        [METADATA_KEYS.installation]: owner.installation as string,
        [METADATA_KEYS.payment]: newOrderedId(),
        ...metadata,
      },
      ...more,
    }).id

  describe('of a checkout that is not known here', () => {
    it('completes what was paid, once the page is complete', async () => {
      const { userRef, checkout, page } = await payUnheard()
      await lose(checkout)
      const subject = { kind: 'checkout', checkoutId: checkout.id, page } as const
      await apply(subject)
      await apply({ ...subject, isComplete: false })
      await apply({ kind: 'checkout', checkoutId: checkout.id, isComplete: true })
      await apply({ ...subject, isComplete: true, page: { ...page, owner: foreign() } })
      expect(await hasAccess(userRef)).toBe(false)
      await apply({ ...subject, isComplete: true })
      expect(await hasAccess(userRef)).toBe(true)
      expect(await found()).toEqual([])
    })

    it('is reported to staff if nothing was charged, for it says not for whom it was', async () => {
      const { checkout, page } = await payUnheard(7)
      await lose(checkout)
      const subject = { kind: 'checkout', checkoutId: checkout.id, page } as const
      const other = { ...page, owner: foreign() }
      const unknown = { ...page, owner: { installation: undefined, aid: app.aid } }
      await apply({ ...subject, isComplete: false })
      for (const one of [other, unknown]) await apply({ ...subject, isComplete: true, page: one })
      expect(await found()).toEqual([])
      await apply({ ...subject, isComplete: true })
      expect(await found()).toMatchObject([
        { kind: 'checkout_unknown', provider_ref: page.ref, aid: app.aid, at: 1_000 },
      ])
      expect((await found())[0]?.message).toContain(checkout.id)
    })

    it('is reported without an application if it names none', async () => {
      const { checkout, page } = await payUnheard(7)
      await lose(checkout)
      const { installation } = owner
      const named = { ...page, owner: { installation, aid: undefined } }
      await apply({ kind: 'checkout', checkoutId: checkout.id, isComplete: true, page: named })
      expect(await found()).toMatchObject([{ kind: 'checkout_unknown', aid: null }])
    })
  })

  describe('of a charge without a record here', () => {
    const tell = (ref: string, from = owner) => apply({ kind: 'payment', ref, owner: from })

    it('is reported to staff if nothing says what it was for', async () => {
      const ref = charge({ [METADATA_KEYS.aid]: app.aid })
      await tell(ref)
      expect(await found()).toMatchObject([{ kind: 'charge_unknown', provider_ref: ref }])
    })

    it('is ignored if it failed, is unknown, or belongs to another installation', async () => {
      await tell(charge({}, { status: 'requires_payment_method' }))
      await tell('pi_unknown')
      await tell(charge({}), foreign())
      await tell(charge({ [METADATA_KEYS.installation]: 'another' }))
      expect(await found()).toEqual([])
    })

    it('is left to the event of its checkout, if that is known here', async () => {
      const { userRef, checkout, page } = await payUnheard()
      await tell(page.paymentRef as string)
      expect((await findCheckoutById(read(), checkout.id))?.status).toBe('open')
      await lose(checkout)
      await tell(page.paymentRef as string)
      expect(await hasAccess(userRef)).toBe(true)
      expect(await found()).toEqual([])
    })
  })

  describe('of a payment', () => {
    it('finds the payment by our id or by the provider’s', async () => {
      for (const by of ['id', 'ref'] as const) {
        const { payment_id: paymentId } = await buy(newReader())
        const ref = (await paymentOf(paymentId)).provider_ref as string
        fake.openDispute(ref)
        await apply({ kind: 'payment', owner, ...(by === 'id' ? { paymentId } : { ref }) })
        expect((await paymentOf(paymentId)).status).toBe('disputed')
      }
    })

    it('changes nothing at a payment of another provider, nor without a name', async () => {
      const { payment_id: paymentId, aid } = await buy(newReader())
      const { provider_ref: ref } = await paymentOf(paymentId)
      fake.openDispute(ref as string)
      const key = { aid, id: paymentId }
      const be = (provider: string) =>
        env().database.write((trx) => updateRows(trx, 'payments', key, { provider }))
      await be('other')
      await apply({ kind: 'payment', paymentId, owner })
      await apply({ kind: 'payment', owner })
      expect((await paymentOf(paymentId)).status).toBe('succeeded')
      await be('stripe')
    })
  })

  it('of a renewal whose answer was lost finds the charge by our id and its card', async () => {
    const { subscription_id } = await subscribe(newReader())
    service.clock.advance(40 * DAY)
    fake.fault = ({ route }) => (route === 'POST /v1/payment_intents' ? 'reset_after' : undefined)
    await work()
    fake.fault = () => undefined
    const key = { aid: app.aid, subscription_id, status: 'pending' } as const
    const [waiting] = await listRows(read(), 'payments', key)
    expect(waiting).toMatchObject({ provider_ref: null })
    const { id: paymentId } = waiting as PaymentRow
    await apply({ kind: 'payment', paymentId, owner })
    expect(await paymentOf(paymentId)).toMatchObject({ status: 'succeeded' })
  })

  describe('of a refund', () => {
    const REFUNDED = { status: 'refunded', refunded: 499 }
    const NOT_REFUNDED = { status: 'succeeded', refunded: 0 }

    /** Orders a refund, which the provider answers unless this route fails. */
    async function refund(fails?: string) {
      const { payment_id: paymentId } = await buy(newReader())
      const input = { aid: app.aid, paymentId, actor: 'test' }
      const order = await env().database.write((trx) => requestRefund(trx, input, clocksOf(env())))
      fake.fault = ({ route }) => (route === fails ? 'reset_after' : undefined)
      await sendOrderNow(env(), 'refunds', order)
      fake.fault = () => undefined
      const { provider_ref } = (await findRefund(read(), app.aid, order.id)) as RefundRow
      return { paymentId, refundId: order.id, ref: provider_ref }
    }

    it('finds the refund by our id: its answer was lost', async () => {
      const { paymentId, refundId, ref } = await refund('POST /v1/refunds')
      expect([await paymentOf(paymentId), ref]).toMatchObject([NOT_REFUNDED, null])
      await apply({ kind: 'refund', refundId, owner })
      expect(await paymentOf(paymentId)).toMatchObject(REFUNDED)
    })

    it('finds the refund by our id: a bank has returned the money', async () => {
      const { paymentId, refundId, ref } = await refund()
      expect(await paymentOf(paymentId)).toMatchObject(REFUNDED)
      fake.settleRefund(ref as string, 'failed')
      await apply({ kind: 'refund', refundId, owner })
      expect(await paymentOf(paymentId)).toMatchObject(NOT_REFUNDED)
    })

    it('changes nothing while the provider does not know the refund', async () => {
      const { paymentId, refundId, ref } = await refund()
      fake.ledger.refunds.delete(ref as string)
      await apply({ kind: 'refund', refundId, owner })
      expect(await paymentOf(paymentId)).toMatchObject(REFUNDED)
    })

    it('changes nothing at a payment of another provider, and asks for nothing', async () => {
      const { paymentId, refundId, ref } = await refund('POST /v1/refunds')
      const key = { aid: app.aid, id: paymentId }
      const be = (provider: string) =>
        env().database.write((trx) => updateRows(trx, 'payments', key, { provider }))
      await be('other')
      fake.calls.length = 0
      await apply({ kind: 'refund', refundId, owner })
      expect([fake.calls, ref]).toEqual([[], null])
      expect(await paymentOf(paymentId)).toMatchObject(NOT_REFUNDED)
      await be('stripe')
    })

    it('without a record here was made by hand, and counts', async () => {
      const { payment_id: paymentId } = await buy(newReader())
      const paymentRef = (await paymentOf(paymentId)).provider_ref as string
      const ref = fake.refundByHand(paymentRef)
      const subject = { kind: 'refund', ref, paymentRef, owner } as const
      fake.calls.length = 0
      await apply({ kind: 'refund', paymentRef, owner })
      await apply({ kind: 'refund', ref, owner })
      await apply({ ...subject, paymentRef: 'pi_unknown' })
      expect(fake.calls).toEqual([])
      await apply({ ...subject, ref: 're_unknown' })
      expect(await paymentOf(paymentId)).toMatchObject(NOT_REFUNDED)
      await apply({ ...subject, refundId: newOrderedId() })
      expect(await paymentOf(paymentId)).toMatchObject(REFUNDED)
      expect(await found()).toEqual([])
    })
  })
})
