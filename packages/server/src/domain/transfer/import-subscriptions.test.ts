import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { dumpTables } from '../../testing/dump.ts'
import { MONTHLY } from '../../testing/payments/shop.ts'
import { listOutbox } from '../../testing/smtp/outbox.ts'
import { DAY } from '../../testing/time.ts'
import { useFreshShop, useService } from '../../testing/use-service.ts'
import { listHistory } from '../history/history.ts'
import { searchSubscriptions } from '../subscriptions/search.ts'
import { openCsv } from './csv.ts'
import { importSubscriptionFile } from './import-subscriptions.ts'
import { problemWithHeader } from './subscription-columns.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-subscriptions-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0

function fileWith(rows: readonly Record<string, string | number>[]): string {
  const path = join(folder, `${files++}.csv`)
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const lines = rows.map((row) => names.map((name) => row[name] ?? '').join(','))
  writeFileSync(path, [names.join(','), ...lines, ''].join('\n'))
  return path
}

describe.each(databases)('subscriptions sold elsewhere on $name', (database) => {
  const service = useService(database)
  const shop = useFreshShop(service, 'pass', 'other')

  const now = () => shop.environment.clock()
  const row = (who: string, more: Record<string, string | number> = {}) => ({
    rid: 'pass',
    email: `${who}@example.com`,
    user_ref: who,
    amount: '4.99',
    currency: 'EUR',
    period: '1 month',
    current_period_end: now() + 10 * DAY,
    ...more,
  })

  async function imported(rows: readonly Record<string, string | number>[], dryRun = false) {
    const { database: db, provider } = shop.environment
    const file = await openCsv(fileWith(rows), problemWithHeader)
    const options = { aid: shop.aid, provider: provider?.name, now: now(), dryRun }
    return await importSubscriptionFile(db, file, options)
  }

  const subscriptionOf = async (userRef: string, rid = 'pass') => {
    const { read } = shop.environment.database
    const filter = { aid: shop.aid, rid, userRef }
    return (await searchSubscriptions(read, filter, { offset: 0, limit: 1 })).rows[0]
  }
  const mailsTo = async (who: string) =>
    (await listOutbox(service, 'sandbox')).filter(
      ({ recipient, aid }) => recipient === `${who}@example.com` && aid === shop.aid,
    )
  const hasAccess = (user_ref: string) => shop.client.hasAccess({ rid: 'pass', user_ref })

  it('open the access to the end of what was paid there, with history and without a mail', async () => {
    const ends = now() + 10 * DAY
    const created = now() - 300 * DAY
    expect(await imported([row('ann', { created })])).toEqual({
      ...{ rows: 1, imported: 1, unchanged: 0, wrong: [] },
    })
    const access = await shop.client.getAccess({ rid: 'pass', user_ref: 'ann' })
    expect(access).toMatchObject({ expires: ends, amount: 4.99, currency: 'EUR' })
    const { data } = await shop.client.searchSubscriptions({ user_ref: 'ann' })
    expect(data).toMatchObject([
      { status: 'active', created, current_period_end: ends, access_id: access.id },
    ])
    const history = await listHistory(shop.environment.database.read, shop.aid, {
      accessId: access.id,
    })
    expect(history).toMatchObject([{ action: 'imported', actor: 'import', at: now() }])
    expect(await mailsTo('ann')).toEqual([])
  })

  it('never begin in the future, whatever the file says', async () => {
    await imported([row('amy', { created: now() + DAY })])
    expect(await subscriptionOf('amy')).toMatchObject({
      created: now(),
      current_period_start: now(),
    })
  })

  it('are charged at the end of the period where the card came with them', async () => {
    await shop.buy({ rid: 'other', userRef: 'giver', terms: MONTHLY })
    const method = (await subscriptionOf('giver', 'other'))?.method as string
    const ends = now() + 10 * DAY
    await imported([row('bob', { method, provider: 'test' })])
    await shop.advance(11 * DAY)
    const { data } = await shop.client.searchPayments({ rid: 'pass', user_ref: 'bob' })
    expect(data).toMatchObject([{ status: 'succeeded', amount: 4.99 }])
    expect(await subscriptionOf('bob')).toMatchObject({
      status: 'active',
      current_period_start: ends,
    })
    expect((await mailsTo('bob')).map(({ kind }) => kind)).toEqual(['receipt'])
  })

  it('ask their reader for a card where none came with them', async () => {
    await imported([row('cid')])
    await shop.advance(11 * DAY)
    expect(await subscriptionOf('cid')).toMatchObject({ status: 'past_due' })
    const mails = await mailsTo('cid')
    expect(mails.length).toBeGreaterThan(0)
    for (const { kind, payload } of mails) {
      expect(kind).toBe('payment_failed')
      expect(JSON.parse(payload)).toMatchObject({ failure: 'no_card' })
    }
    expect(await hasAccess('cid')).toBe(true)
    await shop.advance(7 * DAY)
    expect(await hasAccess('cid')).toBe(false)
  })

  it('that were canceled there end with what was paid, and nobody is charged', async () => {
    await imported([row('dan', { status: 'canceled' })])
    expect(await hasAccess('dan')).toBe(true)
    await shop.advance(11 * DAY)
    expect(await subscriptionOf('dan')).toMatchObject({ status: 'ended' })
    expect(await hasAccess('dan')).toBe(false)
    expect(await mailsTo('dan')).toEqual([])
    const { total } = await shop.client.searchPayments({ user_ref: 'dan' })
    expect(total).toBe(0)
  })

  it('come back to the day on which they began, if that is known', async () => {
    const at = (month: number, day: number) => Date.UTC(2027, month - 1, day, 9) / 1000
    await shop.buy({ rid: 'other', userRef: 'giver', terms: MONTHLY })
    const method = (await subscriptionOf('giver', 'other'))?.method as string
    const june = { current_period_end: at(6, 30), method }
    await imported([row('eva', { ...june, created: at(1, 31) }), row('eve', june)])
    await shop.advance(at(7, 1) - now())
    expect(await subscriptionOf('eva')).toMatchObject({ current_period_end: at(7, 31) })
    expect(await subscriptionOf('eve')).toMatchObject({ current_period_end: at(7, 30) })
  })

  it('belong to the user whom the address names, and give that user the reference', async () => {
    const known = await shop.client.grantAccess({
      ...{ rid: 'pass', email: 'Fay@example.com', user_ref: 'old-fay', expiration: now() + DAY },
    })
    await imported([row('fay')])
    const access = await shop.client.getAccess({ rid: 'pass', user_ref: 'fay' })
    expect(access).toMatchObject({ id: known.id, uid: known.uid, expires: now() + 10 * DAY })
    expect(await hasAccess('old-fay')).toBe(true)
  })

  it('are left alone when the file is imported again', async () => {
    const rows = [row('gil'), row('hal'), row('hal', { rid: 'other' })]
    expect(await imported(rows)).toMatchObject({ imported: 3, unchanged: 0 })
    await shop.client.cancelSubscription({ rid: 'pass', user_ref: 'gil' })
    const before = await dumpTables(shop.environment.database.read)
    expect(await imported([...rows, row('ian')], true)).toMatchObject({ imported: 1, unchanged: 3 })
    expect(await imported(rows)).toMatchObject({ rows: 3, imported: 0, unchanged: 3, wrong: [] })
    expect(await dumpTables(shop.environment.database.read)).toEqual(before)
    // This holds even when the period in the file has long ended.
    await shop.advance(12 * DAY)
    expect(await imported([row('hal', { current_period_end: now() - DAY })])).toMatchObject({
      ...{ unchanged: 1, wrong: [] },
    })
  })

  it('change nothing in a dry run', async () => {
    const before = await dumpTables(shop.environment.database.read)
    const outcome = await imported([row('jan'), row('kai')], true)
    expect(outcome).toMatchObject({ rows: 2, imported: 2 })
    expect(await dumpTables(shop.environment.database.read)).toEqual(before)
  })

  it('are all refused for one wrong row, and each wrong row is named with its line', async () => {
    await shop.client.grantAccess({ rid: 'pass', email: 'owner@example.com', user_ref: 'taken' })
    const before = await dumpTables(shop.environment.database.read)
    const wrong: [Record<string, string | number>, string][] = [
      [{ rid: 'no-such' }, 'No such resource'],
      [{ email: 'nobody' }, 'email: not a valid email address'],
      [{ user_ref: 'taken' }, 'belongs to a user with another email address'],
      [{ amount: '4.999' }, 'amount: not a valid EUR amount; write it like 4.99'],
      [{ amount: '0' }, 'more than 0'],
      [{ currency: 'XYZ' }, 'currency: not a currency; use an ISO 4217 code'],
      [{ period: 'month' }, 'period: must be a period'],
      [{ current_period_end: now() }, 'current_period_end: in the past'],
      [{ current_period_end: '' }, 'current_period_end: must not be empty'],
      [{ current_period_end: now() * 1000 }, 'milliseconds'],
      [{ status: 'past_due' }, 'status: must be active or canceled'],
      [{ created: 'yesterday' }, 'created: must be a whole number'],
      [
        { method: 'cus_1:pm_2', provider: 'stripe' },
        'stripe is not the payment provider of this installation',
      ],
      [{ provider: 'test' }, 'provider: needs a method'],
      [{ email: 'Good@example.com', user_ref: '' }, 'Line 2 has the same reader and resource'],
    ]
    const rows = [row('good'), ...wrong.map(([more], i) => row(`wrong${i}`, more))]
    const outcome = await imported(rows)
    expect(outcome.wrong.map(({ line }) => line)).toEqual(wrong.map((_, i) => i + 3))
    for (const [i, [, reason]] of wrong.entries()) {
      expect(outcome.wrong[i]?.reason).toContain(reason)
    }
    expect(await dumpTables(shop.environment.database.read)).toEqual(before)
  })

  it('need the columns that say what was sold', async () => {
    const open = (names: string) => {
      const path = join(folder, `${files++}.csv`)
      writeFileSync(path, `${names}\n`)
      return openCsv(path, problemWithHeader)
    }
    await expect(open('rid,email')).rejects.toThrow('missing columns: amount, currency, period')
    await expect(open('rid,email,price')).rejects.toThrow('unknown columns: price')
  })
})
