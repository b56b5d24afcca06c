import { describe, expect, it } from 'vitest'
import { insertRows } from '../../../db/queries/rows.ts'
import { databases } from '../../../testing/databases.ts'
import { useFreshApplication, useService } from '../../../testing/use-service.ts'
import { foldCounts, foldTagsOf } from './counting.ts'
import { isBefore, readWatermark } from './watermark.ts'

describe.each(databases)('the counts of an application on $name', (database) => {
  const service = useService(database, { checksInvariants: false })
  const app = useFreshApplication(service, { resources: ['news'] })

  const db = () => app.environment.database
  const grant = (name: string, more: { tags?: string; expiration?: number } = {}) =>
    app.client.grantAccess({ rid: 'news', email: `${name}@example.com`, ...more })
  const fold = () => foldCounts(db(), service.clock.seconds)
  const readCounts = async () => {
    const rows = await db()
      .read.selectFrom('access_counts')
      .selectAll()
      .where('aid', '=', app.aid)
      .orderBy('scope')
      .execute()
    return rows.map(({ scope, all_n, live_n }) => [scope, all_n, live_n])
  }
  const readPending = async () => {
    const rows = await db()
      .read.selectFrom('access_changes')
      .select('scope')
      .where('aid', '=', app.aid)
      .orderBy('scope')
      .execute()
    return rows.map(({ scope }) => scope)
  }

  it.each([500, 1_000, 1_001])('take in the changes of %d tags, each once', async (many) => {
    await fold()
    const scopes = Array.from({ length: many }, (_, i) => `t${10_000 + i}`)
    const ends = service.clock.seconds + 10
    const changes = scopes.map((scope, i) => ({
      ...{ aid: app.aid, scope, id: `${i}`, ends, access_id: 'a', n: 1 },
    }))
    await db().write((trx) => insertRows(trx, 'access_changes', changes))
    expect(await fold()).toBe(many)
    expect(await readCounts()).toEqual(scopes.map((scope) => [scope, 1, 1]))
  })

  it.each([
    [60, false],
    [61, true],
  ])('go back with a clock that is turned back by %d seconds: %s', async (back, isFollowed) => {
    await grant('ann', { expiration: service.clock.seconds + 10 })
    service.clock.advance(100)
    while ((await fold()) > 0);
    const mark = await readWatermark(db().read, app.aid)
    service.clock.advance(-back)
    // A change, so that the application is not left alone.
    await grant('bob')
    await grant('cid', { expiration: mark.ends - 5 })
    while ((await fold()) > 0);
    const { ends } = await readWatermark(db().read, app.aid)
    expect(ends).toBe(isFollowed ? mark.ends - back : mark.ends)
    expect(await readCounts()).toEqual([
      ['', 3, isFollowed ? 2 : 1],
      ['rnews', 3, isFollowed ? 2 : 1],
    ])
    service.clock.advance(back)
  })

  it('can take in the tags of one person alone, of whom nothing is left in the changes', async () => {
    const { uid } = await grant('ann', { tags: 'ann@example.com,gift' })
    await grant('bob', { tags: 'gift' })
    await grant('ann', { tags: 'gift' })
    const before = await readPending()
    expect(before.filter((scope) => scope === 'tann@example.com')).toHaveLength(2)
    await db().write((trx) => foldTagsOf(trx, app.aid, uid))
    expect(await readPending()).toEqual(['rnews', 'rnews', 'tgift'])
    expect(await readCounts()).toEqual([['tgift', 1, 1]])
    await db().write((trx) => foldTagsOf(trx, app.aid, uid))
    expect(await readCounts()).toEqual([['tgift', 1, 1]])
  })
})

it('a record is before another by its end, and by its id where they end together', () => {
  const at = (ends: number, access_id: string) => ({ ends, access_id })
  expect(isBefore(at(1, 'b'), at(2, 'a'))).toBe(true)
  expect(isBefore(at(2, 'a'), at(1, 'b'))).toBe(false)
  expect(isBefore(at(2, 'a'), at(1, 'a'))).toBe(false)
  expect(isBefore(at(1, 'a'), at(1, 'b'))).toBe(true)
  expect(isBefore(at(1, 'b'), at(1, 'a'))).toBe(false)
  expect(isBefore(at(1, 'a'), at(1, 'a'))).toBe(false)
})
