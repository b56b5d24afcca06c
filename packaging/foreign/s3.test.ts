import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { replaceFile } from '../../packages/server/src/domain/downloads/downloads.ts'
import {
  S3_LIMITS,
  type S3Options,
} from '../../packages/server/src/domain/downloads/storage/s3/client.ts'
import { createS3Store } from '../../packages/server/src/domain/downloads/storage/s3/store.ts'
import {
  MissingFile,
  type Store,
  type StoredFile,
} from '../../packages/server/src/domain/downloads/storage/storage.ts'
import { databases } from '../../packages/server/src/testing/databases.ts'
import {
  addDownload,
  testActor,
  uploadBytes,
} from '../../packages/server/src/testing/downloads/downloads.ts'
import { fetchBytes } from '../../packages/server/src/testing/http/fetching.ts'
import { startProcess } from '../../packages/server/src/testing/processes/process.ts'
import { createBucket } from '../../packages/server/src/testing/s3/create-bucket.ts'
import { addFile, inPieces, readAll } from '../../packages/server/src/testing/s3/store-fixtures.ts'
import { startTestService } from '../../packages/server/src/testing/service.ts'
import { describeForeign } from './installed.ts'
import { type ForeignS3, hasS3rver, startCutter, startS3rver } from './s3-servers.ts'
import { SWIFT_PROGRAMS, startSwift } from './swift.ts'

const [SQLITE] = databases
const MIB = 2 ** 20
const BYTES = randomBytes(12 * MIB)
const SMALL_PARTS = { ...S3_LIMITS, partSize: 5 * MIB }

describeForeign('Swift', SWIFT_PROGRAMS, () => testServer(startSwift))
if (hasS3rver()) describe('s3rver', () => testServer(startS3rver))
else console.info('left out: s3rver (install it with npm, and name its folder in S3RVER_FOLDER)')

