import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import http, {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { replaceFile } from '../../server/src/domain/downloads/downloads.ts'
import { databases } from '../../server/src/testing/databases.ts'
import {
  addDownload,
  testActor,
  uploadBytes,
} from '../../server/src/testing/downloads/downloads.ts'
import { seededRandom } from '../../server/src/testing/random.ts'
import { useApplication, useService } from '../../server/src/testing/use-service.ts'
import { type DownloadOptions, type DownloadProgress, downloadFile } from './download.ts'
import {
  ApiError,
  ConnectionError,
  DownloadError,
  NotFoundError,
  UnavailableError,
} from './errors.ts'

const TOKEN = 'a-very-secret-token'

/** Makes retries immediate. */
const QUICK = { firstPause: 1 }

function bytesOf(length: number, seed = 1): Buffer {
  const random = seededRandom(seed)
  return Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)))
}

const sha256 = (bytes: Uint8Array, encoding: 'hex' | 'base64' = 'hex') =>
  createHash('sha256').update(bytes).digest(encoding)

interface Reply {
  bytes: Buffer
  etag?: string | undefined
  /** Overrides the checksum, for tests that send a wrong one. */
  digest?: string | undefined
  /** How many bytes are sent before the connection breaks. */
  cutAfter?: number | undefined
  hasRanges?: boolean
}

