import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { applyEvent } from '../../domain/payments/events.ts'
import type { CheckoutFinding } from '../../domain/payments/provider.ts'
import { databases } from '../../testing/databases.ts'
import { goToPayment, openSeller, payAt, type Seller } from '../../testing/payments/seller.ts'
import { type CardName, numberOf } from '../../testing/payments/shop.ts'
import { look, wordsOf } from '../../testing/payments/visitor.ts'
import { startTestService, type TestService } from '../../testing/service.ts'

const ADA = { email: 'ada@example.com' }
const RETURN = 'https://magazine.example/thanks'
const OPEN = 'is now open to you'
const MONTHLY = { amount: '4.99', currency: 'EUR', period: '1 month', recurring: true }

describe.each(databases)('what the page after a payment says on $name', (database) => {
  let service: TestService
  let seller: Seller

  beforeAll(async () => {
    service = await startTestService(database)
    seller = await openSeller(service)
    await seller.set({ return_urls: '["https://magazine.example"]' })
    for (const rid of ['article', 'pass']) await seller.addResource(rid)
  })
  afterAll(async () => {
    await service.requireInvariants()
    await service.stop()
  })

  let readers = 0
  const newReader = () => {
    readers += 1
    return `reader-${readers}`
  }

  /** Pays through a new link; returns the page to which the payer comes back. */
  async function pay(input: Partial<Parameters<Seller['link']>[0]> = {}, card: CardName = 'good') {
    const user_ref = newReader()
    const terms = { rid: 'article', amount: '2.90', currency: 'EUR', return_url: RETURN, user_ref }
    const link = await seller.link({ ...terms, ...input })
    return { user_ref, done: await payAt(await goToPayment(link, ADA), numberOf(card)) }
  }

  /** Returns the page's text; fails if it is a signed redirect to the application. */
  async function unsigned(done: string): Promise<string> {
    const { status, text, headers } = await look(done)
    expect([status, headers.location]).toEqual([200, undefined])
    expect(text).not.toContain('gatehouse_signature')
    return wordsOf(text)
  }

  const paymentOf = async (user_ref: string) => {
    const { data } = await seller.client.searchPayments({ user_ref })
    return data[0]?.id as string
  }

  it('one link paid in three tabs: one signed return, and the others say that they are refunded', async () => {
    const link = await seller.link({
      ...{ rid: 'article', amount: '2.90', currency: 'EUR' },
      ...{ user_ref: newReader(), return_url: RETURN },
    })
    const tabs = await Promise.all([1, 2, 3].map(() => goToPayment(link, ADA)))
    const pages: string[] = []
    for (const tab of tabs) pages.push(await payAt(tab))
    for (const page of pages) await look(page)
    await seller.work()
    const answers = await Promise.all(pages.map((page) => look(page)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 303])
    for (const { text } of answers.filter(({ status }) => status === 200)) {
      const words = wordsOf(text)
      expect(words).not.toContain(OPEN)
      expect(words).toContain('was already paid for')
      expect(words).toContain('has been refunded')
    }
  })

  it('a revoke with a refund: no signed return any more', async () => {
    const { user_ref, done } = await pay()
    expect((await look(done)).status).toBe(303)
    await seller.client.revokeAccess({ rid: 'article', user_ref, refund: true })
    const words = await unsigned(done)
    expect(words).toContain('has been refunded')
    expect(words).not.toContain(OPEN)
  })

  it('a revoke without a refund: the access has ended', async () => {
    const { user_ref, done } = await pay()
    expect((await look(done)).status).toBe(303)
    await seller.client.revokeAccess({ rid: 'article', user_ref })
    expect(await unsigned(done)).toContain('Your access has ended')
  })

  it('a refund that is on its way counts, a partial one does not', async () => {
    const { user_ref, done } = await pay()
    expect((await look(done)).status).toBe(303)
    const payment = await paymentOf(user_ref)
    await seller.client.refundPayment({ payment, amount: '1.00', reference: 'part' })
    expect((await look(done)).status).toBe(303)
    const asked = seller.cards.refund
    seller.cards.refund = async ({ money }) => ({ status: 'pending', ref: undefined, money })
    try {
      const { status } = await seller.client.refundPayment({ payment })
      expect(status).toBe('pending')
    } finally {
      seller.cards.refund = asked
    }
    expect(await unsigned(done)).toContain('is being refunded')
  })

  it('a payment in dispute is not signed for, and neither is a lost one', async () => {
    const { user_ref, done } = await pay()
    expect((await look(done)).status).toBe(303)
    const paymentId = await paymentOf(user_ref)
    const { read } = seller.environment.database
    const { provider_ref } = await read
      .selectFrom('payments')
      .select('provider_ref')
      .where('id', '=', paymentId)
      .executeTakeFirstOrThrow()
    for (const [outcome, words] of [
      ['opened', 'Your bank is reviewing this payment'],
      ['lost', 'Your bank has taken this payment back'],
    ] as const) {
      await seller.cards.dispute(provider_ref as string, outcome)
      await applyEvent(seller.environment, { kind: 'payment', paymentId })
      expect(await unsigned(done)).toContain(words)
    }
  })

  it('a subscription that was ended since: no signed return', async () => {
    const { user_ref, done } = await pay({ rid: 'pass', ...MONTHLY })
    expect((await look(done)).status).toBe(303)
    await seller.client.cancelSubscription({ rid: 'pass', user_ref })
    expect((await look(done)).status).toBe(303)
    await seller.client.revokeAccess({ rid: 'pass', user_ref })
    expect(await unsigned(done)).toContain('Your access has ended')
  })

  it('a trial is signed for while its subscription is open', async () => {
    const { user_ref, done } = await pay({ rid: 'pass', ...MONTHLY, trial_days: 14 })
    expect((await look(done)).status).toBe(303)
    await seller.client.revokeAccess({ rid: 'pass', user_ref })
    expect(await unsigned(done)).toContain('Your access has ended')
  })

  it('another amount than the price: nothing is said to be open', async () => {
    const { find } = seller.cards
    const asked = find.checkout
    find.checkout = async (ref): Promise<CheckoutFinding> => {
      const finding = await asked(ref)
      if (!finding.payment) return finding
      return { ...finding, payment: { ...finding.payment, money: { amount: 1, currency: 'EUR' } } }
    }
    try {
      const { done } = await pay()
      const words = await unsigned(done)
      expect(words).not.toContain(OPEN)
      expect(words).toContain('has not been opened')
    } finally {
      find.checkout = asked
    }
  })

  it('paid after the application was archived: the payment is refunded, and the page says so', async () => {
    const other = await openSeller(service)
    await other.addResource('article')
    const price = await other.offer('article')
    const payment = await goToPayment(other.pageOf('article'), { ...ADA, price })
    await other.environment.database.write((trx) =>
      trx
        .updateTable('applications')
        .set({ archived: other.environment.clock() })
        .where('aid', '=', other.aid)
        .execute(),
    )
    const done = await payAt(payment)
    expect(await unsigned(done)).toContain('is being refunded')
    await other.work()
    const words = await unsigned(done)
    expect(words).toContain('after this purchase was closed')
    expect(words).toContain('has been refunded')
    expect(words).not.toContain(OPEN)
  })

  it('a period that is over is not said to be open', async () => {
    const other = await openSeller(service)
    await other.addResource('article')
    const price = await other.offer('article', { period: '1 day' })
    const done = await payAt(await goToPayment(other.pageOf('article'), { ...ADA, price }))
    expect(await unsigned(done)).toContain(OPEN)
    service.clock.advance(86_401)
    expect(await unsigned(done)).toContain('Your access has ended')
  })
})
