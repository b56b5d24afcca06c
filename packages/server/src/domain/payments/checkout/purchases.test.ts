import { describe, expect, it } from 'vitest'
import { databases } from '../../../testing/databases.ts'
import { cardNumber, MONTHLY, ONCE } from '../../../testing/payments/shop.ts'
import { listOutbox } from '../../../testing/smtp/outbox.ts'
import { somebodyWaits } from '../../../testing/somebody-waits.ts'
import { DAY } from '../../../testing/time.ts'
import { useService, useShop } from '../../../testing/use-service.ts'
import { createResource } from '../../resources/resources.ts'
import { applyRefundFinding, findRefund } from '../refunds/refunds.ts'
import { type CheckoutRow, createCheckout, startCheckout } from './checkouts.ts'
import { refreshCheckout } from './poll-checkouts.ts'

describe.each(databases)('purchases on $name', (database) => {
  const service = useService(database)
  const shop = useShop(service, 'article', 'pass')

  it('open access that shows what was paid', async () => {
    await shop.buy({ rid: 'article', userRef: 'ann' })
    const access = await shop.client.getAccess({ rid: 'article', user_ref: 'ann' })
    expect(access).toMatchObject({ amount: 4.99, currency: 'EUR', user_ref: 'ann' })
    expect(access.expires).toBeUndefined()
    const mails = await listOutbox(service, 'sandbox')
    expect(mails).toMatchObject([{ kind: 'receipt', recipient: 'ann@example.com' }])
  })

  it('open access to a new resource that another buyer creates at the same time', async () => {
    const { environment: env, aid, cards } = shop
    const [rid, userRef] = ['brand-new', 'gus']
    const resource = { name: 'Brand new', url: '' }
    const input = { aid, rid, terms: ONCE, resource, userRef, typedEmail: 'gus@example.com' }
    const names = { firstName: 'Gus', lastName: 'Reader' }
    const checkout = await createCheckout(env, { ...input, vouchedEmail: undefined, ...names })
    const urls = { done: `${shop.baseUrl}/done`, back: `${shop.baseUrl}/back` }
    const page = await startCheckout(env, checkout, urls)
    await cards.pay(page.split('/').at(-1) as string, cardNumber('good'))
    let completed: Promise<CheckoutRow> | undefined
    await env.database.write(async (trx) => {
      await createResource(trx, { aid, rid, name: 'Brand new' }, env.clock(), 'test')
      completed = refreshCheckout(env, checkout)
      // It does not see the new resource yet, and waits for it when it creates its own. On SQLite all of it waits.
      if (database.engine === 'postgres') await somebodyWaits(env.database.read)
    })
    expect(await completed).toMatchObject({ status: 'paid' })
    expect(await shop.client.hasAccess({ rid, user_ref: userRef })).toBe(true)
  })

  it('begin a second period at the end of the first', async () => {
    const terms = { period: '30 days' }
    await shop.buy({ rid: 'article', userRef: 'bob', terms })
    await shop.buy({ rid: 'article', userRef: 'bob', terms })
    const { expires } = await shop.client.getAccess({ rid: 'article', user_ref: 'bob' })
    expect(expires).toBe(shop.environment.clock() + 60 * DAY)
  })

  it('renew a subscription once a period, with a receipt', async () => {
    await shop.buy({ rid: 'pass', userRef: 'cid', terms: MONTHLY })
    const first = await shop.client.getAccess({ rid: 'pass', user_ref: 'cid' })
    await shop.advance(40 * DAY)
    const second = await shop.client.getAccess({ rid: 'pass', user_ref: 'cid' })
    expect(second.id).toBe(first.id)
    expect(second.expires).toBe(Date.UTC(2027, 4, 3, 9) / 1000)
    const { data } = await shop.client.searchPayments({ rid: 'pass', user_ref: 'cid' })
    expect(data.map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
    const receipts = (await listOutbox(service, 'sandbox')).filter(
      ({ recipient, kind }) => recipient === 'cid@example.com' && kind === 'receipt',
    )
    expect(receipts).toHaveLength(2)
  })

  it('walk from a declined renewal through the days of grace to the end', async () => {
    await shop.buy({ rid: 'pass', userRef: 'dan', terms: MONTHLY, card: 'declined_later' })
    const status = async () =>
      (await shop.client.searchSubscriptions({ rid: 'pass', user_ref: 'dan' })).data[0]?.status
    await shop.advance(32 * DAY)
    expect(await status()).toBe('past_due')
    expect(await shop.client.hasAccess({ rid: 'pass', user_ref: 'dan' })).toBe(true)
    await shop.advance(7 * DAY)
    expect(await status()).toBe('ended')
    expect(await shop.client.hasAccess({ rid: 'pass', user_ref: 'dan' })).toBe(false)
    const { data } = await shop.client.searchPayments({ rid: 'pass', user_ref: 'dan' })
    expect(data.map((one) => one.status)).toEqual([...Array(5).fill('failed'), 'succeeded'])
  })

  it('are the seller’s again when a bank sends a refund back', async () => {
    await shop.buy({ rid: 'article', userRef: 'fay' })
    const [payment] = (await shop.client.searchPayments({ user_ref: 'fay' })).data
    const refund = await shop.client.refundPayment({ payment: payment?.id as string })
    const { aid, environment } = shop
    const { database } = environment
    const made = await findRefund(database.read, aid, refund.id)
    const failed = { money: { amount: 499, currency: 'EUR' }, status: 'failed' } as const
    const say = (ref: string | undefined) =>
      database.write((trx) =>
        applyRefundFinding(trx, environment, { aid, id: refund.id }, { ...failed, ref }),
      )
    // A failure without a ref is not about the refund that was made: it is a stale answer to a repeated order.
    await say(undefined)
    expect((await shop.client.searchPayments({ user_ref: 'fay' })).data).toMatchObject([
      { status: 'refunded' },
    ])
    for (const _ of [1, 2]) await say(made?.provider_ref as string)
    expect((await shop.client.searchPayments({ user_ref: 'fay' })).data).toMatchObject([
      { status: 'succeeded', refunded: 0, refunds: [{ status: 'failed', reason: 'bounced' }] },
    ])
    expect(await shop.client.hasAccess({ rid: 'article', user_ref: 'fay' })).toBe(false)
  })

  it('are refunded by a revoke, once, and the subscription ends', async () => {
    await shop.buy({ rid: 'pass', userRef: 'eve', terms: MONTHLY })
    const revoked = await shop.client.revokeAccess({ rid: 'pass', user_ref: 'eve', refund: true })
    expect(revoked.refund).toMatchObject({ amount: 4.99, currency: 'EUR', status: 'succeeded' })
    const { data } = await shop.client.searchSubscriptions({ rid: 'pass', user_ref: 'eve' })
    expect(data).toMatchObject([{ status: 'ended' }])
  })
})