/** Responds like a file server. */
function sendFile(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
  const { bytes, etag = `"${sha256(bytes)}"`, hasRanges = true, cutAfter } = reply
  const asked = /^bytes=(\d+)-$/.exec(request.headers.range ?? '')
  const isSame = request.headers['if-range'] === etag
  const from = asked && hasRanges && isSame ? Number(asked[1]) : 0
  const body = bytes.subarray(from)
  response.writeHead(from > 0 ? 206 : 200, {
    'content-length': body.length,
    ...(etag === '' ? {} : { etag }),
    ...(reply.digest === '' ? {} : { 'repr-digest': reply.digest ?? digestOf(bytes) }),
    ...(from > 0 ? { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` } : {}),
  })
  if (cutAfter === undefined || cutAfter >= body.length) return void response.end(body)
  response.write(body.subarray(0, cutAfter), () => response.destroy())
  if (cutAfter === 0) response.destroy()
}

const digestOf = (bytes: Buffer) =>
  `sha-512=:AAAA:, sha-256=:${sha256(bytes, 'base64')}:, unixsum=30637`

/** The program of a separate process that prints its progress. */
const FETCH = `
  import { downloadFile } from '@gatehouse/sdk/download'
  const [url, path] = process.argv.slice(1)
  await downloadFile(url, path, { onProgress: ({ received }) => console.log(received) })
`

/** The separate process imports the built package. */
async function prepareBuild(): Promise<void> {
  const script = new URL('../../../scripts/prepare.mjs', import.meta.url).href
  const { prepare } = (await import(script)) as { prepare(): void }
  prepare()
}

describe('downloadFile', () => {
  let folder: string
  let path: string
  const servers: Server[] = []

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-sdk-'))
    path = join(folder, 'file.bin')
  })
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections()
      server.close()
    }
    rmSync(folder, { recursive: true, force: true })
  })

  type Listener = (request: IncomingMessage, response: ServerResponse, count: number) => void

  /** Starts a server; the listener gets the number of each request, counted from 0. */
  async function answering(listener: Listener) {
    const requests: IncomingMessage[] = []
    const server = createServer((request, response) => {
      requests.push(request)
      listener(request, response, requests.length - 1)
    }).listen(0, '127.0.0.1')
    servers.push(server)
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as AddressInfo
    return { url: `http://127.0.0.1:${port}/d/${TOKEN}`, port, requests }
  }
  const serving = (bytes: Buffer, more: Partial<Reply> = {}) =>
    answering((request, response) => sendFile(request, response, { bytes, ...more }))

  const ranges = (requests: readonly IncomingMessage[]) =>
    requests.map(({ headers }) => headers.range)
  const caught = (work: Promise<unknown>) => work.then(() => undefined).catch((error) => error)

  /** Lists everything in the folder except the file itself. */
  const besides = () => readdirSync(folder).filter((name) => name !== 'file.bin')

  /** Leaves this many bytes of a file behind, like an interrupted process. */
  async function leavePart(bytes: Buffer, length: number): Promise<void> {
    const server = await serving(bytes, { cutAfter: length })
    const error = await caught(downloadFile(server.url, path, { ...QUICK, retries: 0 }))
    expect(error).toBeInstanceOf(ConnectionError)
    expect(readFileSync(`${path}.part`)).toEqual(bytes.subarray(0, length))
  }

  async function expectWhole(bytes: Buffer, url: string, options: DownloadOptions = {}) {
    const file = await downloadFile(url, path, { ...QUICK, ...options })
    expect(readFileSync(path).equals(bytes)).toBe(true)
    expect(besides()).toEqual([])
    return file
  }

  describe('a file', () => {
    it.each([0, 1, 100_000])('of %i bytes is put in place whole, and checked', async (length) => {
      const bytes = bytesOf(length)
      const server = await serving(bytes)
      expect(await expectWhole(bytes, server.url)).toEqual({
        path,
        size: length,
        sha256: sha256(bytes),
        verified: true,
      })
      expect(ranges(server.requests)).toEqual([undefined])
    })

    it('is not seen under its name before it is whole', async () => {
      const bytes = bytesOf(50_000)
      const server = await serving(bytes)
      const seen: boolean[] = []
      await expectWhole(bytes, server.url, { onProgress: () => seen.push(existsSync(path)) })
      expect(seen.length).toBeGreaterThan(1)
      expect(seen).not.toContain(true)
    })

    it('tells how far it is', async () => {
      const bytes = bytesOf(300_000)
      const server = await serving(bytes)
      const progress: DownloadProgress[] = []
      await expectWhole(bytes, server.url, { onProgress: (one) => progress.push(one) })
      const received = progress.map((one) => one.received)
      expect(progress[0]).toEqual({ received: 0, total: 300_000 })
      expect(progress.at(-1)).toEqual({ received: 300_000, total: 300_000 })
      expect(received).toEqual([...received].sort((a, b) => a - b))
    })

    it('whose server tells neither length nor checksum is taken as it comes', async () => {
      const bytes = bytesOf(100_000)
      const server = await answering((_, response) => {
        response.write(bytes.subarray(0, 10))
        response.end(bytes.subarray(10))
      })
      const totals = new Set<number | undefined>()
      const onProgress = ({ total }: DownloadProgress) => totals.add(total)
      const file = await expectWhole(bytes, server.url, { onProgress })
      expect(file).toMatchObject({ size: 100_000, sha256: sha256(bytes), verified: false })
      expect([...totals]).toEqual([undefined])
    })
  })

  describe('a connection that breaks', () => {
    it('at random places costs no byte twice, and the file is right', async () => {
      const seed = Math.floor(Math.random() * 2 ** 31)
      console.log(`cuts of seed ${seed}`)
      const random = seededRandom(seed)
      const bytes = bytesOf(400_000, seed)
      const server = await answering((request, response) => {
        const cutAfter = random() < 0.2 ? 0 : Math.floor(random() * 60_000)
        sendFile(request, response, { bytes, cutAfter })
      })
      const received: number[] = []
      await expectWhole(bytes, server.url, { onProgress: (one) => received.push(one.received) })
      expect(server.requests.length).toBeGreaterThan(5)
      // Each request resumes where the previous one stopped.
      expect(received).toEqual([...received].sort((a, b) => a - b))
      for (const { headers } of server.requests) {
        if (headers.range === undefined) continue
        expect(received).toContain(Number(/^bytes=(\d+)-$/.exec(headers.range)?.[1]))
        expect(headers['if-range']).toBe(`"${sha256(bytes)}"`)
      }
    })

    it('is tried again only so often without getting any further', async () => {
      const bytes = bytesOf(1000)
      const server = await serving(bytes, { cutAfter: 100, hasRanges: false })
      const error = await caught(downloadFile(server.url, path, { ...QUICK, retries: 3 }))
      expect(error).toBeInstanceOf(ConnectionError)
      expect(server.requests).toHaveLength(4)
      expect(existsSync(path)).toBe(false)
    })

    it('is tried again as often as it takes while there is more each time', async () => {
      const bytes = bytesOf(100)
      const server = await serving(bytes, { cutAfter: 10 })
      await expectWhole(bytes, server.url, { retries: 1 })
      expect(server.requests).toHaveLength(10)
    })

    it('before any answer is a ConnectionError with its cause, in the end', async () => {
      const server = await answering((request) => request.socket.destroy())
      const error = await caught(downloadFile(server.url, path, { ...QUICK, retries: 2 }))
      expect(error).toBeInstanceOf(ConnectionError)
      expect((error as Error).cause).toBeDefined()
      expect(server.requests).toHaveLength(3)
      expect(besides()).toEqual([])
    })

    it('is also one on which nothing comes', async () => {
      const bytes = bytesOf(5000)
      const server = await answering((request, response, count) => {
        if (count === 0) return
        if (count > 1) return sendFile(request, response, { bytes })
        response.writeHead(200, { etag: `"${sha256(bytes)}"`, 'content-length': bytes.length })
        response.write(bytes.subarray(0, 2000))
      })
      await expectWhole(bytes, server.url, { idleTimeout: 150 })
      expect(ranges(server.requests)).toEqual([undefined, undefined, 'bytes=2000-'])
    })

    it('is not one on which something comes, however slowly', async () => {
      const bytes = bytesOf(12)
      const server = await answering(async (_, response) => {
        response.writeHead(200, { 'content-length': bytes.length })
        for (const byte of bytes) {
          response.write(Uint8Array.of(byte))
          await setTimeout(50)
        }
        response.end()
      })
      await expectWhole(bytes, server.url, { idleTimeout: 400 })
      expect(server.requests).toHaveLength(1)
    })

    it('may be waited for without an end', async () => {
      const bytes = bytesOf(100)
      const server = await answering(async (request, response) => {
        await setTimeout(50)
        sendFile(request, response, { bytes })
      })
      await expectWhole(bytes, server.url, { idleTimeout: Number.POSITIVE_INFINITY })
      expect(server.requests).toHaveLength(1)
    })

    it.each([0, -1, Number.NaN])('is not waited for %d milliseconds', async (idleTimeout) => {
      const server = await serving(bytesOf(100))
      const error = await caught(downloadFile(server.url, path, { idleTimeout }))
      expect(error).toBeInstanceOf(RangeError)
      expect(server.requests).toHaveLength(0)
      expect(readdirSync(folder)).toEqual([])
    })
  })

  describe('what an earlier download left behind', () => {
    const bytes = bytesOf(10_000)

    it('is taken up where it stopped', async () => {
      await leavePart(bytes, 4000)
      const server = await serving(bytes)
      const first: DownloadProgress[] = []
      await expectWhole(bytes, server.url, { onProgress: (one) => first.push(one) })
      expect(ranges(server.requests)).toEqual(['bytes=4000-'])
      expect(first[0]).toEqual({ received: 4000, total: 10_000 })
    })

    it('is asked about before it is used, though nothing is missing', async () => {
      await leavePart(bytes, 9000)
      writeFileSync(`${path}.part`, bytes)
      const server = await serving(bytes)
      await expectWhole(bytes, server.url)
      expect(ranges(server.requests)).toEqual(['bytes=9999-'])
    })

    it('is thrown away if the file is another by now', async () => {
      await leavePart(bytes, 4000)
      const other = bytesOf(7000, 2)
      const server = await serving(other)
      await expectWhole(other, server.url)
      expect(ranges(server.requests)).toEqual(['bytes=4000-'])
    })

    it.each([
      ['another entity tag', { etag: '"other"' }],
      ['another length', { 'content-range': 'bytes 4000-10000/10001' }],
      ['another place', { 'content-range': 'bytes 3999-9999/10000' }],
      ['no place', { 'content-range': 'bytes */10000' }],
    ])('is not mixed with an answer that has %s', async (_, headers) => {
      await leavePart(bytes, 4000)
      const server = await answering((request, response, count) => {
        if (count > 0) return sendFile(request, response, { bytes })
        const right = { etag: `"${sha256(bytes)}"`, 'content-range': 'bytes 4000-9999/10000' }
        response.writeHead(206, { ...right, ...headers }).end(bytes.subarray(4000))
      })
      await expectWhole(bytes, server.url)
      expect(ranges(server.requests)).toEqual(['bytes=4000-', undefined])
    })

    it('is thrown away if the server has no such part', async () => {
      await leavePart(bytes, 4000)
      const server = await answering((request, response, count) => {
        if (count > 0) return sendFile(request, response, { bytes })
        response.writeHead(416, { 'content-range': 'bytes */10000' }).end()
      })
      await expectWhole(bytes, server.url)
      expect(ranges(server.requests)).toEqual(['bytes=4000-', undefined])
    })

    it.each([
      ['no notes', () => rmSync(`${path}.part.json`)],
      ['broken notes', () => writeFileSync(`${path}.part.json`, '{"etag":"')],
      [
        'notes of something else',
        () => writeFileSync(`${path}.part.json`, '{"etag":7,"total":"x"}'),
      ],
      ['notes of another time', () => writeFileSync(`${path}.part.json`, '{"etag":7}')],
      ['more bytes than the file', () => writeFileSync(`${path}.part`, bytesOf(10_001))],
    ])('is thrown away with %s', async (_, spoil) => {
      await leavePart(bytes, 4000)
      spoil()
      const server = await serving(bytes)
      await expectWhole(bytes, server.url)
      expect(ranges(server.requests)).toEqual([undefined])
    })

    it.each(['', 'W/"weak"', 'unquoted'])('is not resumed by an entity tag of %j', async (etag) => {
      const server = await answering((request, response, count) => {
        sendFile(request, response, { bytes, etag, cutAfter: count === 0 ? 4000 : undefined })
      })
      await expectWhole(bytes, server.url)
      expect(ranges(server.requests)).toEqual([undefined, undefined])
    })

    it('holds no link', async () => {
      await leavePart(bytes, 4000)
      expect(readFileSync(`${path}.part.json`, 'utf8')).not.toContain(TOKEN)
    })

    it('is not followed to where a link leads, and nothing is asked for', async () => {
      const elsewhere = join(folder, 'elsewhere')
      writeFileSync(elsewhere, 'precious')
      symlinkSync(elsewhere, `${path}.part`)
      const server = await serving(bytes)
      expect(await caught(downloadFile(server.url, path))).toMatchObject({ code: 'ELOOP' })
      expect(readFileSync(elsewhere, 'utf8')).toBe('precious')
      expect(server.requests).toHaveLength(0)
    })
  })

  describe('a path that another download has', () => {
    const bytes = bytesOf(10_000)

    /** Starts a server that pauses in the middle of its first response until `goOn` is called. */
    async function pausing(sent: number) {
      let goOn = () => {}
      const told = new Promise<void>((resolve) => {
        goOn = resolve
      })
      const server = await answering(async (request, response, count) => {
        if (count > 0) return sendFile(request, response, { bytes })
        const head = { etag: `"${sha256(bytes)}"`, 'repr-digest': digestOf(bytes) }
        response.writeHead(200, { ...head, 'content-length': bytes.length }).flushHeaders()
        response.write(bytes.subarray(0, sent))
        await told
        response.end(bytes.subarray(sent))
      })
      return { ...server, goOn }
    }

    /** Starts a download and resolves when it has received this many bytes. */
    async function startFetching(url: string, enough: number, options: DownloadOptions = {}) {
      let work: Promise<unknown> | undefined
      await new Promise<void>((resolve, reject) => {
        const onProgress = ({ received }: DownloadProgress) => {
          if (received === enough) resolve()
        }
        work = downloadFile(url, path, { ...QUICK, ...options, onProgress })
        work.catch(reject)
      })
      return { ended: work as Promise<unknown> }
    }

    /** Creates the lock that a killed process leaves behind. */
    function leaveClaim(owner: string): void {
      mkdirSync(`${path}.part.lock`)
      writeFileSync(join(`${path}.part.lock`, owner), '')
    }
    const lockOf = () => readdirSync(`${path}.part.lock`)
    const inProgress = { name: 'DownloadError', reason: 'in_progress' }

    beforeAll(prepareBuild)

    it('is left to it, and its file is whole', async () => {
      const server = await pausing(4000)
      const { ended } = await startFetching(server.url, 4000)
      const other = await serving(bytesOf(500, 2))
      for (const overwrite of [false, true]) {
        const error = await caught(downloadFile(other.url, path, { overwrite }))
        expect(error).toBeInstanceOf(DownloadError)
        expect(error).toMatchObject(inProgress)
      }
      server.goOn()
      expect(await ended).toMatchObject({ verified: true })
      expect(readFileSync(path).equals(bytes)).toBe(true)
      expect(besides()).toEqual([])
      expect(other.requests).toHaveLength(0)
    })

    it.each([
      ['at once', () => {}],
      ['after one that is gone', () => leaveClaim(`${spawnSync('true').pid}--00000000`)],
    ])('goes to one of ten that come %s', async (_, prepare) => {
      prepare()
      const server = await pausing(0)
      const errors: unknown[] = []
      const works = Array.from({ length: 10 }, () => downloadFile(server.url, path))
      await new Promise<void>((resolve) => {
        for (const work of works) work.catch((error) => errors.push(error) === 9 && resolve())
      })
      expect(errors).toEqual(Array(9).fill(expect.objectContaining(inProgress)))
      server.goOn()
      await Promise.any(works)
      expect(readFileSync(path).equals(bytes)).toBe(true)
      expect(besides()).toEqual([])
      expect(server.requests).toHaveLength(1)
    })

    it('in another process is left to it until that is killed, and then gone on with', async () => {
      const server = await pausing(4000)
      const child = spawn(
        process.execPath,
        ['--input-type=module', '-e', FETCH, server.url, path],
        {
          cwd: fileURLToPath(new URL('..', import.meta.url)),
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      )
      for await (const line of createInterface(child.stdout)) if (line === '4000') break
      const error = await caught(downloadFile(server.url, path))
      expect(error).toMatchObject(inProgress)
      const gone = once(child, 'close')
      child.kill('SIGKILL')
      await gone
      expect(lockOf()).toHaveLength(1)
      await expectWhole(bytes, server.url)
      expect(ranges(server.requests)).toEqual([undefined, 'bytes=4000-'])
    })

    it('is free again if the number of its process is that of another by now', async () => {
      leaveClaim(`${process.pid}-1-00000000`)
      const server = await serving(bytes)
      await expectWhole(bytes, server.url)
    })

    it('is not free if nobody knows who has it', async () => {
      leaveClaim('somebody')
      const server = await serving(bytes)
      const error = await caught(downloadFile(server.url, path))
      expect(error).toMatchObject(inProgress)
      expect((error as Error).message).toContain(`${path}.part.lock`)
      expect(lockOf()).toEqual(['somebody'])
      expect(besides()).toEqual(['file.bin.part.lock'])
    })

    it('is free again after a failure and after a stop, whatever is left there', async () => {
      const left = ['file.bin.part', 'file.bin.part.json']
      await leavePart(bytes, 4000)
      expect(besides()).toEqual(left)
      const stop = new AbortController()
      const server = await pausing(5000)
      const { ended } = await startFetching(server.url, 5000, { signal: stop.signal })
      stop.abort()
      expect(await caught(ended)).toBe(stop.signal.reason)
      expect(besides()).toEqual(left)
      rmSync(`${path}.part`)
      mkdirSync(`${path}.part`)
      expect(await caught(downloadFile(server.url, path))).toMatchObject({ code: 'EISDIR' })
      expect(besides()).toEqual(left)
    })

    describe('and took away from one that was alive', () => {
      function takeAway(): void {
        rmSync(`${path}.part.lock`, { recursive: true })
        leaveClaim('somebody')
        writeFileSync(`${path}.part.json`, '{}')
      }
      const theirs = ['file.bin.part', 'file.bin.part.json', 'file.bin.part.lock']

      it('is not begun anew', async () => {
        const server = await pausing(0)
        const { ended } = await startFetching(server.url, 0)
        takeAway()
        writeFileSync(`${path}.part`, 'theirs')
        for (const one of servers) one.closeAllConnections()
        expect(await caught(ended)).toMatchObject(inProgress)
        expect(readFileSync(`${path}.part`, 'utf8')).toBe('theirs')
        expect(readdirSync(folder)).toEqual(theirs)
        expect(lockOf()).toEqual(['somebody'])
      })

      it('is not put in place', async () => {
        const server = await pausing(4000)
        const { ended } = await startFetching(server.url, 4000)
        takeAway()
        server.goOn()
        expect(await caught(ended)).toMatchObject(inProgress)
        expect(readdirSync(folder)).toEqual(theirs)
        expect(lockOf()).toEqual(['somebody'])
      })
    })
  })

  it('a file whose part is still there under a second name is not touched by the next one', async () => {
    const [old, young] = [bytesOf(3000, 1), bytesOf(4000, 2)]
    writeFileSync(path, old)
    linkSync(path, `${path}.part`)
    writeFileSync(`${path}.part.json`, JSON.stringify({ etag: '"old"', total: 3000 }))
    const server = await answering((request, response, count) => {
      if (count === 0) sendFile(request, response, { bytes: young, cutAfter: 100 })
      else response.writeHead(410).end()
    })
    const error = await caught(downloadFile(server.url, path, { ...QUICK, overwrite: true }))
    expect(error).toMatchObject({ status: 410 })
    expect(readFileSync(path).equals(old)).toBe(true)
    expect(ranges(server.requests)).toEqual([undefined, 'bytes=100-'])
  })

  it('a server without ranges sends all of it again, until it gets through', async () => {
    const seed = Math.floor(Math.random() * 2 ** 31)
    console.log(`cuts of seed ${seed}`)
    const random = seededRandom(seed)
    const bytes = bytesOf(50_000, seed)
    const server = await answering((request, response, count) => {
      const cutAfter = count < 6 ? Math.floor(random() * 49_000) : undefined
      sendFile(request, response, { bytes, cutAfter, hasRanges: false })
    })
    await expectWhole(bytes, server.url)
    expect(server.requests).toHaveLength(7)
  })

  it('a file that is replaced in the middle comes from its new beginning', async () => {
    const [old, young] = [bytesOf(9000, 1), bytesOf(12_000, 2)]
    const server = await answering((request, response, count) => {
      const cutAfter = [5000, 3000, undefined][count]
      sendFile(request, response, { bytes: count === 0 ? old : young, cutAfter })
    })
    const file = await expectWhole(young, server.url)
    expect(file.verified).toBe(true)
    expect(ranges(server.requests)).toEqual([undefined, 'bytes=5000-', 'bytes=3000-'])
  })

  it('a file that is replaced in the middle gets as many tries as any other', async () => {
    const [old, young] = [bytesOf(9000, 1), bytesOf(4000, 2)]
    const server = await answering((request, response, count) => {
      if (count === 0) return sendFile(request, response, { bytes: old, cutAfter: 8000 })
      sendFile(request, response, { bytes: young, cutAfter: 500 })
    })
    await expectWhole(young, server.url, { retries: 2 })
    expect(server.requests).toHaveLength(9)
  })

  it('a server that sends less than it was asked for is asked for the rest', async () => {
    const bytes = bytesOf(2500)
    const etag = '"no digest"'
    const server = await answering((request, response) => {
      const from = Number(/\d+/.exec(request.headers.range ?? '0')?.[0])
      if (from === 0) return sendFile(request, response, { bytes, etag, digest: '', cutAfter: 900 })
      const part = bytes.subarray(from, from + 700)
      const range = `bytes ${from}-${from + part.length - 1}/${bytes.length}`
      response.writeHead(206, { etag, 'content-range': range, 'content-length': part.length })
      response.end(part)
    })
    await expectWhole(bytes, server.url)
    expect(ranges(server.requests)).toEqual([undefined, 'bytes=900-', 'bytes=1600-', 'bytes=2300-'])
  })

  describe('a checksum that does not fit', () => {
    const bytes = bytesOf(5000)
    const wrong = Buffer.from(bytes)
    wrong[4321] = (wrong[4321] as number) ^ 1

    it('costs a second try from the first byte', async () => {
      const server = await answering((request, response, count) => {
        const reply = { etag: '"same"', digest: digestOf(bytes) }
        sendFile(request, response, { bytes: count === 0 ? wrong : bytes, ...reply })
      })
      await expectWhole(bytes, server.url)
      expect(ranges(server.requests)).toEqual([undefined, undefined])
    })

    it('is an error the second time, and nothing is left', async () => {
      const server = await serving(wrong, { digest: digestOf(bytes) })
      const error = await caught(downloadFile(server.url, path, QUICK))
      expect(error).toBeInstanceOf(DownloadError)
      expect(error).toMatchObject({ reason: 'damaged' })
      expect(server.requests).toHaveLength(2)
      expect(readdirSync(folder)).toEqual([])
    })

    it('is found in what lay on the disk meanwhile, too', async () => {
      await leavePart(bytes, 4500)
      writeFileSync(`${path}.part`, wrong.subarray(0, 4500))
      const server = await serving(bytes)
      await expectWhole(bytes, server.url)
      expect(ranges(server.requests)).toEqual(['bytes=4500-', undefined])
    })
  })

  describe('a failure', () => {
    const bytes = bytesOf(3000)
    const body = (code: string) =>
      JSON.stringify({ error: { message: `It is ${code}.`, code, request_id: 'r1' } })

    it.each([
      [400, 'invalid_request'],
      [403, 'link_invalid'],
      [404, 'download_not_found'],
      [410, 'link_used'],
      [412, 'precondition_failed'],
    ])('of %i is told at once, and leaves nothing', async (status, code) => {
      const server = await answering((_, response) => {
        response.writeHead(status).end(body(code))
      })
      const error = await caught(downloadFile(server.url, path, QUICK))
      expect(error).toBeInstanceOf(ApiError)
      const message = `It is ${code}.`
      expect(error).toMatchObject({ status, code, message, requestId: 'r1' })
      if (status === 404) expect(error).toBeInstanceOf(NotFoundError)
      expect(server.requests).toHaveLength(1)
      expect(readdirSync(folder)).toEqual([])
    })

    it('in the middle leaves what has arrived, for a new link to go on with', async () => {
      const server = await answering((request, response, count) => {
        if (count > 0) return void response.writeHead(410).end(body('link_expired'))
        sendFile(request, response, { bytes, cutAfter: 1000 })
      })
      const error = await caught(downloadFile(server.url, path, QUICK))
      expect(error).toMatchObject({ status: 410, code: 'link_expired' })
      const next = await serving(bytes)
      await expectWhole(bytes, next.url)
      expect(ranges(next.requests)).toEqual(['bytes=1000-'])
    })

    it.each([429, 500, 502, 503, 504])('of %i may pass, and is tried again', async (status) => {
      const server = await answering((request, response, count) => {
        if (count < 2) response.writeHead(status).end('<html>not now</html>')
        else sendFile(request, response, { bytes })
      })
      await expectWhole(bytes, server.url)
      expect(server.requests).toHaveLength(3)
    })

    it('that does not pass is told in the end, whatever its body', async () => {
      const server = await answering((_, response) => {
        response.writeHead(503).end('x'.repeat(1_000_000))
      })
      const error = await caught(downloadFile(server.url, path, { ...QUICK, retries: 2 }))
      expect(error).toBeInstanceOf(UnavailableError)
      expect(server.requests).toHaveLength(3)
    })

    it('whose body has no end is told nevertheless', async () => {
      const server = await answering((_, response) => {
        const more = () => {
          while (!response.destroyed && response.write('x'.repeat(10_000)));
        }
        response.writeHead(403).on('drain', more)
        more()
      })
      const error = await caught(downloadFile(server.url, path, QUICK))
      expect(error).toMatchObject({ status: 403, code: 'unknown' })
    })

    it('is not tried again sooner than the server says', async () => {
      const times: number[] = []
      const server = await answering((request, response, count) => {
        times.push(performance.now())
        if (count === 0) response.writeHead(503, { 'retry-after': '1' }).end()
        else sendFile(request, response, { bytes })
      })
      await expectWhole(bytes, server.url)
      expect((times[1] as number) - (times[0] as number)).toBeGreaterThan(990)
    })

    it('is told at once if the server says to come back in an hour', async () => {
      const server = await answering((_, response) => {
        response.writeHead(503, { 'retry-after': '3600' }).end()
      })
      const error = await caught(downloadFile(server.url, path, QUICK))
      expect(error).toMatchObject({ status: 503, retryAfter: 3600 })
      expect(server.requests).toHaveLength(1)
    })

    it.each([204, 206, 304])('is also a %i that was not asked for', async (status) => {
      const server = await answering((_, response) => {
        response.writeHead(status).end()
      })
      const error = await caught(downloadFile(server.url, path, { ...QUICK, retries: 0 }))
      expect(error).toBeInstanceOf(ConnectionError)
    })

    it('is also a file that was packed on its way', async () => {
      const server = await answering((_, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(bytes)
      })
      const error = await caught(downloadFile(server.url, path, QUICK))
      expect(error).toMatchObject({ name: 'DownloadError', reason: 'bad_answer' })
      expect(server.requests).toHaveLength(1)
      expect(server.requests[0]?.headers['accept-encoding']).toBe('identity')
    })

    it('of the disk is told as it is', async () => {
      const server = await serving(bytes)
      const nowhere = join(folder, 'no', 'such', 'folder')
      expect(await caught(downloadFile(server.url, nowhere))).toMatchObject({ code: 'ENOENT' })
      expect(server.requests).toHaveLength(0)
    })

    it('of the caller is told as it is, and not tried again', async () => {
      const server = await serving(bytes)
      const own = new Error('my own')
      const onProgress = ({ received }: DownloadProgress) => {
        if (received > 0) throw own
      }
      expect(await caught(downloadFile(server.url, path, { ...QUICK, onProgress }))).toBe(own)
      expect(server.requests).toHaveLength(1)
      await expectWhole(bytes, server.url)
    })
  })

  describe('a file that is there already', () => {
    const bytes = bytesOf(3000)

    it('is kept, and nothing is asked for', async () => {
      writeFileSync(path, 'precious')
      const server = await serving(bytes)
      const error = await caught(downloadFile(server.url, path))
      expect(error).toBeInstanceOf(DownloadError)
      expect(error).toMatchObject({ reason: 'file_exists' })
      expect(readFileSync(path, 'utf8')).toBe('precious')
      expect(server.requests).toHaveLength(0)
      expect(besides()).toEqual([])
    })

    it('is kept as well if it is a link that leads nowhere', async () => {
      symlinkSync(join(folder, 'nowhere'), path)
      const server = await serving(bytes)
      const error = await caught(downloadFile(server.url, path))
      expect(error).toMatchObject({ reason: 'file_exists' })
      expect(readdirSync(folder)).toEqual(['file.bin'])
    })

    it('is kept if it came while the other was on its way, which is kept too', async () => {
      const server = await serving(bytes)
      const onProgress = ({ received }: DownloadProgress) => {
        if (received === 3000) writeFileSync(path, 'precious')
      }
      const error = await caught(downloadFile(server.url, path, { onProgress }))
      expect(error).toMatchObject({ reason: 'file_exists' })
      expect(readFileSync(path, 'utf8')).toBe('precious')
      rmSync(path)
      await expectWhole(bytes, server.url)
      expect(ranges(server.requests)).toEqual([undefined, 'bytes=2999-'])
    })

    it('is replaced if that is wished for, when the new one is whole', async () => {
      writeFileSync(path, 'old')
      const bad = await serving(bytes, { cutAfter: 1000, hasRanges: false })
      const options = { ...QUICK, overwrite: true }
      await caught(downloadFile(bad.url, path, { ...options, retries: 1 }))
      expect(readFileSync(path, 'utf8')).toBe('old')
      const good = await serving(bytes)
      await expectWhole(bytes, good.url, options)
    })
  })

  describe('a signal', () => {
    const bytes = bytesOf(200_000)

    it('ends the download with its reason, and what has arrived stays', async () => {
      const server = await answering((request, response, count) => {
        if (count > 0) return sendFile(request, response, { bytes })
        const { length } = bytes
        response.writeHead(200, { etag: `"${sha256(bytes)}"`, 'content-length': length })
        response.write(bytes.subarray(0, 70_000))
      })
      const stop = new AbortController()
      const reason = new Error('enough')
      const onProgress = ({ received }: DownloadProgress) => {
        if (received === 70_000) stop.abort(reason)
      }
      const options = { signal: stop.signal, onProgress, retries: 0 }
      expect(await caught(downloadFile(server.url, path, options))).toBe(reason)
      expect(server.requests).toHaveLength(1)
      await expectWhole(bytes, server.url)
      expect(ranges(server.requests)).toEqual([undefined, 'bytes=70000-'])
    })

    it('counts until the file is in place', async () => {
      const server = await serving(bytes)
      const stop = new AbortController()
      const onProgress = ({ received }: DownloadProgress) => {
        if (received === bytes.length) stop.abort()
      }
      const work = downloadFile(server.url, path, { signal: stop.signal, onProgress })
      expect(await caught(work)).toBe(stop.signal.reason)
      expect(existsSync(path)).toBe(false)
      await expectWhole(bytes, server.url)
      expect(ranges(server.requests)).toEqual([undefined, 'bytes=199999-'])
    })

    it('ends a pause', async () => {
      const stop = new AbortController()
      const server = await answering((_, response) => {
        response.writeHead(503, { 'retry-after': '200' }).end()
        response.once('close', () => setTimeout(50).then(() => stop.abort()))
      })
      const error = await caught(downloadFile(server.url, path, { signal: stop.signal }))
      expect(error).toMatchObject({ name: 'AbortError' })
      expect(server.requests).toHaveLength(1)
    })

    it('that was given before keeps anything from being done', async () => {
      const server = await serving(bytes)
      const signal = AbortSignal.abort()
      expect(await caught(downloadFile(server.url, path, { signal }))).toBe(signal.reason)
      expect(server.requests).toHaveLength(0)
      expect(readdirSync(folder)).toEqual([])
    })
  })

  describe('a redirect', () => {
    const bytes = bytesOf(6000)
    const redirecting = (location: string | undefined, status = 302) =>
      answering((_, response) => {
        response.writeHead(status, location === undefined ? {} : { location }).end('elsewhere')
      })

    it.each([301, 302, 303, 307, 308])('of %i is followed to another host', async (status) => {
      const store = await serving(bytes)
      const server = await redirecting(`http://localhost:${store.port}/object?sig=1`, status)
      await expectWhole(bytes, server.url)
      const [{ url, headers } = {}] = store.requests
      expect(url).toBe('/object?sig=1')
      expect(headers).toMatchObject({ host: `localhost:${store.port}` })
      for (const name of ['authorization', 'cookie', 'referer', 'origin']) {
        expect(headers).not.toHaveProperty(name)
      }
      expect(inspect(headers)).not.toContain(TOKEN)
    })

    it('is asked for anew at every try, since where it leads does not last', async () => {
      const store = await answering((request, response) => {
        sendFile(request, response, { bytes, cutAfter: 2500, etag: '"s3"', digest: '' })
      })
      const server = await answering((_, response, count) => {
        const location = `http://127.0.0.1:${store.port}/${count}`
        response.writeHead(302, { location }).end()
      })
      const file = await expectWhole(bytes, server.url)
      expect(file.verified).toBe(false)
      expect(store.requests.map(({ url }) => url)).toEqual(['/0', '/1', '/2'])
      expect(ranges(store.requests)).toEqual([undefined, 'bytes=2500-', 'bytes=5000-'])
      expect(store.requests.at(-1)?.headers['if-range']).toBe('"s3"')
    })

    describe('with a checksum', () => {
      const wrong = digestOf(bytesOf(6000, 2))
      const to = (port: number, digest: string) =>
        answering((_, response) => {
          const location = `http://127.0.0.1:${port}/next`
          response.writeHead(302, { location, 'repr-digest': digest }).end()
        })
      const plainStore = () => serving(bytes, { etag: '"s3"', digest: '' })

      it('vouches for a file that comes without one', async () => {
        const store = await plainStore()
        const server = await to(store.port, digestOf(bytes))
        expect(await expectWhole(bytes, server.url)).toMatchObject({ verified: true })
      })

      it('finds out a file that is another', async () => {
        const store = await plainStore()
        const server = await to(store.port, wrong)
        const error = await caught(downloadFile(server.url, path, QUICK))
        expect(error).toMatchObject({ reason: 'damaged' })
      })

      it('vouches for one that comes in pieces', async () => {
        const store = await answering((request, response) => {
          sendFile(request, response, { bytes, cutAfter: 2500, etag: '"s3"', digest: '' })
        })
        const server = await to(store.port, digestOf(bytes))
        expect(await expectWhole(bytes, server.url)).toMatchObject({ verified: true })
        expect(store.requests).toHaveLength(3)
      })

      it('stands back behind that of the file', async () => {
        const store = await serving(bytes)
        const server = await to(store.port, wrong)
        expect(await expectWhole(bytes, server.url)).toMatchObject({ verified: true })
      })

      it('counts on the way within the host of the link', async () => {
        const store = await plainStore()
        const server = await answering((request, response) => {
          const isFirst = request.url?.endsWith(TOKEN)
          const location = isFirst ? '/next' : `http://127.0.0.1:${store.port}/object`
          const digest = isFirst ? {} : { 'repr-digest': digestOf(bytes) }
          response.writeHead(302, { location, ...digest }).end()
        })
        expect(await expectWhole(bytes, server.url)).toMatchObject({ verified: true })
      })

      it('does not count from any other host, nor from one that another led back to', async () => {
        const store = await plainStore()
        const ports: number[] = []
        const server = await answering((_, response, count) => {
          const location = `http://127.0.0.1:${count === 0 ? ports[0] : store.port}/object`
          response.writeHead(302, { location, ...(count > 0 && { 'repr-digest': wrong }) }).end()
        })
        const between = await to(server.port, wrong)
        ports.push(between.port)
        expect(await expectWhole(bytes, server.url)).toMatchObject({ verified: false })
        expect([server, between].map(({ requests }) => requests.length)).toEqual([2, 1])
      })
    })

    it('may be relative to where it is', async () => {
      const server = await answering((request, response) => {
        if (request.url === '/d/file') sendFile(request, response, { bytes })
        else response.writeHead(302, { location: 'file' }).end()
      })
      await expectWhole(bytes, server.url)
    })

    it.each([
      ['file:///etc/passwd'],
      ['ftp://127.0.0.1/x'],
      ['data:text/plain,x'],
      ['http://['],
      [''],
      [undefined],
    ])('to %s is not followed', async (location) => {
      const server = await redirecting(location)
      const error = await caught(downloadFile(server.url, path, QUICK))
      expect(error).toMatchObject({ name: 'DownloadError', reason: 'bad_answer' })
      expect(server.requests).toHaveLength(1)
    })

    it('that has no end is given up', async () => {
      const server = await redirecting('?again')
      const error = await caught(downloadFile(server.url, path, QUICK))
      expect(error).toMatchObject({ reason: 'bad_answer' })
      expect(server.requests).toHaveLength(6)
    })

    it('does not lead out of an encrypted connection', async () => {
      const plain = await serving(bytes)
      const server = await redirecting(plain.url)
      // The client believes that this connection is encrypted.
      const encrypted = vi
        .spyOn(https, 'request')
        .mockImplementation(((_: URL, ...more: [never]) =>
          http.request(server.url, ...more)) as typeof https.request)
      const url = server.url.replace('http:', 'https:')
      const error = await caught(downloadFile(url, path, QUICK))
      encrypted.mockRestore()
      expect(error).toMatchObject({ reason: 'bad_answer' })
      expect([server, plain].map(({ requests }) => requests.length)).toEqual([1, 0])
    })
  })

  it('the link is in no error', async () => {
    const refusing = await serving(bytesOf(10))
    servers.pop()?.close()
    const leading = await answering((_, response) => {
      response.writeHead(302, { location: `gopher://${TOKEN}` }).end()
    })
    const failing = await answering((_, response) => void response.writeHead(403).end(TOKEN))
    const urls = [
      refusing.url,
      leading.url,
      failing.url,
      `no-address/${TOKEN}`,
      `ftp://127.0.0.1/${TOKEN}`,
    ]
    for (const url of urls) {
      const error = await caught(downloadFile(url, path, { ...QUICK, retries: 0 }))
      expect(error).toBeInstanceOf(Error)
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(TOKEN)
    }
  })

  describe('against the real service', () => {
    let rid: string
    let count = 0

    const service = useService(databases[0])
    const app = useApplication(service)
    beforeEach(async () => {
      rid = `file-${++count}`
      await app.addResource(rid)
    })

    /** Downloads until this many bytes have arrived, then aborts. */
    async function fetchSome(url: string, enough: number): Promise<number> {
      const stop = new AbortController()
      let got = 0
      const onProgress = ({ received }: DownloadProgress) => {
        got = received
        if (received >= enough) stop.abort()
      }
      const work = downloadFile(url, path, { signal: stop.signal, onProgress })
      expect(await caught(work)).toMatchObject({ name: 'AbortError' })
      return got
    }

    const replaceWith = (bytes: Buffer) =>
      uploadBytes(app, bytes, (file) =>
        app.environment.database.write((trx) =>
          replaceFile(
            trx,
            { aid: app.aid, rid },
            file,
            { fileName: 'new.bin', type: 'application/octet-stream' },
            testActor(app.environment),
          ),
        ),
      )

    it('a file comes whole and checked', async () => {
      const bytes = bytesOf(300_000, 7)
      await addDownload(app, rid, bytes)
      const { url } = await app.client.getDownloadUrl({ rid, lifetime: 60 })
      const file = await expectWhole(bytes, url)
      expect(file).toMatchObject({ sha256: sha256(bytes), verified: true })
    })

    it('an empty file too', async () => {
      await addDownload(app, rid, Buffer.alloc(0))
      const { url } = await app.client.getDownloadUrl({ rid, lifetime: 60 })
      expect(await expectWhole(Buffer.alloc(0), url)).toMatchObject({ size: 0, verified: true })
    })

    it('a link that may be used once covers a download in several pieces', async () => {
      const bytes = Buffer.alloc(4_000_000, bytesOf(1000, 8))
      await addDownload(app, rid, bytes)
      const { url } = await app.client.getDownloadUrl({ rid, lifetime: 600_000, limit: 1 })
      const [first, second] = [await fetchSome(url, 1_000_000), await fetchSome(url, 2_500_000)]
      expect(second).toBeGreaterThan(first)
      await expectWhole(bytes, url)
      rmSync(path)
      service.clock.advance(86_400)
      const error = await caught(downloadFile(url, path))
      expect(error).toMatchObject({ status: 410, code: 'link_used' })
    })

    it('a file that is replaced in the middle is the new one', async () => {
      const [old, young] = [Buffer.alloc(3_000_000, 'old'), Buffer.alloc(2_000_000, 'young')]
      await addDownload(app, rid, old)
      const { url } = await app.client.getDownloadUrl({ rid, lifetime: 60 })
      await fetchSome(url, 1_000_000)
      await replaceWith(young)
      expect(await expectWhole(young, url)).toMatchObject({ verified: true })
    })

    it('after a revoke nothing more comes, and after a new grant a new link goes on', async () => {
      const bytes = Buffer.alloc(3_000_000, 'for ann')
      await addDownload(app, rid, bytes)
      const who = { rid, email: 'ann@example.com', user_ref: 'ann' }
      await app.client.grantAccess(who)
      const query = { rid, user_ref: 'ann', lifetime: 60 }
      const { url } = await app.client.getDownloadUrl(query)
      const got = await fetchSome(url, 1_000_000)
      await app.client.revokeAccess({ rid, user_ref: 'ann' })
      const error = await caught(downloadFile(url, path))
      expect(error).toMatchObject({ status: 403, code: 'access_ended' })
      expect(readFileSync(`${path}.part`)).toHaveLength(got)
      await app.client.grantAccess(who)
      const next = await app.client.getDownloadUrl(query)
      const progress: number[] = []
      const onProgress = ({ received }: DownloadProgress) => progress.push(received)
      await expectWhole(bytes, next.url, { onProgress })
      expect(progress[0]).toBe(got)
    })

    it('a link that is over, or was never one, is told', async () => {
      await addDownload(app, rid)
      const { url } = await app.client.getDownloadUrl({ rid, lifetime: 1 })
      service.clock.advance(1)
      const over = await caught(downloadFile(url, path))
      expect(over).toMatchObject({ status: 410, code: 'link_expired' })
      const forged = await caught(downloadFile(`${url}x`, path))
      expect(forged).toMatchObject({ status: 403, code: 'link_invalid' })
      expect(readdirSync(folder)).toEqual([])
    })
  })
})