function testServer(start: (folder: string) => Promise<ForeignS3>): void {
  let folder: string
  let server: ForeignS3
  let options: S3Options
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-foreign-s3-'))
    server = await start(folder)
    const { url: endpoint, keys } = server
    const place = { bucket: 'gatehouse-test', region: 'us-east-1', folder: 'gatehouse' }
    options = { ...place, endpoint, keys, pathStyle: true, delivery: 'redirect' }
    await createBucket(options)
  })
  afterAll(async () => {
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  async function withStore<R>(
    work: (store: Store) => Promise<R>,
    more: Partial<S3Options> = {},
  ): Promise<R> {
    const store = createS3Store({ ...options, ...more }, 'production', SMALL_PARTS)
    return await work(store).finally(() => store.close())
  }

  const env = () => ({
    GATEHOUSE_S3_BUCKET: options.bucket,
    GATEHOUSE_S3_ENDPOINT: server.url,
    GATEHOUSE_S3_ACCESS_KEY_ID: server.keys.accessKeyId,
    GATEHOUSE_S3_SECRET_ACCESS_KEY: server.keys.secretAccessKey,
    GATEHOUSE_S3_DELIVERY: 'redirect',
  })

  it('passes the check of doctor, at most with the warning that it lists no uploads', async () => {
    const remarks = await withStore((store) => store.check())
    const warnings = remarks.map(({ status, message }) => `${status}: ${message}`)
    expect(warnings).toEqual(
      server.canListUploads ? [] : ["warning: S3: this server can't list unfinished uploads"],
    )
  })

  it('keeps a file of several parts, and loses it when it is removed', async () => {
    await withStore(async (store) => {
      const file = await addFile(store, inPieces(BYTES, MIB))
      expect((await readFile(store, file)).equals(BYTES)).toBe(true)
      const part = await readFile(store, file, { first: 5 * MIB - 3, last: 5 * MIB + 3 })
      expect(part).toEqual(BYTES.subarray(5 * MIB - 3, 5 * MIB + 4))
      await store.discard(file.id)
      await store.remove(file)
      await expect(store.open(file)).rejects.toThrow(MissingFile)
    })
  })

  it('gives the rest of a file whose first answers broke off', async () => {
    const file = await withStore((store) => addFile(store, inPieces(BYTES, MIB)))
    const cutter = await startCutter(server.url)
    const read = withStore(
      (store) => {
        cutter.cut(3 * MIB, 3)
        return readFile(store, file)
      },
      { endpoint: cutter.url },
    )
    const bytes = await read.finally(() => cutter.stop())
    expect(bytes.equals(BYTES)).toBe(true)
  })

  it('leaves no file that failed on its way', async () => {
    await withStore(async (store) => {
      const broken = (async function* () {
        yield BYTES
        throw new Error('the source broke off')
      })()
      await expect(store.take('failed', broken)).rejects.toThrow('the source broke off')
      const file = { id: 'failed', sha256: '', size: BYTES.length }
      await expect(store.open(file)).rejects.toThrow(MissingFile)
    })
  })

  it('gives a reader who resumes a replaced file the new one, whole', async () => {
    const service = await startTestService(SQLITE, { env: env(), useRealTime: true })
    const app = await service.newApplication()
    await app.addResource('book')
    await addDownload(app, 'book', BYTES)
    const { url } = await app.client.getDownloadUrl({ rid: 'book', lifetime: 3600 })
    const first = await fetchBytes((await fetchBytes(url)).headers.location as string, {
      range: `bytes=0-${MIB - 1}`,
    })
    expect([first.status, first.body.equals(BYTES.subarray(0, MIB))]).toEqual([206, true])
    const changed = randomBytes(BYTES.length)
    const name = { fileName: 'book.pdf', type: 'application/pdf' }
    await uploadBytes(app, changed, (file) =>
      app.environment.database.write((trx) =>
        replaceFile(trx, { aid: app.aid, rid: 'book' }, file, name, testActor(app.environment)),
      ),
    )
    const resume = { range: `bytes=${MIB}-`, 'if-range': first.headers.etag as string }
    const { status, body } = await fetchBytes(url, resume)
    await service.stop()
    expect([status, body.equals(changed)]).toEqual([200, true])
  })

  describeForeign('a machine whose clock is five minutes slow', ['faketime'], () => {
    it('redirects readers to addresses that work', async () => {
      const installation = await SQLITE.createMigrated()
      const service = await startTestService(SQLITE, {
        installation,
        env: env(),
        useRealTime: true,
      })
      const app = await service.newApplication()
      await app.addResource('film')
      await addDownload(app, 'film', BYTES)
      const { url } = await app.client.getDownloadUrl({ rid: 'film', lifetime: 3600 })
      await service.stop()

      const slow = await startProcess({ env: { ...installation.env, ...env(), ...slowClock() } })
      const { pathname, search } = new URL(url)
      const redirect = await fetchBytes(`${await slow.url}${pathname}${search}`)
      expect(redirect.status).toBe(302)
      expect(Date.now() - Date.parse(redirect.headers.date as string)).toBeGreaterThan(290_000)
      const { status, body } = await fetchBytes(redirect.headers.location as string)
      await slow.stop()
      await installation.remove()
      expect([status, body.equals(BYTES)]).toEqual([200, true])
    })
  })
}

/** Announces what will be read, as a delivery does. */
async function readFile(store: Store, file: StoredFile, span = readAll(file)): Promise<Buffer> {
  const pieces: Buffer[] = []
  const opened = await store.open(file, span)
  await opened
    .send(span, async (bytes) => pieces.push(Buffer.from(bytes)))
    .finally(() => opened.close())
  return Buffer.concat(pieces)
}

/** The variables by which `faketime` changes the clock of a program. */
function slowClock(): Record<string, string> {
  const script = 'echo "$LD_PRELOAD"'
  const library = execFileSync('faketime', ['-f', '-5m', 'sh', '-c', script], { encoding: 'utf8' })
  const LD_PRELOAD = library.trim()
  return { LD_PRELOAD, FAKETIME: '-5m', FAKETIME_DONT_FAKE_MONOTONIC: '1' }
}
