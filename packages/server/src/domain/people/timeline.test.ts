import { describe, expect, it } from 'vitest'
import type { Trx } from '../../db/database.ts'
import { databases } from '../../testing/databases.ts'
import { toDeliveryRows } from '../../testing/downloads/downloads.ts'
import { MONTHLY } from '../../testing/payments/shop.ts'
import { DAY } from '../../testing/time.ts'
import { useFreshShop, useService } from '../../testing/use-service.ts'
import { recordDeliveries } from '../downloads/deliveries.ts'
import { clocksOf } from '../payments/context.ts'
import { requestRefund } from '../payments/refunds/orders.ts'
import { resolveUsers } from '../users/resolve.ts'
import { mergeUsers } from './merge.ts'
import { readTimeline, type TimelineEvent } from './timeline.ts'

describe.each(databases)('the timeline of a person on $name', (database) => {
  const service = useService(database)
  const shop = useFreshShop(service, 'news', 'maps')

  const db = () => shop.environment.database
  const now = () => shop.environment.clock()
  const grant = (name: string, more: { rid?: string; expiration?: number } = {}) =>
    shop.client.grantAccess({ rid: 'news', email: `${name}@example.com`, user_ref: name, ...more })
  const uidOf = async (name: string) => (await resolveUsers(db().read, shop.aid, name))[0].user.uid
  const read = async (uid: string) => await readTimeline(db().read, { aid: shop.aid, uid }, now())

  /** What an event says, short. */
  function tell(event: TimelineEvent): string {
    const { kind, row } = event
    if (kind === 'change') return row.action
    if (kind === 'mail') return `mail ${row.kind}`
    if (kind === 'refund') return `refund of ${row.amount} for ${event.rid}`
    return kind
  }
  const told = async (uid: string) => (await read(uid)).map(tell)
  const refundsOf = async (uid: string) =>
    (await read(uid)).flatMap((event) =>
      event.kind === 'refund' ? [`${tell(event)}: ${event.steps.map(tell).join(', ')}`] : [],
    )

  /** Does something in a transaction that is taken back. */
  async function inVain<T>(act: (trx: Trx) => Promise<T>): Promise<T> {
    const done: T[] = []
    const enough = new Error('enough')
    const acting = db().write(async (trx) => {
      done.push(await act(trx))
      throw enough
    })
    await expect(acting).rejects.toBe(enough)
    return done[0] as T
  }

  async function refund(paymentId: string, amount: number, reference: string): Promise<void> {
    const input = { aid: shop.aid, paymentId, amount, reference, actor: 'test' }
    await db().write((trx) => requestRefund(trx, input, clocksOf(shop.environment)))
    await shop.work()
  }

  it('shows a refund once, with all that it led to', async () => {
    await shop.buy({ rid: 'news', userRef: 'ann' })
    await shop.advance(60)
    await shop.client.revokeAccess({ rid: 'news', user_ref: 'ann', refund: true })
    await shop.work()
    const ann = await uidOf('ann')
    expect(await refundsOf(ann)).toEqual([
      'refund of 499 for news: refund ordered, refund succeeded, mail refunded',
    ])
    expect(await told(ann)).toEqual([
      'refund of 499 for news',
      ...['revoked', 'mail receipt', 'payment', 'purchased', 'reference added', 'user created'],
    ])
  })

  it('shows the end of a purchase with the refund that completes it', async () => {
    const { payment_id } = await shop.buy({ rid: 'news', userRef: 'ann' })
    const other = await shop.buy({ rid: 'maps', userRef: 'ann' })
    await shop.advance(60)
    await refund(payment_id, 200, 'first')
    await shop.advance(60)
    await refund(payment_id, 299, 'second')
    await refund(other.payment_id, 499, 'other')
    const ann = await uidOf('ann')
    expect((await refundsOf(ann)).sort()).toEqual([
      'refund of 200 for news: refund ordered, refund succeeded, mail refunded',
      'refund of 299 for news: refund ordered, refund succeeded, purchase ended, mail refunded',
      'refund of 499 for maps: refund ordered, refund succeeded, purchase ended, mail refunded',
    ])
    expect((await told(ann)).filter((one) => /ended|mail refunded|ordered/.test(one))).toEqual([])
  })

  it('tells of a merge once, and not that the record which was joined was revoked', async () => {
    const gone = await grant('old')
    const kept = await grant('new')
    service.clock.advance(60)
    const input = { aid: shop.aid, from: gone.uid, into: kept.uid, actor: 'test' }
    await db().write((trx) => mergeUsers(trx, input, now()))
    const merged = (await told(kept.uid)).filter((one) => /merged|revoked/.test(one))
    expect(merged).toEqual(['user merged in', 'merged'])
    // What had happened to the person who went away has happened to this one.
    expect((await told(kept.uid)).filter((one) => one === 'granted')).toHaveLength(2)
    expect(await told(gone.uid)).toContain('user merged away')
    await shop.client.revokeAccess({ rid: 'news', user_ref: 'new' })
    expect((await told(kept.uid))[0]).toBe('revoked')
  })

  it('shows the end of access in the second in which it ended, unless it was revoked', async () => {
    const { uid } = await grant('ann', { expiration: now() + 60 })
    await grant('ann', { rid: 'maps', expiration: now() + 60 })
    await shop.client.revokeAccess({ rid: 'maps', user_ref: 'ann' })
    const expired = async () => (await read(uid)).filter(({ kind }) => kind === 'expired')
    await shop.advance(59)
    expect(await expired()).toEqual([])
    await shop.advance(1)
    expect(await expired()).toMatchObject([{ at: now(), row: { rid: 'news' } }])
  })

  it('shows an effect after its cause, also within a second', async () => {
    const { uid } = await grant('ann', { expiration: now() + 60 })
    await shop.advance(60)
    const { payment_id } = await shop.buy({ rid: 'maps', userRef: 'ann' })
    const delivery = {
      ...{ aid: shop.aid, rid: 'news', download_id: 'd', link: 'l', uid },
      ...{ at: now(), bytes: 7, outcome: 'complete' as const },
    }
    await db().write((trx) => recordDeliveries(trx, toDeliveryRows([delivery]), now()))
    expect(await told(uid)).toEqual([
      ...['download', 'mail receipt', 'payment', 'purchased', 'expired'],
      ...['mail grant', 'granted', 'reference added', 'user created'],
    ])
    await refund(payment_id, 499, 'all')
    expect((await told(uid)).slice(0, 5)).toEqual([
      ...['download', 'mail receipt', 'refund of 499 for maps', 'payment', 'purchased'],
    ])
  })

  it('dates an email by its cause, and one without a cause by when it was written', async () => {
    const { uid } = await grant('ann')
    await shop.advance(3 * DAY)
    const at = now()
    await shop.buy({ rid: 'maps', userRef: 'ann' })
    const timesOf = (events: TimelineEvent[]) =>
      events.flatMap((event) => (event.kind === 'mail' ? [event.at] : []))
    const caused = timesOf(await read(uid))
    expect(caused).toEqual([at, at - 3 * DAY])
    const written = await inVain(async (trx) => {
      await trx.updateTable('history').set({ mail_key: null }).where('uid', '=', uid).execute()
      return timesOf(await readTimeline(trx, { aid: shop.aid, uid }, at))
    })
    // Older versions stored no offset of the sandbox's clock.
    const older = await inVain(async (trx) => {
      await trx.updateTable('outbox').set({ clock_offset: 0 }).where('uid', '=', uid).execute()
      return timesOf(await readTimeline(trx, { aid: shop.aid, uid }, at))
    })
    expect(older).toEqual(caused)
    // Each was written with the clock of the sandbox of that moment, and its cause a moment before.
    const late = written.map((time, i) => time - (caused[i] ?? 0))
    expect(late.filter((seconds) => seconds < 0 || seconds > 60)).toEqual([])
  })

  it('shows a renewal by its payment, and not that it was begun', async () => {
    await shop.buy({ rid: 'news', terms: MONTHLY, userRef: 'ann' })
    await shop.advance(32 * DAY)
    const all = await told(await uidOf('ann'))
    expect(all).toContain('renewed')
    expect(all).not.toContain('renewal begun')
    expect(all.filter((one) => one === 'payment')).toHaveLength(2)
  })

  it('is that of nobody if there is no such person', async () => {
    await expect(read('nobody')).rejects.toMatchObject({ code: 'user_not_found' })
  })
})
