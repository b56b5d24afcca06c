import { beforeEach, describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { addDownload, testActor } from '../../testing/downloads/downloads.ts'
import { useFreshApplication, useService } from '../../testing/use-service.ts'
import { listHistory } from '../history/history.ts'
import {
  describeDownload,
  getDownload,
  getPublishedDownload,
  listDownloadsOf,
  type NewDownload,
  publishDownload,
  removeDownload,
} from './downloads.ts'
import { moveDownload, orderDownloads } from './order.ts'
import { listReaderFiles } from './reader-files.ts'

describe.each(databases)('several files of a resource on $name', (database) => {
  const service = useService(database)
  const app = useFreshApplication(service)
  beforeEach(() => app.addResource('album'))

  const key = () => ({ aid: app.aid, rid: 'album' })
  const db = () => app.environment.database
  const doing = () => testActor(app.environment)
  const add = (title: string, more: Partial<NewDownload> = {}) =>
    addDownload(app, 'album', Buffer.from(title), { title, isAdditional: true, ...more })
  const titles = async () => (await listDownloadsOf(db().read, key())).map(({ title }) => title)
  const order = (ids: readonly string[]) =>
    db().write((trx) => orderDownloads(trx, key(), ids, doing()))

  it('are listed as they were added, until they are put in another order', async () => {
    const ids = [(await add('one')).id, (await add('two')).id, (await add('three')).id]
    expect(await titles()).toEqual(['one', 'two', 'three'])
    const [one = '', two = '', three = ''] = ids
    await order([three, one, two])
    expect(await titles()).toEqual(['three', 'one', 'two'])
    await order([three, one, two])
    const entries = await listHistory(db().read, app.aid, { rid: 'album' })
    expect(entries.filter(({ action }) => action === 'downloads ordered')).toMatchObject([
      {
        before: JSON.stringify({ downloads: ids }),
        after: JSON.stringify({ downloads: [three, one, two] }),
      },
    ])
    await add('four')
    expect(await titles()).toEqual(['three', 'one', 'two', 'four'])
  })

  it('contain the same file only once, however often it is uploaded', async () => {
    const { id } = await add('one')
    await add('two')
    await addDownload(app, 'album', Buffer.from('one'), {
      ...{ title: 'under another name', fileName: 'copy.bin', isAdditional: true },
    })
    expect((await add('one', { title: 'again' })).id).toBe(id)
    expect(await titles()).toEqual(['one', 'two', 'under another name'])
  })

  it('can be moved one by one', async () => {
    const { id } = await add('one')
    await add('two')
    await add('three')
    const move = (to: number) =>
      db().write((trx) => moveDownload(trx, { ...key(), id }, to, doing()))
    await move(2)
    expect(await titles()).toEqual(['two', 'one', 'three'])
    await move(3)
    expect(await titles()).toEqual(['two', 'three', 'one'])
    await expect(move(4)).rejects.toMatchObject({ parameter: 'to' })
    await expect(move(0)).rejects.toMatchObject({ parameter: 'to' })
  })

  it('are never put in an order that leaves one out or has a foreign one', async () => {
    const [one, two] = [await add('one'), await add('two')]
    await app.addResource('other')
    const foreign = await addDownload(app, 'other')
    const wrong = [
      [],
      [one.id],
      [one.id, one.id],
      [two.id, one.id, foreign.id],
      [one.id, foreign.id],
    ]
    for (const ids of wrong) {
      await expect(order(ids)).rejects.toMatchObject({ code: 'downloads_changed' })
    }
    expect(await titles()).toEqual(['one', 'two'])
  })

  it('have a place each, even if ten are added at once', async () => {
    await Promise.all(Array.from({ length: 10 }, (_, i) => add(`file ${i}`)))
    const positions = (await listDownloadsOf(db().read, key())).map(({ position }) => position)
    expect(positions).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  it('must be told apart by their ids', async () => {
    const [one, two] = [await add('one'), await add('two')]
    await expect(getDownload(db().read, key())).rejects.toMatchObject({ code: 'several_downloads' })
    const removing = db().write((trx) => removeDownload(trx, key(), doing()))
    await expect(removing).rejects.toMatchObject({ code: 'several_downloads' })
    await db().write((trx) =>
      describeDownload(trx, { ...key(), id: two.id }, { title: 'second' }, doing()),
    )
    await db().write((trx) => removeDownload(trx, { ...key(), id: one.id }, doing()))
    expect(await titles()).toEqual(['second'])
    expect((await getDownload(db().read, key())).id).toBe(two.id)
    const elsewhere = { aid: app.aid, rid: 'other', id: two.id }
    await expect(getDownload(db().read, elsewhere)).rejects.toMatchObject({
      code: 'download_not_found',
    })
  })

  it('are one to the API: the first that is published', async () => {
    const hidden = await add('hidden', { publish: false })
    const [one, two] = [await add('one'), await add('two')]
    const shown = async () => (await app.client.getDownload({ rid: 'album' })).title
    expect(await shown()).toBe('one')
    const { url } = await app.client.getDownloadUrl({ rid: 'album', lifetime: 60 })
    expect(await (await fetch(url)).text()).toBe('one')
    await order([two.id, hidden.id, one.id])
    expect(await shown()).toBe('two')
    // A link stays with its own file.
    expect(await (await fetch(url)).text()).toBe('one')
    expect((await getPublishedDownload(db().read, { ...key(), id: one.id })).title).toBe('one')
    await db().write((trx) => publishDownload(trx, { ...key(), id: two.id }, false, doing()))
    expect(await shown()).toBe('one')
  })

  it('are shown to readers in order, without what is not published', async () => {
    const [one] = [await add('one'), await add('hidden', { publish: false }), await add('two')]
    const files = await listReaderFiles(db().read, key())
    expect(files.map(({ title, size }) => [title, size])).toEqual([
      ['one', 3],
      ['two', 3],
    ])
    expect(files[0]?.id).toBe(one.id)
  })
})
