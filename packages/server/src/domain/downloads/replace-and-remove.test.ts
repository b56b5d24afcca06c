import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import {
  NOT_FOUND,
  outcomesOf,
  sha256,
  ten,
  useDownloadChanges,
} from '../../testing/downloads/download-changes.ts'
import { addDownload, uploadBytes } from '../../testing/downloads/downloads.ts'
import { findDownload, getDownload, replaceFile } from './downloads.ts'

describe.each(databases)('downloads on $name', (database) => {
  const changes = useDownloadChanges(database)
  const { service, app, key, db, doing, now, describeIt, publish, remove, replace } = changes
  const { past, contentOf, filesOf } = changes

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
})
