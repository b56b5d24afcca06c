import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { imageUrl } from '../../image-url.ts'
import { databases } from '../../testing/databases.ts'
import { addDownload, testActor } from '../../testing/downloads/downloads.ts'
import { useFreshApplication, useService } from '../../testing/use-service.ts'
import { removeDownload } from '../downloads/downloads.ts'
import { sweepDownloads } from '../downloads/sweep.ts'
import { type ImageOwner, setImage } from './attach.ts'
import { storeImage } from './images.ts'
import { sweepImages } from './sweep.ts'

const DAY_MS = 86_400_000

describe.each(databases)('uploaded images on $name', (database) => {
  const service = useService(database)
  const app = useFreshApplication(service, { resources: ['one', 'two'] })
  let red: Buffer
  let blue: Buffer
  beforeAll(async () => {
    const draw = (background: string) =>
      sharp({ create: { width: 120, height: 80, channels: 3, background } })
        .png()
        .toBuffer()
    red = await draw('red')
    blue = await draw('blue')
  })

  const db = () => app.environment.database
  const doing = () => testActor(app.environment)
  const ofResource = (rid: string): ImageOwner => ({ kind: 'resource', aid: app.aid, rid })
  const ofApp = (): ImageOwner => ({ kind: 'application', aid: app.aid })
  const show = (owner: ImageOwner, bytes: Buffer) =>
    storeImage(app.environment, app.aid, bytes, async (image) => {
      await db().write((trx) => setImage(trx, owner, image, doing()))
      return image.id
    })
  const remove = (owner: ImageOwner) =>
    db().write((trx) => setImage(trx, owner, undefined, doing()))
  const ids = async () =>
    (await db().read.selectFrom('images').select('id').where('aid', '=', app.aid).execute())
      .map(({ id }) => id)
      .sort()
  const kept = async () =>
    await db()
      .read.selectFrom('files')
      .select('id')
      .where('aid', '=', app.aid)
      .where('dropped', 'is', null)
      .execute()
  const get = async (id: string, width: number) =>
    await fetch(imageUrl(app.environment, app.aid, id, width))

  it('are served for ever in each width, and as what they are', async () => {
    const id = await show(ofResource('one'), red)
    for (const [asked, width] of [
      [50, 96],
      [96, 96],
      [97, 120],
      [5000, 120],
    ] as const) {
      const answer = await get(id, asked)
      expect(answer.status).toBe(200)
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'image/jpeg',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy':
          "default-src 'none'; sandbox; frame-ancestors 'none'; base-uri 'none'",
      })
      const bytes = Buffer.from(await answer.arrayBuffer())
      expect((await sharp(bytes).metadata()).width).toBe(width)
    }
    const url = imageUrl(app.environment, app.aid, id, 96)
    for (const wrong of [
      url.replace('-96', '-97'),
      url.replace('.jpg', '.png'),
      url.replace(id, `${'0'.repeat(32)}j`),
      url.replace(app.aid, 'AAAAAAAAAA'),
      url.replace(id, '..%2f..%2fetc'),
      `${url}x`,
    ]) {
      expect([wrong, (await fetch(wrong)).status]).toEqual([wrong, 404])
    }
  })

  it('that are the same are stored once, and stay as long as anything shows them', async () => {
    const id = await show(ofResource('one'), red)
    expect(await show(ofResource('two'), red)).toBe(id)
    expect(await show(ofApp(), red)).toBe(id)
    expect([await ids(), (await kept()).length]).toEqual([[id], 2])
    await remove(ofResource('one'))
    await show(ofResource('two'), blue)
    expect(await ids()).toContain(id)
    await remove(ofApp())
    expect(await ids()).not.toContain(id)
    expect((await get(id, 96)).status).toBe(404)
    expect((await kept()).length).toBe(2)
  })

  it('are swept with their download, and their files a day later', async () => {
    const { id: download } = await addDownload(app, 'one')
    await show({ kind: 'download', aid: app.aid, id: download }, red)
    await db().write((trx) =>
      removeDownload(trx, { aid: app.aid, rid: 'one', id: download }, doing()),
    )
    expect(await ids()).toHaveLength(1)
    await sweepImages(app.environment)
    expect(await ids()).toEqual([])
    expect(await kept()).toEqual([])
    const later = { ...app.environment, realTime: () => app.environment.realTime() + 2 * DAY_MS }
    await sweepDownloads(later)
    const left = await db()
      .read.selectFrom('files')
      .select('id')
      .where('aid', '=', app.aid)
      .execute()
    expect(left).toEqual([])
  })

  it('come and go at once without harm', async () => {
    const owners = [ofResource('one'), ofResource('two'), ofApp()]
    await Promise.all(
      Array.from({ length: 9 }, async (_, i) => {
        const owner = owners[i % 3] as ImageOwner
        if (i % 4 === 3) await remove(owner)
        else await show(owner, i % 2 === 0 ? red : blue)
      }),
    )
    await service.requireInvariants()
  })

  it('are the image that the API names', async () => {
    const { id } = await addDownload(app, 'one', undefined, { image: 'https://example.com/a.png' })
    const shown = async () => (await app.client.getDownload({ rid: 'one' })).image
    expect(await shown()).toBe('https://example.com/a.png')
    const image = await show({ kind: 'download', aid: app.aid, id }, red)
    expect(await shown()).toBe(imageUrl(app.environment, app.aid, image, 1600))
    expect((await fetch(await shown())).status).toBe(200)
    await remove({ kind: 'download', aid: app.aid, id })
    expect(await shown()).toBe('https://example.com/a.png')
  })
})
