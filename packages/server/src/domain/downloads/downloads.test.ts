import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import {
  NOT_FOUND,
  outcomesOf,
  sha256,
  ten,
  useDownloadChanges,
} from '../../testing/downloads/download-changes.ts'
import { addDownload } from '../../testing/downloads/downloads.ts'
import { dumpTables } from '../../testing/dump.ts'
import { getDownload, getPublishedDownload, listDownloads } from './downloads.ts'

describe.each(databases)('downloads on $name', (database) => {
  const changes = useDownloadChanges(database)
  const { service, app, key, db, now } = changes
  const { describeIt, publish, past, contentOf, filesOf } = changes

  describe('a new one', () => {
    it('has what it was given, its file, and a line in the history', async () => {
      const made = await addDownload(app, 'guide', Buffer.from('the bytes'), {
        title: 'Guide “2027”',
        description: 'All you need.',
        image: 'https://example.com/guide.png',
        fileName: 'Guide Nº 7.pdf',
        type: 'application/pdf',
      })
      expect(made).toMatchObject({
        aid: app.aid,
        rid: 'guide',
        title: 'Guide “2027”',
        description: 'All you need.',
        image: 'https://example.com/guide.png',
        file_name: 'Guide Nº 7.pdf',
        type: 'application/pdf',
        store: 'disk',
        sha256: sha256('the bytes'),
        size: 9,
        ...{ filed: now(), created: now(), modified: now(), published: now() },
      })
      expect(await getPublishedDownload(db().read, key())).toEqual(made)
      expect(await contentOf()).toBe('the bytes')
      expect(await past()).toEqual([
        {
          action: 'download created',
          actor: 'test',
          at: now(),
          before: null,
          after: {
            download: made.id,
            title: 'Guide “2027”',
            file: 'Guide Nº 7.pdf',
            published: true,
            sha256: sha256('the bytes'),
            size: 9,
          },
        },
      ])
    })

    it('may be an empty file', async () => {
      const { size } = await addDownload(app, 'guide', Buffer.alloc(0))
      expect([size, await contentOf()]).toEqual([0, ''])
    })

    it('that is not published is nothing to the world', async () => {
      const made = await addDownload(app, 'guide', undefined, { publish: false })
      expect(made.published).toBeNull()
      expect(await getDownload(db().read, key())).toEqual(made)
      await expect(getPublishedDownload(db().read, key())).rejects.toMatchObject(NOT_FOUND)
      expect(await past()).toMatchObject([{ after: { published: false } }])
    })

    it('of a resource that is not there leaves nothing but a file to sweep', async () => {
      const other = await service.newApplication()
      const before = await dumpTables(db().read)
      for (const [of, rid] of [
        [app, 'nowhere'],
        [other, 'guide'],
      ] as const) {
        const made = addDownload(of, rid)
        await expect(made).rejects.toMatchObject({ code: 'resource_not_found' })
      }
      const after = await dumpTables(db().read)
      expect(after.files).toHaveLength((before.files?.length ?? 0) + 2)
      expect({ ...after, files: [] }).toEqual({ ...before, files: [] })
    })

    it('is refused where there is one, which stays as it is', async () => {
      const first = await addDownload(app, 'guide', Buffer.from('first'))
      const second = addDownload(app, 'guide', Buffer.from('second'), { title: 'Second' })
      await expect(second).rejects.toMatchObject({ code: 'download_exists', status: 402 })
      expect(await getDownload(db().read, key())).toEqual(first)
      expect(await contentOf()).toBe('first')
      expect(await past()).toHaveLength(1)
      expect((await filesOf()).map((file) => file.sha256)).toContain(sha256('second'))
    })

    it('is one of ten that are made at once', async () => {
      const results = await ten((i) => addDownload(app, 'guide', Buffer.from(`file ${i}`)))
      const winner = results.findIndex(({ status }) => status === 'fulfilled')
      expect(outcomesOf(results)).toEqual({
        good: 1,
        refusals: Array.from({ length: 9 }, () => 'download_exists'),
      })
      expect(await contentOf()).toBe(`file ${winner}`)
      expect(await past()).toHaveLength(1)
      await service.requireInvariants()
    })

    it('is one of ten with the very same bytes, and its file stays', async () => {
      expect(outcomesOf(await ten(() => addDownload(app, 'guide', Buffer.from('same'))))).toEqual({
        good: 1,
        refusals: Array.from({ length: 9 }, () => 'download_exists'),
      })
      expect(await contentOf()).toBe('same')
    })
  })

  describe('what people are told', () => {
    it('can be changed one by one, with what it was before', async () => {
      const old = await addDownload(app, 'guide', undefined, { description: 'Old.' })
      service.clock.advance(1)
      const changes = [
        { title: 'New title' },
        { description: '' },
        { image: 'https://example.com/new.png' },
      ]
      for (const input of changes) await describeIt(input)
      expect(await getDownload(db().read, key())).toEqual({
        ...old,
        ...{ title: 'New title', description: '', image: 'https://example.com/new.png' },
        modified: now(),
      })
      const change = { action: 'download described', actor: 'test', at: now() }
      const download = old.id
      expect((await past()).slice(1)).toEqual([
        { ...change, before: { download, title: 'Download of guide' }, after: changes[0] },
        { ...change, before: { download, description: 'Old.' }, after: changes[1] },
        { ...change, before: { download, image: '' }, after: changes[2] },
      ])
    })

    it('that is as it was is no change', async () => {
      const old = await addDownload(app, 'guide', undefined, { description: 'Same.' })
      service.clock.advance(1)
      const { title, description, image } = old
      expect(await describeIt({ title, description, image })).toEqual(old)
      expect(await describeIt({})).toEqual(old)
      expect(await past()).toHaveLength(1)
      // If only one of several values is new, the history names that one alone.
      await describeIt({ title: 'New', description })
      expect((await past()).at(-1)).toMatchObject({ after: { title: 'New' } })
      expect((await past()).at(-1)?.after).not.toHaveProperty('description')
    })

    it('of none, and of another’s, is refused', async () => {
      await expect(describeIt({ title: 'X' })).rejects.toMatchObject(NOT_FOUND)
      const old = await addDownload(app, 'guide')
      const other = await service.newApplication()
      const foreign = { aid: other.aid, rid: 'guide' }
      await expect(describeIt({ title: 'X' }, foreign)).rejects.toMatchObject(NOT_FOUND)
      expect(await getDownload(db().read, key())).toEqual(old)
    })
  })

  describe('publishing', () => {
    it('shows it and takes it back, with a line in the history each', async () => {
      const made = await addDownload(app, 'guide', undefined, { publish: false })
      service.clock.advance(5)
      expect(await publish(true)).toEqual({ ...made, published: now(), modified: now() })
      expect(await getPublishedDownload(db().read, key())).toMatchObject({ id: made.id })
      service.clock.advance(5)
      expect(await publish(false)).toEqual({ ...made, published: null, modified: now() })
      await expect(getPublishedDownload(db().read, key())).rejects.toMatchObject(NOT_FOUND)
      const before = { download: made.id }
      expect((await past()).slice(1)).toEqual([
        { action: 'download published', actor: 'test', at: now() - 5, before, after: null },
        { action: 'download withdrawn', actor: 'test', at: now(), before, after: null },
      ])
    })

    it('what is published, and withdrawing what is not, is no change', async () => {
      const made = await addDownload(app, 'guide')
      service.clock.advance(5)
      expect(await publish(true)).toEqual(made)
      const withdrawn = await publish(false)
      service.clock.advance(5)
      expect(await publish(false)).toEqual(withdrawn)
      expect(await past()).toHaveLength(2)
    })

    it('by ten at once is one change', async () => {
      await addDownload(app, 'guide', undefined, { publish: false })
      expect(outcomesOf(await ten(() => publish(true))).good).toBe(10)
      expect(await past()).toHaveLength(2)
    })

    it('none, or another’s, is refused', async () => {
      await expect(publish(true)).rejects.toMatchObject(NOT_FOUND)
      await addDownload(app, 'guide')
      const other = await service.newApplication()
      const foreign = publish(false, { aid: other.aid, rid: 'guide' })
      await expect(foreign).rejects.toMatchObject(NOT_FOUND)
      expect((await getDownload(db().read, key())).published).not.toBeNull()
    })
  })

  it('are listed for one application, the newest first', async () => {
    const other = await service.newApplication()
    await other.addResource('guide')
    await addDownload(other, 'guide')
    expect(await listDownloads(db().read, app.aid)).toEqual([])
    for (const rid of ['maps', 'plans']) await app.addResource(rid)
    for (const rid of ['maps', 'guide', 'plans']) {
      await addDownload(app, rid, undefined, { publish: rid !== 'maps' })
      service.clock.advance(1)
    }
    const rows = await listDownloads(db().read, app.aid)
    expect(rows.map(({ rid }) => rid)).toEqual(['plans', 'guide', 'maps'])
    expect(rows[0]).toEqual(await getDownload(db().read, key('plans')))
  })
})
