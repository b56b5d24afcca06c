import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Tables } from '../../db/tables.ts'
import { newId } from '../../ids.ts'
import { createLogger } from '../../logging/logger.ts'
import { databases } from '../../testing/databases.ts'
import { addDownload, toDeliveryRows } from '../../testing/downloads/downloads.ts'
import { MONTHLY, ONCE } from '../../testing/payments/shop.ts'
import { DAY } from '../../testing/time.ts'
import { useFreshShop, useService } from '../../testing/use-service.ts'
import { startPaymentWorker } from '../../worker/payment-worker.ts'
import { archiveApplication } from '../apps/applications.ts'
import { recordDeliveries } from '../downloads/deliveries.ts'
import { type DownloadRow, getDownload } from '../downloads/downloads.ts'
import { countUse } from '../downloads/uses.ts'
import { listHistory } from '../history/history.ts'
import { mergeUsers } from '../people/merge.ts'
import { archivePrice, createPrice } from '../resources/prices.ts'
import { resetSandbox } from './reset.ts'

/** Tables with rows about people. */
const LIVES: readonly (keyof Tables)[] = [
  ...(['users', 'user_refs', 'former_addresses', 'access', 'access_tags'] as const),
  ...(['sources', 'subscriptions'] as const),
  ...(['payments', 'refunds', 'checkouts', 'test_ledger', 'outbox'] as const),
  ...(['download_uses', 'deliveries'] as const),
]
const KEPT: readonly (keyof Tables)[] = [
  ...(['applications', 'application_keys', 'resources', 'prices', 'secrets'] as const),
  ...(['files', 'downloads'] as const),
]

