import { beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../ids.ts'
import type { DownloadLink } from '../../signing/download-links.ts'
import { databases } from '../../testing/databases.ts'
import { DAY } from '../../testing/time.ts'
import { useApplication, useService } from '../../testing/use-service.ts'
import { sweepDownloads } from './sweep.ts'
import { countUse } from './uses.ts'

const USED = { code: 'link_used', status: 410 }

describe.each(databases)('the uses of a link on $name', (database) => {
  const service = useService(database)
  const app = useApplication(service)
  let link: DownloadLink
  beforeEach(() => {
    link = newLink()
  })

  const now = () => service.clock.seconds
  const newLink = (): DownloadLink => ({
    ...{ id: newId(), aid: app.aid, downloadId: newId() },
    expires: now() + 100 * DAY,
  })
  const open = (limit: number, of = link, at = now()) =>
    app.environment.database.write((trx) => countUse(trx, of, limit, at))
  const usesOf = async (of = link) =>
    await app.environment.database.read
      .selectFrom('download_uses')
      .selectAll()
      .where('link', '=', of.id)
      .orderBy('number')
      .execute()

  /** Makes twenty concurrent requests, as download managers and many readers do. */
  async function crowd(limit: number): Promise<{ good: number; codes: string[] }> {
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => open(limit)))
    const refusals = results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    return {
      good: results.length - refusals.length,
      codes: [...new Set(refusals.map(({ code }) => code))],
    }
  }

  it('begin with a row that says when, of how many, and until when it is of interest', async () => {
    await open(3)
    const { aid, expires } = link
    expect(await usesOf()).toEqual([
      { link: link.id, number: 1, most: 3, aid, opened: now(), ends: expires },
    ])
  })

  it('cover all that is fetched within 24 hours', async () => {
    await open(1)
    const opened = now()
    for (const seconds of [0, 1, 3600, DAY - 1]) await open(1, link, opened + seconds)
    expect(await usesOf()).toHaveLength(1)
    await expect(open(1, link, opened + DAY)).rejects.toMatchObject(USED)
    // A request from a machine whose clock is a little behind.
    await open(1, link, opened - 2)
    expect(await usesOf()).toHaveLength(1)
  })

  it('are counted one by one, and refused when all are used up, for good', async () => {
    const begin = now()
    for (const day of [0, 1, 2]) await open(3, link, begin + day * DAY)
    // Each use covers a day from its own start.
    service.clock.advance(10 * DAY)
    expect((await usesOf()).map(({ number, opened }) => [number, opened])).toEqual([
      [1, begin],
      [2, begin + DAY],
      [3, begin + 2 * DAY],
    ])
    for (const later of [3 * DAY, 4 * DAY, 90 * DAY]) {
      await expect(open(3, link, begin + later)).rejects.toMatchObject(USED)
    }
    expect(await usesOf()).toHaveLength(3)
  })

  it('are one when twenty come at once, and all of them are let in', async () => {
    expect(await crowd(1)).toEqual({ good: 20, codes: [] })
    expect(await usesOf()).toHaveLength(1)
  })

  it('are one more a day later, however many come at once', async () => {
    for (const count of [1, 2, 3]) {
      expect(await crowd(3)).toEqual({ good: 20, codes: [] })
      expect(await usesOf()).toHaveLength(count)
      service.clock.advance(DAY)
    }
    expect(await crowd(3)).toEqual({ good: 0, codes: ['link_used'] })
    expect(await usesOf()).toHaveLength(3)
    await service.requireInvariants()
  })

  it('of one link are not those of another', async () => {
    const other = newLink()
    await open(1)
    await open(1, other)
    service.clock.advance(DAY)
    await expect(open(1)).rejects.toMatchObject(USED)
    await expect(open(1, other)).rejects.toMatchObject(USED)
    await open(1, newLink())
  })

  it('are forgotten a day after the end of their link, all of them, and not before', async () => {
    const [short, long] = [{ ...link, expires: now() + 2 * DAY }, newLink()]
    for (const at of [now(), now() + DAY]) await open(2, short, at)
    await open(2, long)
    service.clock.advance(3 * DAY)
    await sweepDownloads(app.environment)
    expect(await usesOf(short)).toHaveLength(2)
    service.clock.advance(1)
    await sweepDownloads(app.environment)
    expect(await usesOf(short)).toEqual([])
    expect(await usesOf(long)).toHaveLength(1)
  })

  it('are not counted when the transaction fails after all', async () => {
    const failing = app.environment.database.write(async (trx) => {
      await countUse(trx, link, 1, now())
      throw new Error("the file can't be opened")
    })
    await expect(failing).rejects.toThrow("the file can't be opened")
    expect(await usesOf()).toEqual([])
    await open(1)
  })
})
