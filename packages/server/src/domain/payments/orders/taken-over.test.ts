import { describe, expect, it } from 'vitest'
import { listRows } from '../../../db/queries/rows.ts'
import { databases } from '../../../testing/databases.ts'
import { useBooks } from '../../../testing/stripe/books.ts'
import { REFUSALS } from '../../../testing/stripe/refusals.ts'
import { RENEWAL_PERIOD_S } from '../../../testing/stripe/stripe-shop.ts'
import { clocksOf, LEASE_MS, type PaymentContext } from '../context.ts'
import type { PaymentProvider } from '../provider.ts'
import { requestRefund } from '../refunds/orders.ts'
import { runNextSteps } from '../renewals/renewals.ts'
import { claimNextOrder, sendClaimedOrder } from './orders.ts'

const REFUSED_FOR_A_WHILE_S = 1_200

describe.each(databases)('an order that another process has taken over on $name', (database) => {
  const { fake, service, app, env, work, buy, subscribe } = useBooks(database)

  /** A process that stands still once it has looked, and goes on when the other has been refused and has then succeeded. */
  function slow(route: string): PaymentContext {
    const provider = env().provider as PaymentProvider
    async function standStill() {
      service.clock.advance(LEASE_MS / 1000 + 1)
      fake.fault = (call) => (call.route === route ? REFUSALS.capability : undefined)
      await work()
      fake.fault = () => undefined
      service.clock.advance(REFUSED_FOR_A_WHILE_S)
      await work()
      // Stripe keeps no refusal that it gave before it began, and forgets all others after a day.
      fake.forgetKeys()
    }
    const find: PaymentProvider['find'] = {
      ...provider.find,
      async charges(query) {
        const found = await provider.find.charges(query)
        await standStill()
        return found
      },
      async refund(query) {
        const found = await provider.find.refund(query)
        await standStill()
        return found
      },
    }
    return { ...env(), provider: { ...provider, find } }
  }

  async function send(table: 'payments' | 'refunds', ctx: PaymentContext): Promise<void> {
    const claim = await claimNextOrder(ctx, table)
    if (!claim) throw new Error('no order is due')
    await sendClaimedOrder(ctx, table, claim)
  }

  it('is not charged a second time, under the first key', async () => {
    const { subscription_id } = await subscribe('ann')
    service.clock.advance(RENEWAL_PERIOD_S)
    await runNextSteps(env())
    await send('payments', slow('POST /v1/payment_intents'))
    const about = { aid: app.aid, subscription_id: subscription_id ?? '' }
    const [, renewal] = await listRows(env().database.read, 'payments', about, ['created'])
    expect(renewal).toMatchObject({ status: 'succeeded' })
    expect(fake.ledger.chargesOf(renewal?.id ?? '')).toHaveLength(1)
  })

  it('is not refunded a second time, under the first key', async () => {
    const { payment_id: paymentId } = await buy('ben')
    const input = { aid: app.aid, paymentId, amount: 100, actor: 'test', reference: 'once' }
    const { id } = await env().database.write((trx) => requestRefund(trx, input, clocksOf(env())))
    await send('refunds', slow('POST /v1/refunds'))
    expect(fake.ledger.refundsOf(id)).toHaveLength(1)
  })
})
