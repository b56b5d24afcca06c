import { beforeAll, describe, expect, it } from 'vitest'
import { applyEvent } from '../../domain/payments/events.ts'
import type { CheckoutFinding } from '../../domain/payments/provider.ts'
import { entryPointDatabases } from '../../testing/databases.ts'
import { getPage, visibleText } from '../../testing/payments/page-client.ts'
import {
  goToPayment,
  openPageShop,
  type PageShop,
  payOnPage,
} from '../../testing/payments/page-shop.ts'
import { type CardName, cardNumber } from '../../testing/payments/shop.ts'
import { useServiceWithPageShop } from '../../testing/use-service.ts'

const ADA = { email: 'ada@example.com' }
const RETURN = 'https://magazine.example/thanks'
const OPEN = 'You now have access to'
const MONTHLY = { amount: '4.99', currency: 'EUR', period: '1 month', recurring: true }

describe.each(entryPointDatabases)('what the page after a payment says on $name', (database) => {
  const { service, shop } = useServiceWithPageShop(database)
  beforeAll(async () => {
    await shop.changeSettings({ return_urls: '["https://magazine.example"]' })
    for (const rid of ['article', 'pass']) await shop.addResource(rid)
  })

  let readers = 0
  const newReader = () => {
    readers += 1
    return `reader-${readers}`
  }

  /** Pays through a new link; returns the page to which the payer comes back. */
  async function pay(
    input: Partial<Parameters<PageShop['link']>[0]> = {},
    card: CardName = 'good',
  ) {
    const user_ref = newReader()
    const terms = { rid: 'article', amount: '2.90', currency: 'EUR', return_url: RETURN, user_ref }
    const link = await shop.link({ ...terms, ...input })
    return { user_ref, done: await payOnPage(await goToPayment(link, ADA), cardNumber(card)) }
  }

  /** Returns the page's text; fails if it is a signed redirect to the application. */
  async function unsigned(done: string): Promise<string> {
    const { status, text, headers } = await getPage(done)
    expect([status, headers.location]).toEqual([200, undefined])
    expect(text).not.toContain('gatehouse_signature')
    return visibleText(text)
  }

  const paymentOf = async (user_ref: string) => {
    const { data } = await shop.client.searchPayments({ user_ref })
    return data[0]?.id as string
  }

  it('one link paid in three tabs: one signed return, and the others say that they are refunded', async () => {
    const link = await shop.link({
      ...{ rid: 'article', amount: '2.90', currency: 'EUR' },
      ...{ user_ref: newReader(), return_url: RETURN },
    })
    const tabs = await Promise.all([1, 2, 3].map(() => goToPayment(link, ADA)))
    const pages: string[] = []
    for (const tab of tabs) pages.push(await payOnPage(tab))
    for (const page of pages) await getPage(page)
    await shop.work()
    const answers = await Promise.all(pages.map((page) => getPage(page)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 303])
    for (const { text } of answers.filter(({ status }) => status === 200)) {
      const words = visibleText(text)
      expect(words).not.toContain(OPEN)
      expect(words).toContain('You had already paid for')
      expect(words).toContain('has been refunded')
    }
  })

  it('a revoke with a refund: no signed return any more', async () => {
    const { user_ref, done } = await pay()
    expect((await getPage(done)).status).toBe(303)
    await shop.client.revokeAccess({ rid: 'article', user_ref, refund: true })
    const words = await unsigned(done)
    expect(words).toContain('has been refunded')
    expect(words).not.toContain(OPEN)
  })

  it('a revoke without a refund: the access has ended', async () => {
    const { user_ref, done } = await pay()
    expect((await getPage(done)).status).toBe(303)
    await shop.client.revokeAccess({ rid: 'article', user_ref })
    expect(await unsigned(done)).toContain('Your access has ended')
  })

  it('a refund that is on its way counts, a partial one does not', async () => {
    const { user_ref, done } = await pay()
    expect((await getPage(done)).status).toBe(303)
    const payment = await paymentOf(user_ref)
    await shop.client.refundPayment({ payment, amount: '1.00', reference: 'part' })
    expect((await getPage(done)).status).toBe(303)
    const asked = shop.cards.refund
    shop.cards.refund = async ({ money }) => ({ status: 'pending', ref: undefined, money })
    try {
      const { status } = await shop.client.refundPayment({ payment })
      expect(status).toBe('pending')
    } finally {
      shop.cards.refund = asked
    }
    expect(await unsigned(done)).toContain('is being refunded')
  })

  it('a payment in dispute is not signed for, and neither is a lost one', async () => {
    const { user_ref, done } = await pay()
    expect((await getPage(done)).status).toBe(303)
    const paymentId = await paymentOf(user_ref)
    const { read } = shop.environment.database
    const { provider_ref } = await read
      .selectFrom('payments')
      .select('provider_ref')
      .where('id', '=', paymentId)
      .executeTakeFirstOrThrow()
    for (const [outcome, words] of [
      ['opened', 'Your bank is reviewing this payment'],
      ['lost', 'Your bank has reversed this payment'],
    ] as const) {
      await shop.cards.dispute(provider_ref as string, outcome)
      await applyEvent(shop.environment, { kind: 'payment', paymentId })
      expect(await unsigned(done)).toContain(words)
    }
  })

  it('a subscription that was ended since: no signed return', async () => {
    const { user_ref, done } = await pay({ rid: 'pass', ...MONTHLY })
    expect((await getPage(done)).status).toBe(303)
    await shop.client.cancelSubscription({ rid: 'pass', user_ref })
    expect((await getPage(done)).status).toBe(303)
    await shop.client.revokeAccess({ rid: 'pass', user_ref })
    expect(await unsigned(done)).toContain('Your access has ended')
  })

  it('a trial is signed for while its subscription is open', async () => {
    const { user_ref, done } = await pay({ rid: 'pass', ...MONTHLY, trial_days: 14 })
    expect((await getPage(done)).status).toBe(303)
    await shop.client.revokeAccess({ rid: 'pass', user_ref })
    expect(await unsigned(done)).toContain('Your access has ended')
  })

  it('another amount than the price: nothing is said to be open', async () => {
    const { find } = shop.cards
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
      expect(words).toContain('so you don’t have access yet')
    } finally {
      find.checkout = asked
    }
  })

  it('paid after the application was archived: the payment is refunded, and the page says so', async () => {
    const other = await openPageShop(service)
    await other.addResource('article')
    const price = await other.addPrice('article')
    const payment = await goToPayment(other.pageOf('article'), { ...ADA, price })
    await other.environment.database.write((trx) =>
      trx
        .updateTable('applications')
        .set({ archived: other.environment.clock() })
        .where('aid', '=', other.aid)
        .execute(),
    )
    const done = await payOnPage(payment)
    expect(await unsigned(done)).toContain('is being refunded')
    await other.work()
    const words = await unsigned(done)
    expect(words).toContain('after this purchase was closed')
    expect(words).toContain('has been refunded')
    expect(words).not.toContain(OPEN)
  })

  it('a period that is over is not said to be open', async () => {
    const other = await openPageShop(service)
    await other.addResource('article')
    const price = await other.addPrice('article', { period: '1 day' })
    const done = await payOnPage(await goToPayment(other.pageOf('article'), { ...ADA, price }))
    expect(await unsigned(done)).toContain(OPEN)
    service.clock.advance(86_401)
    expect(await unsigned(done)).toContain('Your access has ended')
  })
})
