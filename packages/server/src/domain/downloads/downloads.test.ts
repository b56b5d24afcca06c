import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { addDownload, testActor, uploadBytes } from '../../testing/downloads/downloads.ts'
import { dumpTables } from '../../testing/dump.ts'
import { useFreshApplication, useService } from '../../testing/use-service.ts'
import { listHistory } from '../history/history.ts'
import {
  type Description,
  describeDownload,
  findDownload,
  getDownload,
  getPublishedDownload,
  listDownloads,
  publishDownload,
  removeDownload,
  replaceFile,
} from './downloads.ts'
import type { UnreferencedFile } from './files.ts'
import type { OpenFile } from './storage/storage.ts'

const NOT_FOUND = { code: 'download_not_found', status: 404 }
const sha256 = (bytes: string) => createHash('sha256').update(bytes).digest('hex')
const ten = <T>(work: (i: number) => Promise<T>) =>
  Promise.allSettled(Array.from({ length: 10 }, (_, i) => work(i)))

/** Returns how many calls succeeded, and the error codes of the rest. */
function outcomesOf(results: PromiseSettledResult<unknown>[]) {
  const refusals = results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  return { good: results.length - refusals.length, refusals: refusals.map(({ code }) => code) }
}

describe.each(databases)('downloads on $name', (database) => {
  const service = useService(database)
  const app = useFreshApplication(service)
  beforeEach(async () => {
    await app.addResource('guide', { name: 'The guide' })
  })

  const key = (rid = 'guide') => ({ aid: app.aid, rid })
  const db = () => app.environment.database
  const doing = () => testActor(app.environment)
  const now = () => service.clock.seconds

  const describeIt = (input: Partial<Description>, of = key()) =>
    db().write((trx) => describeDownload(trx, of, input, doing()))
  const publish = (is: boolean, of = key()) =>
    db().write((trx) => publishDownload(trx, of, is, doing()))
  const remove = (of = key()) => db().write((trx) => removeDownload(trx, of, doing()))
  const replace = (bytes: string, fileName = 'new.txt', of = key()) =>
    uploadBytes(app, Buffer.from(bytes), (file: UnreferencedFile) =>
      db().write((trx) => replaceFile(trx, of, file, { fileName, type: 'text/plain' }, doing())),
    )

  /** Lists the download's history, oldest first. */
  async function past(rid = 'guide') {
    const rows = await listHistory(db().read, app.aid, { rid })
    return rows
      .filter(({ action }) => action !== 'resource created')
      .map(({ action, actor, at, before, after }) => ({
        ...{ action, actor, at },
        before: before === null ? null : JSON.parse(before),
        after: after === null ? null : JSON.parse(after),
      }))
  }

  async function contentOf(rid = 'guide'): Promise<string> {
    const { file_id, ...row } = await getDownload(db().read, key(rid))
    const store = app.environment.stores.of(row.store)
    const file: OpenFile = await store.open({ ...row, id: file_id })
    const chunks: Buffer[] = []
    try {
      // Copies the chunk, because its memory is reused.
      const keep = async (bytes: Uint8Array) => chunks.push(Buffer.from(bytes))
      if (row.size > 0) await file.send({ first: 0, last: row.size - 1 }, keep)
    } finally {
      await file.close()
    }
    return Buffer.concat(chunks).toString()
  }

  const filesOf = async () =>
    await db()
      .read.selectFrom('files')
      .selectAll()
      .where('dropped', 'is not', null)
      .orderBy('created')
      .execute()

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

  describe('another file in its place', () => {
    it('is delivered from then on, under the same id; the old one is dropped now', async () => {
      const old = await addDownload(app, 'guide', Buffer.from('old'), { description: 'Stays.' })
      service.clock.advance(60)
      const row = await replace('newer', 'Guide 2.txt')
      expect(row).toEqual({
        ...old,
        ...{ file_name: 'Guide 2.txt', type: 'text/plain', sha256: sha256('newer'), size: 5 },
        file_id: row.file_id,
        ...{ filed: now(), modified: now() },
      })
      expect(row.file_id).not.toBe(old.file_id)
      expect(await contentOf()).toBe('newer')
      const dropped = (await filesOf()).find(({ id }) => id === old.file_id)
      expect(dropped?.dropped).toBe(service.clock.now)
      expect((await past()).slice(1)).toEqual([
        {
          action: 'file replaced',
          actor: 'test',
          at: now(),
          before: { download: old.id, file: 'guide.bin', sha256: sha256('old'), size: 3 },
          after: { file: 'Guide 2.txt', sha256: sha256('newer'), size: 5 },
        },
      ])
    })

    it('with the same bytes is a file of its own, and can be read', async () => {
      const old = await addDownload(app, 'guide', Buffer.from('same'))
      const row = await replace('same')
      expect([row.sha256, row.file_id === old.file_id]).toEqual([old.sha256, false])
      expect(await contentOf()).toBe('same')
    })

    it('is refused where there is none, and where it is another’s', async () => {
      await expect(replace('x')).rejects.toMatchObject(NOT_FOUND)
      await addDownload(app, 'guide')
      const other = await service.newApplication()
      await expect(replace('x', 'x', { aid: other.aid, rid: 'guide' })).rejects.toMatchObject(
        NOT_FOUND,
      )
      expect(await contentOf()).toBe('the file of guide')
    })

    it('that cannot be named changes nothing', async () => {
      const old = await addDownload(app, 'guide', Buffer.from('old'))
      const failing = uploadBytes(app, Buffer.from('new'), (file) =>
        db().write(async (trx) => {
          const name = async () => {
            throw new Error('the disk is gone')
          }
          await replaceFile(
            trx,
            key(),
            { ...file, attach: name },
            { fileName: 'x', type: 'x' },
            doing(),
          )
        }),
      )
      await expect(failing).rejects.toThrow('the disk is gone')
      expect(await getDownload(db().read, key())).toEqual(old)
      expect(await contentOf()).toBe('old')
      expect(await past()).toHaveLength(1)
    })

    it('and nine more at once: the last one stays, and no other is named', async () => {
      await addDownload(app, 'guide', Buffer.from('old'))
      expect(outcomesOf(await ten((i) => replace(`new ${i}`))).good).toBe(10)
      const changes = await past()
      expect(changes).toHaveLength(11)
      // Each file replaced the one before it; none is lost in between.
      for (const [i, { before }] of changes.slice(1).entries()) {
        expect(before.sha256).toBe(changes[i]?.after.sha256)
      }
      expect(sha256(await contentOf())).toBe(changes.at(-1)?.after.sha256)
      await service.requireInvariants()
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

  describe('a removed one', () => {
    it('is gone, with its file dropped now and a line in the history', async () => {
      const old = await addDownload(app, 'guide', Buffer.from('old'))
      service.clock.advance(7)
      await remove()
      expect(await findDownload(db().read, key())).toBeUndefined()
      await expect(getDownload(db().read, key())).rejects.toMatchObject(NOT_FOUND)
      const dropped = (await filesOf()).find(({ id }) => id === old.file_id)
      expect(dropped?.dropped).toBe(service.clock.now)
      expect((await past()).at(-1)).toEqual({
        action: 'download removed',
        actor: 'test',
        at: now(),
        before: {
          download: old.id,
          title: 'Download of guide',
          file: 'guide.bin',
          published: true,
          ...{ sha256: sha256('old'), size: 3 },
        },
        after: null,
      })
    })

    it('leaves room for another, which is not the same', async () => {
      const old = await addDownload(app, 'guide', Buffer.from('old'))
      await remove()
      const made = await addDownload(app, 'guide', Buffer.from('new'))
      expect(made.id).not.toBe(old.id)
      expect(await contentOf()).toBe('new')
    })

    it('cannot be removed again; of ten who try at once, one does it', async () => {
      await expect(remove()).rejects.toMatchObject(NOT_FOUND)
      await addDownload(app, 'guide')
      expect(outcomesOf(await ten(() => remove()))).toEqual({
        good: 1,
        refusals: Array.from({ length: 9 }, () => 'download_not_found'),
      })
      expect((await past()).map(({ action }) => action)).toEqual([
        'download created',
        'download removed',
      ])
    })

    it('is not one of another application', async () => {
      const other = await service.newApplication()
      await other.addResource('guide')
      const theirs = await addDownload(other, 'guide')
      await expect(remove()).rejects.toMatchObject(NOT_FOUND)
      await addDownload(app, 'guide')
      await remove()
      expect(await getDownload(db().read, { aid: other.aid, rid: 'guide' })).toEqual(theirs)
    })

    it('while others replace, describe and publish it leaves nothing half-done', async () => {
      for (let round = 0; round < 3; round++) {
        await addDownload(app, 'guide', Buffer.from(`round ${round}`))
        const results = await Promise.allSettled([
          replace('a'),
          describeIt({ title: 'Other' }),
          remove(),
          publish(false),
          replace('b'),
        ])
        expect(results[2]?.status).toBe('fulfilled')
        const { refusals } = outcomesOf(results)
        expect(refusals.filter((code) => code !== 'download_not_found')).toEqual([])
        expect(await findDownload(db().read, key())).toBeUndefined()
      }
      await service.requireInvariants()
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
