import { NotFoundError } from '@gatehouse/sdk'
import { describe, expect, it, vi } from 'vitest'
import type { Environment } from '../../context.ts'
import { afterQuery } from '../../testing/after-query.ts'
import { databases } from '../../testing/databases.ts'
import { MOMENTS, readersOf, useTwoServices } from '../../testing/payments/two-services.ts'
import {
  payWithoutWebhook,
  RENEWAL_PERIOD_S,
  RENEWING_TERMS,
} from '../../testing/stripe/stripe-shop.ts'
import { refreshCheckout } from './checkout/poll-checkouts.ts'
import { clocksOf } from './context.ts'
import { applyEvent } from './events.ts'
import { claimNextOrder, sendClaimedOrder } from './orders/orders.ts'
import { runDuePayments } from './orders/payment-loop.ts'
import { findPayment, listRefunds } from './payments.ts'
import type { EventSubject } from './provider.ts'
import { revokeWithRefund } from './refunds/revoke.ts'

/** For what happens at the same time; what happens at a moment set by hand comes out the same each time. */
const ROUNDS = 3

describe.each(databases)('two services on one $name database', (database) => {
  const both = useTwoServices(database)
  const { fake, app, envs, env, clients, newReader, advance, work } = both
  const readers = readersOf(both)
  const { buy, paymentsOf, subscriptionOf, chargesOf, paidBackOf, periodsOf } = readers
  const { meanwhile, fallDue } = readers

  const read = () => env().database.read

  it('share the renewals and refunds that are due, and do none twice', async () => {
    const readers = Array.from({ length: 10 }, newReader)
    for (const reader of readers) {
      await buy(reader, 'pass')
      await buy(reader, 'article')
    }
    advance(RENEWAL_PERIOD_S)
    fake.fault = () => 'reset_before'
    for (const user_ref of readers) {
      await app.client.revokeAccess({ rid: 'article', user_ref, refund: true })
    }
    fake.fault = () => undefined
    advance(60)
    fake.calls.length = 0
    await work()
    const orders = fake.calls.filter(({ route }) => route.startsWith('POST'))
    expect(orders).toHaveLength(20)
    for (const reader of readers) {
      const payments = await paymentsOf(reader)
      expect(payments.map(({ status }) => status).sort()).toEqual([
        'refunded',
        'succeeded',
        'succeeded',
      ])
      expect(payments.map(({ id }) => chargesOf(id))).toEqual([1, 1, 1])
    }
    expect(fake.ledger.refunds.size).toBe(10)
    for (const user_ref of readers) await app.client.revokeAccess({ rid: 'pass', user_ref })
  })

  describe.each(MOMENTS)('while one of them charges a renewal, %s,', (moment) => {
    const rounds = moment === 'at the same time' ? ROUNDS : 1

    it('keep nothing of it when the other revokes with a refund', async () => {
      for (let round = 0; round < rounds; round++) {
        const user_ref = await fallDue()
        const revoke = () =>
          Promise.all([clients()[1]?.revokeAccess({ rid: 'pass', user_ref, refund: true }), work()])
        await meanwhile(moment, revoke)
        await work()
        expect((await subscriptionOf(user_ref))?.status).toBe('ended')
        expect(await app.client.hasAccess({ rid: 'pass', user_ref })).toBe(false)
        const { first, renewal } = await periodsOf(user_ref)
        expect(await paidBackOf(first?.id)).toEqual([])
        expect(renewal?.status).toBe('refunded')
        expect(chargesOf(renewal?.id)).toBe(1)
        expect(await paidBackOf(renewal?.id)).toEqual([['succeeded', 1]])
      }
    })

    it('let access go as far as what was paid when the other cancels', async () => {
      for (let round = 0; round < rounds; round++) {
        const user_ref = await fallDue()
        const ends = env().clock() + RENEWAL_PERIOD_S
        await meanwhile(moment, async () => {
          await clients()[1]?.cancelSubscription({ rid: 'pass', user_ref })
        })
        await work()
        const { renewal } = await periodsOf(user_ref)
        expect([renewal?.status, chargesOf(renewal?.id)]).toEqual(['succeeded', 1])
        expect((await subscriptionOf(user_ref))?.status).toBe('canceled')
        const access = { rid: 'pass', user_ref }
        expect((await app.client.getAccess(access)).expires).toBe(ends)
        advance(RENEWAL_PERIOD_S)
        await work()
        expect((await subscriptionOf(user_ref))?.status).toBe('ended')
        expect(await app.client.hasAccess(access)).toBe(false)
        expect((await paymentsOf(user_ref)).length).toBe(2)
      }
    })
  })

  it('cancel before a renewal, or after it, and never in between', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const user_ref = await fallDue()
      const ends = env().clock() + RENEWAL_PERIOD_S
      const [client = app.client] = clients().slice(round % 2)
      await Promise.all([work(), client.cancelSubscription({ rid: 'pass', user_ref })])
      await work()
      const { renewal } = await periodsOf(user_ref)
      const access = await app.client.findAccess({ rid: 'pass', user_ref })
      expect(renewal?.status).toBe(renewal && 'succeeded')
      expect(chargesOf(renewal?.id)).toBe(renewal ? 1 : 0)
      expect((await subscriptionOf(user_ref))?.status).toBe(renewal ? 'canceled' : 'ended')
      expect(access?.expires).toBe(renewal && ends)
      if (renewal) await app.client.revokeAccess({ rid: 'pass', user_ref })
    }
  })

  it('complete a checkout once, whoever hears of it', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const userRef = newReader()
      const input = { rid: 'pass', userRef, terms: RENEWING_TERMS }
      const checkout = await payWithoutWebhook(env(), app.aid, fake, input)
      const settled = await Promise.all(
        [...envs, ...envs].map((one) => refreshCheckout(one, checkout)),
      )
      expect(settled.map(({ status }) => status)).toEqual(['paid', 'paid', 'paid', 'paid'])
      const [payment, ...others] = await paymentsOf(userRef)
      expect(others).toEqual([])
      expect(payment).toMatchObject({ id: checkout.payment_id, status: 'succeeded' })
      const { total } = await app.client.searchSubscriptions({ user_ref: userRef })
      expect(total).toBe(1)
      const receipts = await read()
        .selectFrom('outbox')
        .select('key')
        .where('key', '=', `receipt:${checkout.payment_id}`)
        .execute()
      expect(receipts).toHaveLength(1)
      await app.client.revokeAccess({ rid: 'pass', user_ref: userRef })
    }
  })

  it('count once what they hear from several sides', async () => {
    const reader = await fallDue()
    const { payment_id } = await buy(reader, 'article')
    fake.fault = () => 'reset_after'
    await app.client.refundPayment({ payment: payment_id })
    await runDuePayments(env())
    fake.fault = () => undefined
    advance(60)
    const { renewal } = await periodsOf(reader)
    const [refund] = await listRefunds(read(), app.aid, [payment_id])
    expect([renewal?.status, refund?.status]).toEqual(['pending', 'pending'])
    const subjects: EventSubject[] = [
      { kind: 'payment', paymentId: renewal?.id as string },
      { kind: 'refund', refundId: refund?.id as string },
    ]
    const heard = [...envs, ...envs].flatMap((one) =>
      subjects.map((about) => applyEvent(one, about)),
    )
    await Promise.all([work(), ...heard])
    expect(await findPayment(read(), app.aid, payment_id)).toMatchObject({
      status: 'refunded',
      refunded: 499,
    })
    expect((await periodsOf(reader)).renewal?.status).toBe('succeeded')
    const keys = [`receipt:${renewal?.id}`, `refunded:${refund?.id}`]
    const mails = await read().selectFrom('outbox').select('key').where('key', 'in', keys).execute()
    expect(mails).toHaveLength(2)
    const actions = await read()
      .selectFrom('history')
      .select('action')
      .where('uid', '=', renewal?.uid as string)
      .where('action', 'in', ['renewed', 'refund succeeded', 'purchase ended'])
      .execute()
    expect(actions.map(({ action }) => action).sort()).toEqual([
      'purchase ended',
      'refund succeeded',
      'renewed',
    ])
    await app.client.revokeAccess({ rid: 'pass', user_ref: reader })
  })

  it('make one refund of two that have one reference', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { payment_id: payment } = await buy(newReader(), 'article')
      const input = { payment, amount: '2.00', reference: 'goodwill' }
      const made = await Promise.all(
        [...clients(), ...clients()].map((one) => one.refundPayment(input)),
      )
      expect(new Set(made.map(({ id }) => id)).size).toBe(1)
      await work()
      expect(await paidBackOf(payment)).toEqual([['succeeded', 1]])
      expect(await findPayment(read(), app.aid, payment)).toMatchObject({
        status: 'partially_refunded',
        refunded: 200,
      })
    }
  })

  it('never pay back more than was paid, however many ask at once', async () => {
    const { payment_id: payment } = await buy(newReader(), 'article')
    const asked = Array.from({ length: 8 }, (_, n) =>
      clients()[n % 2]?.refundPayment({ payment, amount: '2.00', reference: `part-${n}` }),
    )
    const made = (await Promise.allSettled(asked)).filter(({ status }) => status === 'fulfilled')
    expect(made).toHaveLength(2)
    await work()
    expect(fake.ledger.refunds.size).toBeGreaterThan(0)
    expect(await paidBackOf(payment)).toEqual([
      ['succeeded', 1],
      ['succeeded', 1],
    ])
  })

  it('answer one of ten revokes, and pay back once', async () => {
    const user_ref = newReader()
    const { payment_id: payment } = await buy(user_ref, 'article')
    const asked = Array.from({ length: 10 }, (_, n) =>
      clients()[n % 2]?.revokeAccess({ rid: 'article', user_ref, refund: true }),
    )
    const answers = await Promise.allSettled(asked)
    const revoked = answers.filter(({ status }) => status === 'fulfilled')
    expect(revoked).toHaveLength(1)
    for (const answer of answers) {
      if (answer.status === 'rejected') requireNotFound(answer.reason)
    }
    await work()
    expect(await paidBackOf(payment)).toEqual([['succeeded', 1]])
    expect(await app.client.hasAccess({ rid: 'article', user_ref })).toBe(false)
  })

  it('revoke access whose payment is refunded meanwhile, and pay back once', async () => {
    const user_ref = newReader()
    const { payment_id: payment } = await buy(user_ref, 'article')
    const { uid } = await app.client.getAccess({ rid: 'article', user_ref })
    let refunding: Promise<unknown> | undefined
    const revoked = await env().database.write((trx) => {
      // By then, the revoke has read what is left to refund. On SQLite, the other refund waits for all of it.
      afterQuery(trx, 4, async () => {
        refunding ??= Promise.allSettled([clients()[1]?.refundPayment({ payment })])
        if (database.engine === 'sqlite') return
        await vi.waitFor(async () =>
          expect(await listRefunds(read(), app.aid, [payment])).toHaveLength(1),
        )
      })
      const who = { aid: app.aid, rid: 'article', uid, actor: 'test', refund: true }
      return revokeWithRefund(trx, who, clocksOf(env()))
    })
    expect(revoked?.refunds).toHaveLength(database.engine === 'sqlite' ? 1 : 0)
    await refunding
    await work()
    expect(await paidBackOf(payment)).toEqual([['succeeded', 1]])
    expect(await app.client.hasAccess({ rid: 'article', user_ref })).toBe(false)
  })

  it('a refund that the other one has taken up is waited for', async () => {
    const { payment_id: payment } = await buy(newReader(), 'article')
    const [first, second] = envs as [Environment, Environment]
    const { write } = first.database
    const others: Promise<boolean>[] = []
    // The other service is faster: it claims the order as soon as it is stored.
    first.database.write = async (fn, options) => {
      const result = await write(fn, options)
      const order = await claimNextOrder(second, 'refunds')
      if (order) others.push(sendClaimedOrder(second, 'refunds', order))
      return result
    }
    fake.latency = () => 200
    const { status } = await app.client.refundPayment({ payment })
    fake.latency = () => 0
    first.database.write = write
    expect(await Promise.all(others)).toEqual([true])
    expect(status).toBe('succeeded')
  })
})

function requireNotFound(error: unknown): void {
  if (!(error instanceof NotFoundError)) throw error
}
