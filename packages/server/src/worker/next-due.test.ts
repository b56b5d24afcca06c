import { describe, expect, it } from 'vitest'
import type { Trx } from '../db/database.ts'
import { findNextEnd } from '../domain/events/ended.ts'
import { claimMails, findNextMail } from '../domain/mail/claims.ts'
import { findNextBundle } from '../domain/notifications/bundles.ts'
import { findNextPaymentWork } from '../domain/payments/orders/payment-loop.ts'
import { enqueueErasureFollowUp, findNextErasure } from '../domain/people/erasures.ts'
import { enqueueStaffMails, findNextStaffMail } from '../domain/staff/mails.ts'
import { findNextDelivery } from '../domain/webhooks/claim.ts'
import { databases } from '../testing/databases.ts'
import { useService, useShop } from '../testing/use-service.ts'
import { newDeliveryRow, newEndpointRow } from '../testing/webhooks/rows.ts'

const LATER = 60_000

describe.each(databases)('when a background job has something to do, on $name', (database) => {
  const env = { GATEHOUSE_SMTP_URL: 'smtp://127.0.0.1:1', GATEHOUSE_MAIL_FROM: 'a@example.com' }
  const service = useService(database, { checksInvariants: false, env })
  const shop = useShop(service, 'news', 'article')
  const read = () => shop.environment.database.read
  const change = <R>(fn: (trx: Trx) => Promise<R>) => shop.environment.database.write(fn)
  const now = () => shop.environment.realTime()

  it('is the earliest end of access that nobody was told of', async () => {
    await shop.client.grantAccess({ rid: 'news', email: 'eva@example.com' })
    expect(await findNextEnd(read())).toBeUndefined()
    const ends = service.clock.seconds + 500
    for (const [name, expiration] of [
      ['ann', ends + 9],
      ['bob', ends],
    ] as const) {
      await shop.client.grantAccess({ rid: 'news', email: `${name}@example.com`, expiration })
    }
    expect(await findNextEnd(read())).toBe(ends)
  })

  it('is the next email to staff', async () => {
    const { control } = service.ctx
    expect(await findNextStaffMail(control.read)).toBeUndefined()
    const mails = [{ key: 'one', kind: 'sale' as const, aid: shop.aid }]
    await control.write((trx) => enqueueStaffMails(trx, mails, now() + LATER))
    expect(await findNextStaffMail(control.read)).toBe(now() + LATER)
  })

  it('is the next mail, or the end of the time that a sender has for one', async () => {
    const app = await service.newApplication('production')
    await app.addResource('news')
    const { database } = app.environment
    expect(await findNextMail(database.read)).toBeUndefined()
    await app.client.grantAccess({ rid: 'news', email: 'ida@example.com' })
    expect(await findNextMail(database.read)).toBeLessThanOrEqual(now())
    const lease = { token: 'one', until: now() + LATER }
    expect(await claimMails(database, lease, 5, now())).toHaveLength(1)
    expect(await findNextMail(database.read)).toBe(lease.until)
    await database.write((trx) =>
      trx.updateTable('outbox').set({ status: 'sent' }).where('aid', '=', app.aid).execute(),
    )
    expect(await findNextMail(database.read)).toBeUndefined()
  })

  it('is the next step of an erasure', async () => {
    expect(await findNextErasure(read())).toBeUndefined()
    const { uid } = await shop.client.grantAccess({ rid: 'news', email: 'gone@example.com' })
    await change((trx) => enqueueErasureFollowUp(trx, { aid: shop.aid, uid }, now() + LATER))
    expect(await findNextErasure(read())).toBe(now() + LATER)
  })

  it('is an order to the provider, or a look at a checkout', async () => {
    expect(await findNextPaymentWork(read())).toBeUndefined()
    const { payment_id } = await shop.buy({ rid: 'article', userRef: 'bob' })
    await shop.client.refundPayment({
      payment: payment_id as string,
      amount: '1.00',
      reference: 'r',
    })
    await change(async (trx) => {
      const ofShop = trx.updateTable('payments').where('aid', '=', shop.aid)
      await ofShop.set({ status: 'pending', due: now() + 4 * LATER }).execute()
    })
    expect(await findNextPaymentWork(read())).toBe(now() + 4 * LATER)
    await change(async (trx) => {
      const ofShop = trx.updateTable('refunds').where('aid', '=', shop.aid)
      await ofShop.set({ status: 'pending', due: now() + 3 * LATER }).execute()
    })
    expect(await findNextPaymentWork(read())).toBe(now() + 3 * LATER)
    for (const [times, status] of [
      [2, 'open'],
      [1, 'expired'],
    ] as const) {
      await change(async (trx) => {
        const ofShop = trx.updateTable('checkouts').where('aid', '=', shop.aid)
        await ofShop.set({ status, due: now() + times * LATER }).execute()
      })
      expect(await findNextPaymentWork(read())).toBe(now() + times * LATER)
    }
  })

  it('is a webhook, or an endpoint that may be called again', async () => {
    expect(await findNextDelivery(read(), now())).toBeUndefined()
    const { aid } = shop
    await change(async (trx) => {
      await trx
        .insertInto('webhook_endpoints')
        .values(newEndpointRow({ aid, id: 'e' }))
        .execute()
      const waiting = { state: 'pending', due: now() + LATER } as const
      await trx
        .insertInto('webhook_deliveries')
        .values(newDeliveryRow({ aid, endpoint: 'e', event_id: 'x', ...waiting }))
        .execute()
    })
    expect(await findNextDelivery(read(), now())).toBe(now() + LATER)
    const endpoint = (values: { resume_at?: number; state?: 'failing' | 'off' }) =>
      change((trx) =>
        trx.updateTable('webhook_endpoints').set(values).where('aid', '=', aid).execute(),
      )
    await endpoint({ resume_at: now() + 2 * LATER, state: 'failing' })
    expect(await findNextDelivery(read(), now())).toBe(now() + 2 * LATER)
    await endpoint({ state: 'off' })
    expect(await findNextDelivery(read(), now())).toBeUndefined()
  })

  it('is half a minute after the first notice', async () => {
    await change((trx) => trx.deleteFrom('notices').where('aid', '=', shop.aid).execute())
    expect(await findNextBundle(read())).toBeUndefined()
    await shop.buy({ rid: 'article', userRef: 'kim' })
    expect(await findNextBundle(read())).toBe(now() + 30_000)
  })
})
