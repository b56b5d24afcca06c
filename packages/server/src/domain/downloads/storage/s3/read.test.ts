import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { useFixture } from '../../../../testing/fixtures.ts'
import { BYTES, HASTY, KEY, MIB, useS3Store } from '../../../../testing/s3/s3-store.ts'
import type { S3Fault } from '../../../../testing/s3/serve.ts'
import {
  addFile,
  inPieces,
  readAll,
  readFile,
  sendFile,
} from '../../../../testing/s3/store-fixtures.ts'
import { MissingFile } from '../storage.ts'
import { createS3Store } from './store.ts'

const { fixture, s3, store, hasty, file, goWrong, troubleOf } = useS3Store()

describe('reading from S3', () => {
  it('asks once for a file whose first bytes are announced', async () => {
    const span = { first: 10, last: 20 }
    const opened = await store.open(file, span)
    await opened.send(span, async () => {})
    await opened.close()
    expect(s3.requests).toEqual([{ action: 'GetObject', key: `${KEY}${file.id}` }])
  })

  it('finds the bucket at a server of any name', async () => {
    const endpoint = s3.url.replace('127.0.0.1', 'localhost')
    const named = createS3Store({ ...s3.options, endpoint }, 'production')
    expect(await readFile(named, file, { first: 1, last: 2 })).toEqual(BYTES.subarray(1, 3))
    await named.close()
  })

  it('keeps its connections for the next reader', async () => {
    for (let n = 0; n < 5; n++) await readFile(store, file, { first: n, last: n + 99_999 })
    const { open } = s3
    for (let n = 0; n < 5; n++) await readFile(store, file, { first: n, last: n + 99_999 })
    expect(s3.open).toBe(open)
  })

  it.each<[string, S3Fault, string]>([
    ['breaks the connection', 'drop_before', 'the server broke the connection'],
    ['never answers', 'stall', 'the server does not answer in time'],
    ['has a fault of its own', { status: 500, code: 'InternalError' }, '500 (InternalError)'],
    ['has too much to do', { status: 503, code: 'SlowDown' }, '503 (SlowDown)'],
    ['refuses', { status: 403, code: 'AccessDenied' }, 'allow s3:GetObject'],
    ['has no such bucket', { status: 404, code: 'NoSuchBucket' }, 'GATEHOUSE_S3_BUCKET'],
    ['is elsewhere', { status: 301, code: 'PermanentRedirect' }, 'GATEHOUSE_S3_REGION'],
    ['sends other bytes', 'shifted', 'other bytes'],
  ])('says in time, and before any byte, that the server %s', async (_, fault, words) => {
    goWrong('GetObject', fault)
    expect(await troubleOf(hasty.open(file))).toContain(words)
    expect(await troubleOf(hasty.open(file, { first: 7, last: 9_999 }))).toContain(words)
    await expect.poll(fixture.held).toBe(0)
  })

  it('says that the server is not there, and is back when the server is', async () => {
    await s3.refuse()
    expect(await troubleOf(store.open(file))).toContain('GATEHOUSE_S3_ENDPOINT')
    await s3.accept()
    expect(await readFile(store, file, { first: 0, last: 4 })).toEqual(BYTES.subarray(0, 5))
  })

  it('tries once more what went wrong once', async () => {
    goWrong('GetObject', { status: 500, code: 'InternalError' }, 1)
    await (await store.open(file)).close()
    goWrong('GetObject', 'drop_before', 1)
    await (await store.open(file)).close()
  })

  it.each<[string, S3Fault]>([
    ['breaks off', { cutAt: 300_000 }],
    ['breaks off at once', { cutAt: 0 }],
    ['falls silent', { stallAt: 300_000 }],
    ['falls silent at once', { stallAt: 0 }],
  ])('tells a body that %s from one that is whole', async (_, fault) => {
    goWrong('GetObject', fault)
    let received = 0
    const opened = await hasty.open(file, readAll(file))
    await troubleOf(
      opened.send(readAll(file), async (bytes) => {
        received += bytes.length
      }),
    )
    await opened.close()
    expect(received).toBeLessThanOrEqual(300_000)
    await expect.poll(fixture.held).toBe(0)
  })

  describe('that breaks off in the middle', () => {
    /** Fails the first `times` answers, and counts them all. */
    function breakOff(fault: S3Fault, times: number) {
      goWrong('GetObject', fault, times)
      return () => s3.requests.filter(({ action }) => action === 'GetObject').length
    }
    const patient = useFixture(
      async () => createS3Store(s3.options, 'production', { ...HASTY, resumes: 3 }),
      (opened) => opened.close(),
    )
    async function readFrom(span = readAll(file)) {
      const pieces: Buffer[] = []
      const opened = await patient.open(file, span)
      await opened
        .send(span, async (bytes) => pieces.push(Buffer.from(bytes)))
        .finally(() => opened.close())
      return Buffer.concat(pieces)
    }

    it.each<[string, S3Fault]>([
      ['breaks off', { cutAt: 300_000 }],
      ['falls silent', { stallAt: 300_000 }],
    ])('goes on from the byte that was reached when the server %s', async (_, fault) => {
      const count = breakOff(fault, 3)
      expect((await readFrom()).equals(BYTES)).toBe(true)
      expect(count()).toBe(4)
      await expect.poll(fixture.held).toBe(0)
    })

    it('asks for nothing when the server breaks off after the last byte', async () => {
      const count = breakOff({ lostAt: BYTES.length }, 1)
      expect((await readFrom()).equals(BYTES)).toBe(true)
      expect(count()).toBe(1)
    })

    it('goes on in a part of the file', async () => {
      breakOff({ cutAt: 300_000 }, 1)
      const span = { first: MIB + 1, last: 2 * MIB + 7 }
      expect((await readFrom(span)).equals(BYTES.subarray(span.first, span.last + 1))).toBe(true)
    })

    it.each<[string, S3Fault, number]>([
      ['often', { cutAt: 300_000 }, 4],
      ['without another byte', { cutAt: 0 }, 1],
    ])('ends when that happens %s', async (_, fault, asked) => {
      const count = breakOff(fault, Number.POSITIVE_INFINITY)
      await troubleOf(readFrom())
      expect(count()).toBe(asked)
    })

    it('never goes on with another object', async () => {
      breakOff({ cutAt: 300_000 }, 1)
      const opened = await patient.open(file, readAll(file))
      await addFile(
        { ...store, take: (_, bytes) => store.take(file.id, bytes) },
        inPieces(BYTES, MIB),
      )
      await expect(opened.send(readAll(file), async () => {})).rejects.toThrow(MissingFile)
      await opened.close()
    })

    it('asks for nothing more when the reader has gone', async () => {
      const count = breakOff({ stallAt: 300_000 }, Number.POSITIVE_INFINITY)
      const opened = await patient.open(file, readAll(file))
      await troubleOf(opened.send(readAll(file), async () => opened.cancel?.()))
      await opened.close()
      expect(count()).toBe(1)
      await expect.poll(fixture.held).toBe(0)
    })
  })

  it.each([
    ['short', 99],
    ['long', 101],
  ])('notices a body that is too %s where its length was not told', async (_, endAt) => {
    goWrong('GetObject', { endAt })
    const span = { first: 0, last: 99 }
    const opened = await hasty.open(file, span)
    expect(await troubleOf(opened.send(span, async () => {}))).toContain('does not end where it')
    await opened.close()
  })

  it('says so when the answer breaks off before anybody reads it', async () => {
    goWrong('GetObject', { cutAt: 10 })
    const opened = await store.open(file, readAll(file))
    await expect.poll(fixture.held).toBe(0)
    await troubleOf(opened.send(readAll(file), async () => {}))
    await opened.close()
  })

  it('takes a whole file from a server that knows no parts, and no part of it', async () => {
    goWrong('GetObject', 'whole')
    const opened = await store.open(file, readAll(file))
    let received = 0
    await opened.send(readAll(file), async (bytes) => {
      received += bytes.length
    })
    await opened.close()
    expect(received).toBe(BYTES.length)
    expect(await troubleOf(store.open(file, { first: 0, last: 9 }))).toContain('other bytes')
  })

  it('waits for a reader as long as the reader likes, and has little ready meanwhile', async () => {
    const big = await addFile(store, inPieces(randomBytes(32 * MIB), MIB))
    let stood = false
    let received = 0
    const sent = sendFile(hasty, big, readAll(big), async (bytes) => {
      received += bytes.length
      if (stood) return
      stood = true
      const before = s3.sending
      // Longer than the server may be silent, but here it is the reader who stops.
      await new Promise((resolve) => setTimeout(resolve, 2 * HASTY.silence))
      // Only the socket buffers of both ends are filled, which is less than the whole file.
      expect(s3.sending - before).toBeLessThan(16 * MIB)
    })
    await sent
    expect(received).toBe(big.size)
    await store.remove(big)
  })
})
