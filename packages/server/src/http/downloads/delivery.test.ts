import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Trx } from '../../db/database.ts'
import { listDeliveries } from '../../domain/downloads/deliveries.ts'
import {
  type DownloadRow,
  publishDownload,
  removeDownload,
  replaceFile,
} from '../../domain/downloads/downloads.ts'
import { addDownload, testActor, uploadBytes } from '../../testing/downloads/downloads.ts'
import { etag, FILE, SIZE, useStoredFiles } from '../../testing/downloads/stored-files.ts'
import { errorCode, fetchBytes, openFetch } from '../../testing/http/fetching.ts'
import { stores } from '../../testing/s3/stores.ts'

describe.each(stores)('a file that is delivered from $name', (kind) => {
  let download: DownloadRow
  let url: string
  const { service, app, addFile, linkTo } = useStoredFiles(kind)
  beforeEach(async () => {
    download = await addFile()
    url = (await linkTo({ rid: download.rid, lifetime: 3600 })).url
  })

  const key = () => ({ aid: app.aid, rid: download.rid })
  const write = <R>(work: (trx: Trx) => Promise<R>) => app.environment.database.write(work)

  it('comes whole, with all that a reader’s program needs', async () => {
    const { status, headers, body } = await fetchBytes(url)
    expect(status).toBe(200)
    expect(body.equals(FILE)).toBe(true)
    const digest = createHash('sha256').update(FILE).digest('base64')
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': String(SIZE),
      'content-disposition': `attachment; filename="${download.rid}.bin"`,
      'accept-ranges': 'bytes',
      etag,
      'last-modified': new Date(service.clock.seconds * 1000).toUTCString(),
      'repr-digest': `sha-256=:${digest}:`,
      'cache-control': 'private, no-cache, no-transform',
      'x-content-type-options': 'nosniff',
      'content-security-policy':
        "default-src 'none'; sandbox; frame-ancestors 'none'; base-uri 'none'",
    })
  })

  it('is described by HEAD just as by GET, range or not', async () => {
    const got = await fetchBytes(url)
    const head = await fetchBytes(url, { range: 'bytes=0-9' }, 'HEAD')
    expect(head.status).toBe(200)
    expect(head.body.length).toBe(0)
    const { date: _, connection: __, ...described } = got.headers
    expect(head.headers).toMatchObject(described)
  })

  const before = () => new Date((download.filed - 1) * 1000).toUTCString()
  const then = () => new Date(download.filed * 1000).toUTCString()

  it.each<[string, () => Record<string, string>, number]>([
    ['the version that is there', () => ({ 'if-none-match': etag }), 304],
    ['a weak name of it', () => ({ 'if-none-match': `W/${etag}` }), 304],
    ['one of several', () => ({ 'if-none-match': `"x", ${etag}` }), 304],
    ['any version', () => ({ 'if-none-match': '*' }), 304],
    ['another version', () => ({ 'if-none-match': '"x"' }), 200],
    [
      'another version, whatever the date',
      () => ({ 'if-none-match': '"x"', 'if-modified-since': then() }),
      200,
    ],
    ['its date', () => ({ 'if-modified-since': then() }), 304],
    ['an older date', () => ({ 'if-modified-since': before() }), 200],
    ['no date', () => ({ 'if-modified-since': 'yesterday' }), 200],
    ['that it is this one', () => ({ 'if-match': etag }), 200],
    ['that it is there', () => ({ 'if-match': '*' }), 200],
    ['that it is another', () => ({ 'if-match': '"x"' }), 412],
    ['that it is weakly this one', () => ({ 'if-match': `W/${etag}` }), 412],
    ['that it is not newer', () => ({ 'if-unmodified-since': then() }), 200],
    ['that it is older', () => ({ 'if-unmodified-since': before() }), 412],
    [
      'that it is this one, whatever the date',
      () => ({ 'if-match': etag, 'if-unmodified-since': before() }),
      200,
    ],
  ])('to one who names %s', async (_, headers, status) => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await fetchBytes(url, { ...headers(), range: 'bytes=0-9' }, method)
      const expected = status === 200 && method === 'GET' ? 206 : status
      expect(answer.status).toBe(expected)
      if (status !== 304) continue
      expect(answer.body.length).toBe(0)
      expect(answer.headers.etag).toBe(etag)
    }
  })

  it.each<[string, () => string, number]>([
    ['its version', () => etag, 206],
    ['its weak version', () => `W/${etag}`, 200],
    ['another version', () => '"x"', 200],
    ['its date', () => then(), 206],
    ['another date', () => before(), 200],
    ['nonsense', () => 'x', 200],
  ])('is resumed only if %s still stands', async (_, condition, status) => {
    service.clock.advance(60)
    const answer = await fetchBytes(url, { range: 'bytes=10-', 'if-range': condition() })
    expect(answer.status).toBe(status)
    expect(answer.body.equals(status === 206 ? FILE.subarray(10) : FILE)).toBe(true)
  })

  it('is not resumed by its date within the second in which it was put there', async () => {
    const answer = await fetchBytes(url, { range: 'bytes=10-', 'if-range': then() })
    expect(answer.status).toBe(200)
  })

  it('is the new one by the same link once it is replaced, and never a mix of both', async () => {
    const other = randomBytes(1000)
    const { environment } = app
    await uploadBytes(app, other, (file) =>
      write((trx) =>
        replaceFile(
          trx,
          key(),
          file,
          { fileName: 'new.txt', type: 'text/plain' },
          testActor(environment),
        ),
      ),
    )
    const whole = await fetchBytes(url)
    expect(whole.body.equals(other)).toBe(true)
    expect(whole.headers['content-disposition']).toBe('attachment; filename="new.txt"')
    expect(whole.headers['content-type']).toBe('text/plain; charset=utf-8')
    const resumed = await fetchBytes(url, { range: 'bytes=500-', 'if-range': etag })
    expect(resumed.status).toBe(200)
    expect(resumed.body.equals(other)).toBe(true)
  })

  it('is gone once it is withdrawn, or removed', async () => {
    await write((trx) => publishDownload(trx, key(), false, testActor(app.environment)))
    const withdrawn = await fetchBytes(url)
    expect([withdrawn.status, errorCode(withdrawn)]).toEqual([404, 'download_not_found'])
    await write((trx) => publishDownload(trx, key(), true, testActor(app.environment)))
    expect((await fetchBytes(url)).status).toBe(200)
    await write((trx) => removeDownload(trx, key(), testActor(app.environment)))
    const removed = await fetchBytes(url)
    expect([removed.status, errorCode(removed)]).toEqual([404, 'download_not_found'])
  })

  it('may be empty', async () => {
    await app.addResource(`empty-${download.rid}`)
    await addDownload(app, `empty-${download.rid}`, Buffer.alloc(0))
    const link = await linkTo({ rid: `empty-${download.rid}`, lifetime: 60 })
    const whole = await fetchBytes(link.url)
    expect([whole.status, whole.headers['content-length']]).toEqual([200, '0'])
    expect((await fetchBytes(link.url, { range: 'bytes=0-' })).status).toBe(416)
  })

  it('is written down: how much of it, and whether to its end', async () => {
    const { read } = app.environment.database
    await fetchBytes(url, { range: 'bytes=0-99,1000-1099' })
    await fetchBytes(url)
    const find = () => listDeliveries(read, key())
    const sumOf = async (column: 'answers' | 'bytes') =>
      (await find()).reduce((sum, row) => sum + row[column], 0)
    await expect.poll(() => sumOf('answers')).toBe(2)
    expect(await sumOf('bytes')).toBe(SIZE + 200)
    const known = { outcome: 'complete', uid: null, download_id: download.id }
    for (const row of await find()) {
      expect(row).toMatchObject({ at: service.clock.seconds, ...known })
    }
  })

  it('is let go of when its reader hangs up, and that is written down too', async () => {
    const large = randomBytes(32 * 1024 * 1024)
    const rid = `large-${download.rid}`
    await app.addResource(rid)
    await addDownload(app, rid, large)
    const link = await linkTo({ rid, lifetime: 60 })
    const answer = await openFetch(link.url)
    await once(answer, 'data')
    answer.destroy()
    const { read } = app.environment.database
    const find = () => listDeliveries(read, { aid: app.aid, rid })
    await expect.poll(async () => (await find()).length).toBe(1)
    const [partial] = await find()
    expect(partial?.outcome).toBe('partial')
    expect(partial?.bytes).toBeLessThan(large.length)
  })
})