describe.each(databases)('a reset of the sandbox on $name', (database) => {
  const service = useService(database)
  const shop = useFreshShop(service, 'article', 'pass')
  beforeEach(async () => {
    await addDownload(shop, 'article')
  })
  afterEach(async () => {
    await sandbox().refreshClock()
    await service.requireInvariants()
    await reset()
    await sandbox().refreshClock()
  })

  const sandbox = () => service.ctx.environments.sandbox
  const real = () => service.clock.seconds
  const reset = () =>
    sandbox().database.write((trx) => resetSandbox(trx, real(), 'test'), { batch: true })
  const rowsOf = async (table: keyof Tables, db = sandbox().database.read) =>
    (await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(db)).rows

  /** Records a download by a link with limited uses. The service would write the delivery a moment later. */
  async function fetchFile({ aid, rid, id }: DownloadRow): Promise<void> {
    const at = sandbox().clock()
    const link = { id: newId(), aid, downloadId: id, expires: at + DAY }
    const delivery = { aid, rid, download_id: id, link: link.id, uid: null, at, bytes: 19 }
    await sandbox().database.write(async (trx) => {
      await countUse(trx, link, 1, at)
      await recordDeliveries(trx, toDeliveryRows([{ ...delivery, outcome: 'complete' }]), at)
    })
  }

  /** Creates rows in every table of `LIVES`. */
  async function live(): Promise<void> {
    const { aid } = shop
    const ann = await shop.client.grantAccess({
      ...{ rid: 'article', email: 'ann@example.com', user_ref: 'ann', tags: 'gift' },
    })
    const twin = await shop.client.grantAccess({ rid: 'pass', email: 'twin@example.com' })
    const merge = { aid, from: twin.uid, into: ann.uid, actor: 'test' }
    await sandbox().database.write((trx) => mergeUsers(trx, merge, sandbox().clock()))
    await shop.buy({ rid: 'article', userRef: 'bob' })
    await shop.buy({ rid: 'pass', userRef: 'cid', terms: MONTHLY })
    await shop.client.revokeAccess({ rid: 'article', user_ref: 'bob', refund: true })
    await sandbox().manageLink({ aid: 'any', id: 'any', linkNumber: 0 }, real())
    await fetchFile(await getDownload(sandbox().database.read, { aid, rid: 'article' }))
    for (const table of LIVES) expect(await rowsOf(table), table).not.toEqual([])
  }

  it('empties all but applications, keys, settings, resources, prices and files', async () => {
    const { aid } = shop
    const price = { aid, rid: 'article', amount: 499, currency: 'EUR', recurring: 0, period: null }
    await sandbox().database.write((trx) =>
      createPrice(trx, { ...price, recurring: 0, trial_days: 0 }, real(), 'test'),
    )
    await live()
    const before = await Promise.all(KEPT.map((table) => rowsOf(table)))
    expect(await reset()).toEqual({ applications: before[0]?.length })
    for (const table of LIVES) expect(await rowsOf(table), table).toEqual([])
    expect(await Promise.all(KEPT.map((table) => rowsOf(table)))).toEqual(before)
    // The only entry left in an application's history is the reset itself.
    expect(await listHistory(sandbox().database.read, aid)).toMatchObject([
      { action: 'sandbox emptied', actor: 'test', at: real() },
    ])
  })

  it('ends the links of people; what they were fetching is somebody’s, and of now', async () => {
    await shop.advance(40 * DAY)
    await shop.client.grantAccess({ rid: 'article', email: 'ann@example.com', user_ref: 'ann' })
    const input = { rid: 'article', lifetime: DAY }
    const { url: hers } = await shop.client.getDownloadUrl({ ...input, user_ref: 'ann' })
    expect((await fetch(hers)).status).toBe(200)
    await reset()
    // The delivery is written only now, by a server that does not know about the reset.
    await expect
      .poll(() => rowsOf('deliveries'))
      .toMatchObject([{ aid: shop.aid, rid: 'article', bytes: 19, uid: null, at: real() }])
    expect((await fetch(hers)).status).toBe(403)
    const { url: anew } = await shop.client.getDownloadUrl(input)
    expect((await fetch(anew, { method: 'HEAD' })).status).toBe(200)
  })

  it('leaves production alone', async () => {
    const app = await service.newApplication('production')
    await app.addResource('news')
    await app.client.grantAccess({ rid: 'news', email: 'ann@example.com', user_ref: 'ann' })
    await live()
    await reset()
    expect(await app.client.hasAccess({ rid: 'news', user_ref: 'ann' })).toBe(true)
  })

  it('turns the clock back to real time, and what was made ahead of it is from now', async () => {
    await live()
    await shop.advance(40 * DAY)
    const ahead = sandbox().clock()
    expect(ahead).toBe(real() + 40 * DAY)
    await shop.addResource('late')
    await addDownload(shop, 'late')
    const late = await service.newApplication('sandbox')
    const { aid } = shop
    await sandbox().database.write(async (trx) => {
      const { id } = await createPrice(trx, { aid, rid: 'late', ...ONCE }, ahead, 'test')
      await archivePrice(trx, { aid, id }, ahead, 'test')
      await archiveApplication(trx, late.aid, ahead, 'test')
    })
    service.clock.advance(60)
    await reset()
    await sandbox().refreshClock()
    expect(sandbox().clock()).toBe(real())
    const times = [...(await rowsOf('applications')), ...(await rowsOf('resources'))]
    times.push(...(await rowsOf('prices')), ...(await rowsOf('downloads')))
    for (const row of times) {
      for (const column of ['created', 'archived', 'filed', 'modified', 'published']) {
        expect(row[column] ?? 0, column).toBeLessThanOrEqual(real())
      }
    }
    // Rows created before the clock was moved keep their time.
    const created = (name: string) =>
      times.filter(({ rid }) => rid === name).map((row) => row.created)
    expect(new Set(created('article'))).toEqual(new Set([real() - 60]))
    expect(new Set(created('late'))).toEqual(new Set([real()]))
  })

  it('is not noticed by a server that runs, but for what is gone', async () => {
    const worker = startPaymentWorker(sandbox(), createLogger('silent'))
    try {
      await live()
      await shop.client.advanceClock({ seconds: 40 * DAY })
      await reset()
      expect(await shop.client.hasAccess({ rid: 'pass', user_ref: 'cid' })).toBe(false)
      expect((await shop.client.getClock()).time).toBe(real())
      await shop.buy({ rid: 'pass', userRef: 'cid', terms: MONTHLY })
      await shop.client.advanceClock({ seconds: 32 * DAY })
      const { data } = await shop.client.searchPayments({ rid: 'pass', user_ref: 'cid' })
      expect(data.map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
    } finally {
      await worker.stop()
    }
  })

  it('happens whole or not at all', async () => {
    await live()
    await shop.advance(DAY)
    const before = await Promise.all([...LIVES, ...KEPT].map((table) => rowsOf(table)))
    const broken = sandbox().database.write(async (trx) => {
      await resetSandbox(trx, real(), 'test')
      throw new Error('the power is gone')
    })
    await expect(broken).rejects.toThrow('the power is gone')
    expect(await Promise.all([...LIVES, ...KEPT].map((table) => rowsOf(table)))).toEqual(before)
    await sandbox().refreshClock()
    expect(sandbox().clock()).toBe(real() + DAY)
  })
})
