import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Trx } from '../../db/database.ts'
import { listDeliveries } from '../../domain/downloads/deliveries.ts'
import {
  type DownloadRow,
  publishDownload,
  removeDownload,
  replaceFile,
} from '../../domain/downloads/downloads.ts'
import { databases } from '../../testing/databases.ts'
import { addDownload, testActor, uploadBytes } from '../../testing/downloads/downloads.ts'
import { errorCode, fetchBytes, openFetch } from '../../testing/http/fetching.ts'
import { seededRandom } from '../../testing/random.ts'
import { stores } from '../../testing/s3/stores.ts'
import { startTestService, type TestApplication, type TestService } from '../../testing/service.ts'

const SIZE = 300_000
const FILE = randomBytes(SIZE)
const [SQLITE] = databases

/** Splits a multipart response into its parts: content range and bytes of each. */
function partsOf(type: string | undefined, body: Buffer): { range: string; bytes: Buffer }[] {
  const boundary = /^multipart\/byteranges; boundary=(\S+)$/.exec(type ?? '')?.[1]
  const text = body.toString('latin1')
  const pieces = text.split(`\r\n--${boundary}`)
  expect(pieces[0]).toBe('')
  expect(pieces.at(-1)).toBe('--\r\n')
  return pieces.slice(1, -1).map((piece) => {
    const match = /^\r\nContent-Type: (.+?)\r\nContent-Range: (.+?)\r\n\r\n(.*)$/s.exec(piece)
    expect(match?.[1]).toBe('application/octet-stream')
    return { range: match?.[2] as string, bytes: Buffer.from(match?.[3] as string, 'latin1') }
  })
}

const span = (first: number, last: number) => ({
  range: `bytes ${first}-${last}/${SIZE}`,
  bytes: FILE.subarray(first, last + 1),
})

describe.each(stores)('a file that is delivered from $name', (kind) => {
  let service: TestService
  let app: TestApplication
  let download: DownloadRow
  let url: string
  let count = 0

  beforeAll(async () => {
    service = await startTestService(SQLITE, { env: await kind.start() })
  })
  beforeEach(async () => {
    app ??= await service.newApplication()
    const rid = `file-${count++}`
    await app.addResource(rid)
    download = await addDownload(app, rid, FILE)
    url = (await linkTo({ rid, lifetime: 3600 })).url
  })
  afterAll(async () => {
    await service.requireInvariants()
    await service.stop()
    await kind.stop()
  })

  const linkTo = (input: { rid: string; lifetime: number }) =>
    app.client.request<{ url: string }>('GET', '/r2/downloads/url', input)
  const key = () => ({ aid: app.aid, rid: download.rid })
  const write = <R>(work: (trx: Trx) => Promise<R>) => app.environment.database.write(work)
  const etag = `"${createHash('sha256').update(FILE).digest('hex')}"`

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
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
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

  it.each([
    ['bytes=0-0', 0, 0],
    ['bytes=0-', 0, SIZE - 1],
    ['bytes=1-', 1, SIZE - 1],
    ['bytes=-1', SIZE - 1, SIZE - 1],
    [`bytes=-${SIZE}`, 0, SIZE - 1],
    [`bytes=-${SIZE + 1}`, 0, SIZE - 1],
    [`bytes=-${'9'.repeat(400)}`, 0, SIZE - 1],
    [`bytes=${SIZE - 1}-`, SIZE - 1, SIZE - 1],
    [`bytes=100-${'9'.repeat(400)}`, 100, SIZE - 1],
    ['bytes=65536-131071', 65_536, 131_071],
    ['BYTES=7-9', 7, 9],
    ['bytes= 7-9 ,, ', 7, 9],
    [`bytes=7-9,${SIZE}-`, 7, 9],
    ['bytes=7-9,8-20', 7, 20],
    ['bytes=7-9,10-20', 7, 20],
    ['bytes=50-60,0-9', 0, 60],
  ])('is cut as %s asks', async (range, first, last) => {
    const { status, headers, body } = await fetchBytes(url, { range })
    expect(status).toBe(206)
    expect(headers['content-range']).toBe(`bytes ${first}-${last}/${SIZE}`)
    expect(headers['content-length']).toBe(String(last - first + 1))
    expect(headers.etag).toBe(etag)
    expect(body.equals(FILE.subarray(first, last + 1))).toBe(true)
  })

  it.each([
    'bytes',
    'bytes=',
    'bytes=,',
    'bytes=a-b',
    'bytes=5-4',
    'bytes=0-1,5-4',
    'bytes=--1',
    'bytes=1',
    'bytes=0x1-2',
    'bytes=1.5-2',
    'bytes=0-1;2-3',
    'items=0-1',
    `bytes=${Array.from({ length: 33 }, (_, i) => `${i * 1000}-${i * 1000}`).join(',')}`,
  ])('comes whole where %s is no range', async (range) => {
    const { status, body } = await fetchBytes(url, { range })
    expect(status).toBe(200)
    expect(body.equals(FILE)).toBe(true)
  })

  it('costs no time to speak of, whatever is asked for', async () => {
    for (const filler of [' ', ',', '0', '-', '0-,']) {
      const range = `bytes=0-${filler.repeat(Math.floor(150_000 / filler.length))}x`
      const began = performance.now()
      expect((await fetchBytes(url, { range })).status).toBe(200)
      // A regular expression that backtracks would take minutes.
      expect(performance.now() - began).toBeLessThan(15_000)
    }
  })

  it.each([`bytes=${SIZE}-`, 'bytes=-0', `bytes=${'9'.repeat(400)}-`, `bytes=${SIZE}-,-0`])(
    'has no such part as %s',
    async (range) => {
      const answer = await fetchBytes(url, { range })
      expect(answer.status).toBe(416)
      expect(answer.headers['content-range']).toBe(`bytes */${SIZE}`)
      expect(answer.headers['content-disposition']).toBeUndefined()
      expect(errorCode(answer)).toBe('range_not_satisfiable')
    },
  )

  it('comes in several parts, in the order asked for', async () => {
    const range = `bytes=200000-200009,0-9,-5,${SIZE}-,1000-70000`
    const { status, headers, body } = await fetchBytes(url, { range })
    expect(status).toBe(206)
    expect(headers['content-length']).toBe(String(body.length))
    expect(partsOf(headers['content-type'], body)).toEqual([
      span(200_000, 200_009),
      span(0, 9),
      span(SIZE - 5, SIZE - 1),
      span(1000, 70_000),
    ])
  })

  it('is the same file, however it is cut', async () => {
    const seed = Date.now() % 1e9
    const random = seededRandom(seed)
    for (let i = 0; i < 60; i++) {
      const first = Math.floor(random() * SIZE)
      const last = first + Math.floor(random() ** 3 * (SIZE - first))
      const range = random() < 0.5 ? `bytes=${first}-${last}` : `bytes=${first}-`
      const { body } = await fetchBytes(url, { range })
      const end = range.endsWith('-') ? SIZE : last + 1
      expect(body.equals(FILE.subarray(first, end)), `${range}, seed ${seed}`).toBe(true)
    }
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
    expect(whole.headers['content-type']).toBe('text/plain')
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
    await app.addResource(`empty-${count}`)
    await addDownload(app, `empty-${count}`, Buffer.alloc(0))
    const link = await linkTo({ rid: `empty-${count}`, lifetime: 60 })
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
    const rid = `large-${count}`
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
