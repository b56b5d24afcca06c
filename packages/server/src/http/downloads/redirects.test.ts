import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { listDeliveries } from '../../domain/downloads/deliveries.ts'
import { replaceFile } from '../../domain/downloads/downloads.ts'
import { databases } from '../../testing/databases.ts'
import { addDownload, testActor, uploadBytes } from '../../testing/downloads/downloads.ts'
import { errorCode, fetchBytes } from '../../testing/http/fetching.ts'
import { useApplication, useS3, useService } from '../../testing/use-service.ts'

const [SQLITE] = databases
const FILE = randomBytes(100_000)

describe('files that readers fetch from S3 themselves', () => {
  const s3 = useS3('redirect')
  const service = useService(SQLITE, () => ({ env: s3.env, useRealTime: true }))
  const app = useApplication(service, { resources: ['film'] })
  beforeAll(async () => {
    await addDownload(app, 'film', FILE, { fileName: 'Fähre.mp4', type: 'video/mp4' })
    await app.client.grantAccess({ rid: 'film', email: 'a@example.com', user_ref: 'a' })
  })

  const linkTo = async (input: { user_ref?: string; limit?: number } = {}) =>
    (await app.client.getDownloadUrl({ rid: 'film', lifetime: 3600, ...input })).url
  const addressAt = async (method = 'GET') => {
    const answer = await fetchBytes(await linkTo(), { range: 'bytes=5-9' }, method)
    expect(answer.status).toBe(302)
    expect(answer.body.length).toBe(0)
    expect(answer.headers['cache-control']).toBe('no-store')
    return answer.headers.location as string
  }

  it('are theirs for a minute: whole, in parts, under their name', async () => {
    const address = await addressAt()
    expect(address.startsWith(`${s3.url}/`)).toBe(true)
    const whole = await fetchBytes(address)
    expect([whole.status, whole.body.equals(FILE)]).toEqual([200, true])
    expect(whole.headers['content-type']).toBe('video/mp4')
    expect(whole.headers['content-disposition']).toBe(
      `attachment; filename="Fahre.mp4"; filename*=UTF-8''F%C3%A4hre.mp4`,
    )
    const part = await fetchBytes(address, { range: 'bytes=10-19' })
    expect([part.status, part.body.equals(FILE.subarray(10, 20))]).toEqual([206, true])
  })

  it('are not theirs any more after a minute', async () => {
    const address = await addressAt()
    const late = (seconds: number) => () => Date.now() + seconds * 1000
    s3.now = late(50)
    expect((await fetchBytes(address)).status).toBe(200)
    s3.now = late(61)
    expect((await fetchBytes(address)).status).toBe(403)
    s3.now = Date.now
    // Dated half a minute back.
    expect(new URL(address).searchParams.get('X-Amz-Expires')).toBe('90')
  })

  it('are described to a HEAD by the server that has them', async () => {
    const address = await addressAt('HEAD')
    const head = await fetchBytes(address, {}, 'HEAD')
    expect([head.status, head.headers['content-length']]).toEqual([200, String(FILE.length)])
    expect((await fetchBytes(address)).status).toBe(403)
  })

  it('come through us where a reader may resume: S3 would continue a replaced file with the new one', async () => {
    await app.addResource('book')
    await addDownload(app, 'book', FILE)
    const { url } = await app.client.getDownloadUrl({ rid: 'book', lifetime: 3600 })
    const first = await fetchBytes((await fetchBytes(url)).headers.location as string, {
      range: 'bytes=0-49999',
    })
    const changed = randomBytes(FILE.length)
    const env = app.environment
    const key = { aid: app.aid, rid: 'book' }
    const name = { fileName: 'book.pdf', type: 'application/pdf' }
    await uploadBytes(app, changed, (file) =>
      env.database.write((trx) => replaceFile(trx, key, file, name, testActor(env))),
    )
    const resume = { range: 'bytes=50000-', 'if-range': first.headers.etag as string }
    const answer = await fetchBytes(url, resume)
    expect([answer.status, answer.body.equals(changed)]).toEqual([200, true])
    expect((await fetchBytes(url)).status).toBe(302)
  })

  it('come through us where we must watch', async () => {
    for (const input of [{ user_ref: 'a' }, { limit: 1 }]) {
      const answer = await fetchBytes(await linkTo(input), { range: 'bytes=5-9' })
      expect([answer.status, answer.body.equals(FILE.subarray(5, 10))]).toEqual([206, true])
    }
  })

  it('are written down as what we can know of them', async () => {
    const { read } = app.environment.database
    await app.addResource('other')
    await addDownload(app, 'other', FILE)
    const { url } = await app.client.getDownloadUrl({ rid: 'other', lifetime: 60 })
    await fetchBytes(url, {}, 'HEAD')
    await fetchBytes(url)
    const find = () => listDeliveries(read, { aid: app.aid, rid: 'other' })
    await expect.poll(async () => (await find()).length).toBe(1)
    expect(await find()).toMatchObject([{ bytes: 0, outcome: 'redirected', uid: null }])
  })

  it('are refused as everywhere, and nobody is sent away with a bad link', async () => {
    const url = await linkTo()
    const answer = await fetchBytes(`${url.slice(0, -3)}AAA`)
    expect([answer.status, errorCode(answer)]).toEqual([403, 'link_invalid'])
    expect(answer.headers.location).toBeUndefined()
  })

  it('are not to be had for a while when S3 does not answer, and a counted link is not used up', async () => {
    const url = await linkTo({ limit: 1 })
    const link = new URL(url).pathname.split('.')[3] as string
    const { read } = app.environment.database
    const uses = () =>
      read.selectFrom('download_uses').selectAll().where('link', '=', link).execute()
    await s3.refuse()
    const answer = await fetchBytes(url)
    expect([answer.status, errorCode(answer)]).toEqual([503, 'files_unavailable'])
    expect(await uses()).toEqual([])
    await s3.accept()
    expect((await fetchBytes(url)).status).toBe(200)
    expect(await uses()).toHaveLength(1)
  })
})
