import { beforeEach, describe, expect, it } from 'vitest'
import { etag, FILE, SIZE, useStoredFiles } from '../../testing/downloads/stored-files.ts'
import { errorCode, fetchBytes } from '../../testing/http/fetching.ts'
import { seededRandom } from '../../testing/random.ts'
import { stores } from '../../testing/s3/stores.ts'

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
  let url: string
  const { addFile, linkTo } = useStoredFiles(kind)
  beforeEach(async () => {
    const { rid } = await addFile()
    url = (await linkTo({ rid, lifetime: 3600 })).url
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
})
