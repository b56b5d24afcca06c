import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { useDecisions } from '../../testing/payments/decisions.ts'
import { previewDecision } from './preview.ts'

describe.each(databases)('the preview of a decision on $name', (database) => {
  const { shop, db, askOne, buy, subscribe, grant, paymentOf } = useDecisions(database)

  it('carries out a revoke, a refund or a cancellation, and takes it back', async () => {
    await subscribe('ned')
    await buy('nia', {}, { rid: 'extra' })
    const { id } = await grant('nil')
    const [subscription] = (await shop.client.searchSubscriptions({ user_ref: 'ned' })).data
    const before = await dumpOf()
    const preview = async (
      userRef: string,
      rid: string,
      action: 'revoke' | 'refund' | 'cancel',
      of: string,
    ) => {
      const question = { aid: shop.aid, userRef, rids: [rid] }
      const { decisions } = await previewDecision(shop.environment, question, { action, id: of })
      return decisions[0]?.code
    }
    const subscribed = subscription?.id as string
    expect(await preview('ned', 'news', 'cancel', subscribed)).toBe('canceled')
    expect(await preview('ned', 'news', 'refund', await paymentOf('ned'))).toBe('refunded')
    expect(await preview('nia', 'extra', 'refund', await paymentOf('nia'))).toBe('refunded')
    expect(await preview('nil', 'news', 'revoke', id)).toBe('revoked')
    expect(await preview('nia', 'extra', 'revoke', id)).toBe('purchased')
    expect(await dumpOf()).toEqual(before)
    // A record that was revoked stays so, also if the reader has another one since.
    await shop.client.revokeAccess({ rid: 'news', user_ref: 'nil' })
    await grant('nil')
    await expect(preview('nil', 'news', 'revoke', id)).rejects.toMatchObject({
      code: 'access_not_found',
    })
    await shop.client.cancelSubscription({ rid: 'news', user_ref: 'ned' })
    expect((await askOne('ned')).code).toBe('canceled')
    for (const action of ['revoke', 'refund', 'cancel'] as const) {
      await expect(preview('ned', 'news', action, 'unknown')).rejects.toMatchObject({ status: 404 })
    }
  })

  async function dumpOf() {
    const { read } = db()
    const counts: Record<string, unknown> = {}
    for (const table of ['access', 'sources', 'subscriptions', 'payments', 'refunds'] as const) {
      counts[table] = await read.selectFrom(table).selectAll().where('aid', '=', shop.aid).execute()
    }
    for (const table of ['history', 'outbox'] as const) {
      const rows = await read.selectFrom(table).select('aid').where('aid', '=', shop.aid).execute()
      counts[table] = rows.length
    }
    return counts
  }
})
