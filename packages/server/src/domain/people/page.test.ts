import { describe, expect, it } from 'vitest'
import { insertRows } from '../../db/queries/rows.ts'
import { databases } from '../../testing/databases.ts'
import { MONTHLY } from '../../testing/payments/shop.ts'
import { useFreshShop, useService } from '../../testing/use-service.ts'
import { archiveApplication } from '../apps/applications.ts'
import { findUidByRef } from '../users/user-ref.ts'
import { eraseUser } from './erase.ts'
import { mergeUsers } from './merge.ts'
import { readPersonPage } from './page.ts'
import { previewRevoke } from './revoke.ts'

describe.each(databases)('the page of a person on $name', (database) => {
  const service = useService(database, { checksInvariants: false })
  const shop = useFreshShop(service, 'news', 'maps')

  const db = () => shop.environment.database
  const now = () => shop.environment.clock()
  const grant = (name: string, rid = 'news') =>
    shop.client.grantAccess({ rid, email: `${name}@example.com`, user_ref: name })
  const read = (uid: string) => readPersonPage(db().read, shop.aid, uid, now())

  it('has the latest 200 emails, newest first', async () => {
    const { uid } = await grant('ann')
    await db().write(async (trx) => {
      const first = await trx
        .selectFrom('outbox')
        .selectAll()
        .where('uid', '=', uid)
        .executeTakeFirstOrThrow()
      const more = Array.from({ length: 204 }, (_, i) => ({
        ...{ ...first, id: `m${i}`, key: `key ${i}`, created: first.created + 1 + i },
      }))
      await insertRows(trx, 'outbox', more)
    })
    const { mails } = await read(uid)
    expect(mails).toHaveLength(200)
    expect([mails[0]?.id, mails[199]?.id]).toEqual(['m203', 'm4'])
  })

  it('of somebody who was merged away names who is left, and that of nobody else does', async () => {
    const old = await grant('old')
    const other = await grant('other')
    const kept = await grant('new')
    const gone = await grant('gone')
    const merge = (from: string, into: string) =>
      db().write((trx) => mergeUsers(trx, { aid: shop.aid, from, into, actor: 'test' }, now()))
    await merge(old.uid, kept.uid)
    await merge(other.uid, gone.uid)
    const who = { aid: shop.aid, uid: gone.uid, actor: 'test' }
    await db().write((trx) => eraseUser(trx, who, { now: now(), realTime: 0 }))
    const mergedInto = async (uid: string) => (await read(uid)).mergedInto
    expect(await mergedInto(old.uid)).toBe(kept.uid)
    expect(await mergedInto(other.uid)).toBe(gone.uid)
    expect(await mergedInto(kept.uid)).toBeUndefined()
    expect(await mergedInto(gone.uid)).toBeUndefined()
  })

  it('says whether the application is archived', async () => {
    const { uid } = await grant('ann')
    expect((await read(uid)).isArchived).toBe(false)
    await db().write((trx) => archiveApplication(trx, shop.aid, now(), 'test'))
    expect((await read(uid)).isArchived).toBe(true)
  })

  it('says of each source what is paid for it and how the subscription is', async () => {
    await shop.buy({ rid: 'news', userRef: 'ann', terms: { ...MONTHLY, trial_days: 7 } })
    await shop.buy({ rid: 'maps', userRef: 'ann' })
    const uid = (await findUidByRef(db().read, shop.aid, 'ann')) as string
    const { access } = await read(uid)
    const sources = new Map(access.map(({ row, sources: [source] }) => [row.rid, source]))
    const trialEnds = now() + 7 * 86_400
    expect(sources.get('news')).toMatchObject({
      ...{ kind: 'subscription', paid: null, payment_status: null, ended: null },
      ...{ subscription_status: 'trialing', trial_ends: trialEnds, current_period_end: trialEnds },
    })
    expect(sources.get('maps')).toMatchObject({
      ...{ kind: 'purchase', paid: 499, currency: 'EUR', payment_status: 'succeeded' },
      ...{ subscription_status: null, trial_ends: null, current_period_end: null },
    })
  })
})

describe.each(databases)('the preview of a revoke on $name', (database) => {
  const service = useService(database)
  const shop = useFreshShop(service, 'news')
  const db = () => shop.environment.database

  it('names what the revoke would end and refund, and not what has ended before', async () => {
    await shop.buy({ rid: 'news', userRef: 'ann', terms: { period: '30 days' } })
    const over = await shop.client.revokeAccess({ rid: 'news', user_ref: 'ann', refund: true })
    await shop.work()
    const email = 'ann@example.com'
    const { id } = await shop.client.grantAccess({ rid: 'news', user_ref: 'ann', email })
    const { payment_id } = await shop.buy({ rid: 'news', userRef: 'ann', terms: MONTHLY })
    const look = () => previewRevoke(db().read, { aid: shop.aid, id }, shop.environment.clock())
    const seen = await look()
    expect(seen.sources.map(({ kind }) => kind).sort()).toEqual(['grant', 'subscription'])
    expect(seen.subscriptions).toMatchObject([{ rid: 'news', status: 'active' }])
    expect(seen.refundable).toMatchObject([{ payment: { id: payment_id }, left: 499 }])
    expect(seen.mailAddress).toBe(email)
    const paid = { aid: shop.aid, id: seen.subscriptions[0]?.id as string }
    await db().write((trx) =>
      trx
        .updateTable('sources')
        .set({ closed: shop.environment.clock() })
        .where('aid', '=', paid.aid)
        .where('subscription_id', '=', paid.id)
        .execute(),
    )
    const later = await look()
    expect(later.sources.map(({ kind }) => kind)).toEqual(['grant'])
    expect([later.subscriptions, later.refundable]).toEqual([[], []])
    await db().write((trx) =>
      trx
        .updateTable('sources')
        .set({ closed: null })
        .where('aid', '=', paid.aid)
        .where('subscription_id', '=', paid.id)
        .execute(),
    )
    const revoked = previewRevoke(db().read, { aid: shop.aid, id: over.id }, 0)
    await expect(revoked).rejects.toMatchObject({ code: 'access_not_found' })
  })
})
