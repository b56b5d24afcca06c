import { describe, expect, it } from 'vitest'
import type { Trx } from '../../../db/database.ts'
import { FOREVER } from '../../../db/tables.ts'
import { databases } from '../../../testing/databases.ts'
import { DAY } from '../../../testing/time.ts'
import { useFreshShop, useService } from '../../../testing/use-service.ts'
import { clocksOf } from '../../payments/context.ts'
import { previewGrant } from './preview.ts'

describe.each(databases)('The preview of a grant on $name', (database) => {
  const service = useService(database)
  const shop = useFreshShop(service, 'news')

  const now = () => shop.environment.clock()
  const grant = (expiration?: number) =>
    shop.client.grantAccess({
      ...{ rid: 'news', email: 'ann@example.com', suppress_email: true },
      ...(expiration === undefined ? {} : { expiration }),
    })
  const preview = (ends: number, more: Partial<Parameters<typeof previewGrant>[1]> = {}) => {
    const input = { aid: shop.aid, rid: 'news', email: 'ann@example.com', actor: 'test', ends }
    const ask = (trx: Trx) => previewGrant(trx, { ...input, ...more }, clocksOf(shop.environment))
    return shop.environment.database.write(ask)
  }

  it('says that somebody new gets access, and writes nothing', async () => {
    const ends = now() + DAY
    const expected = { outcome: 'new', uid: null, endsBefore: null, ends, mail: false }
    expect(await preview(ends)).toEqual(expected)
    expect(await preview(ends, { notify: 'queued' })).toEqual({ ...expected, mail: true })
    expect((await shop.client.searchAccess({})).total).toBe(0)
  })

  it.each([
    ['extended', 2 * DAY],
    ['shortened', DAY / 2],
    ['unchanged', DAY],
  ])('says that access is %s', async (outcome, seconds) => {
    const endsBefore = now() + DAY
    const { uid } = await grant(endsBefore)
    const ends = now() + seconds
    expect(await preview(ends)).toEqual({ outcome, uid, endsBefore, ends, mail: false })
  })

  it('says what stays: time that is paid for', async () => {
    const email = 'ann@example.com'
    await shop.buy({ rid: 'news', vouchedEmail: email, terms: { period: '30 days' } })
    const paid = now() + 30 * DAY
    expect(await preview(now() + DAY)).toMatchObject({
      ...{ outcome: 'changed', endsBefore: paid, ends: paid },
    })
    expect(await preview(FOREVER)).toMatchObject({
      ...{ outcome: 'extended', endsBefore: paid, ends: FOREVER },
    })
  })

  it('says of another name alone that access does not change', async () => {
    const ends = now() + DAY
    await grant(ends)
    const seen = await preview(ends, { firstName: 'Ann' })
    expect(seen).toMatchObject({ outcome: 'unchanged', endsBefore: ends, ends })
  })

  it('says of other tags alone that access changes, and when it ends', async () => {
    const ends = now() + DAY
    await grant(ends)
    const seen = await preview(ends, { tags: ['gift'] })
    expect(seen).toMatchObject({ outcome: 'changed', endsBefore: ends, ends })
  })

  it('is refused where the grant would be', async () => {
    await expect(preview(FOREVER, { rid: 'maps' })).rejects.toMatchObject({
      code: 'resource_not_found',
    })
  })
})
