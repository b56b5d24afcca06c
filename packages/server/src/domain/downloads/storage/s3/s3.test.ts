import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../../../ids.ts'
import type { TestS3 } from '../../../../testing/s3/s3.ts'
import type { S3Fault } from '../../../../testing/s3/serve.ts'
import {
  addFile,
  inPieces,
  openS3Fixture,
  readAll,
  readFile,
  type S3Fixture,
  sendFile,
} from '../../../../testing/s3/store-fixtures.ts'
import { MissingFile, type Store, type StoredFile, StoreUnavailable } from '../storage.ts'
import type { S3Limits } from './client.ts'
import { createS3Store } from './store.ts'

const MIB = 1024 * 1024
const BYTES = randomBytes(11 * MIB)
const KEY = 'gatehouse/production/'

/** Short timeouts and a single attempt. */
const HASTY: S3Limits = {
  connect: 400,
  answer: 400,
  silence: 300,
  takingSilence: 400,
  readingTries: 1,
  takingTries: 1,
  partSize: 5 * MIB,
}
/** Upper bound for every failure: with many bytes in flight, silence is noticed only at the second timeout. */
const LIMIT_MS = 2 * HASTY.takingSilence + 3_000

let fixture: S3Fixture
let s3: TestS3
let store: Store
let hasty: Store
let file: StoredFile

beforeAll(async () => {
  fixture = await openS3Fixture('redirect')
  s3 = fixture.s3
  store = fixture.store
  hasty = createS3Store(s3.options, 'production', HASTY)
  file = await addFile(store, inPieces(BYTES, MIB))
})
beforeEach(() => {
  s3.fault = () => undefined
  s3.now = Date.now
  s3.requests.length = 0
})
afterAll(async () => {
  await hasty.close()
  await fixture.stop()
})

/** Fails every call of this action, or only the first `times`. */
function goWrong(action: string, fault: S3Fault, times = Number.POSITIVE_INFINITY): void {
  let left = times
  s3.fault = (request) => (request.action === action && left-- > 0 ? fault : undefined)
}

/** Returns the message of the failure, after checking that it came in time and reveals no secret. */
async function troubleOf(work: Promise<unknown>): Promise<string> {
  const began = performance.now()
  const error = await work.then(
    () => expect.unreachable('nothing went wrong'),
    (thrown: unknown) => thrown,
  )
  expect(performance.now() - began).toBeLessThan(LIMIT_MS)
  expect(error).toBeInstanceOf(StoreUnavailable)
  const shown = inspect(error, { depth: 9, showHidden: true })
  for (const secret of [s3.keys.accessKeyId, s3.keys.secretAccessKey, 'X-Amz', s3.url.slice(7)]) {
    expect(shown).not.toContain(secret)
  }
  return (error as Error).message
}

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

describe('taking a file into S3', () => {
  const take = (size: number, by = hasty) => {
    const id = newId()
    return { id, taken: by.take(id, inPieces(BYTES.subarray(0, size), MIB)) }
  }
  const hasObject = async (id: string) => (await s3.objects()).includes(`${KEY}${id}`)

  it.each<[string, number, string, S3Fault]>([
    ['a small file is refused', 10, 'PutObject', { status: 500, code: 'InternalError' }],
    ['a small file is not answered', 10, 'PutObject', 'stall'],
    ['the answer to a small file is lost', 10, 'PutObject', 'drop_after'],
    ['no parts are taken', 6 * MIB, 'CreateMultipartUpload', { status: 403, code: 'AccessDenied' }],
    ['a part is refused', 6 * MIB, 'UploadPart', { status: 500, code: 'InternalError' }],
    ['a part is not answered', 6 * MIB, 'UploadPart', 'stall'],
    ['the answer to a part is lost', 6 * MIB, 'UploadPart', 'drop_after'],
    ['the parts are not put together', 6 * MIB, 'CompleteMultipartUpload', 'stall'],
    ['the answer to the whole is lost', 6 * MIB, 'CompleteMultipartUpload', 'drop_after'],
  ])('fails in time and leaves nothing behind when %s', async (_, size, action, fault) => {
    goWrong(action, fault)
    const { id, taken } = take(size)
    await troubleOf(taken)
    expect(s3.uploads()).toEqual([])
    expect(await hasObject(id)).toBe(false)
  })

  it.each(['PutObject', 'UploadPart'])('tries a %s again that went wrong once', async (action) => {
    goWrong(action, 'drop_after', 1)
    const { id, taken } = take(action === 'PutObject' ? 10 : 6 * MIB, store)
    const size = (await taken).size
    const kept = await readFile(store, { id, ...(await taken) })
    expect(kept.equals(BYTES.subarray(0, size))).toBe(true)
  })

  it('ends the source when the server fails', async () => {
    goWrong('UploadPart', { status: 403, code: 'AccessDenied' })
    let isEnded = false
    const source = (async function* () {
      try {
        for (;;) yield BYTES.subarray(0, MIB)
      } finally {
        isEnded = true
      }
    })()
    await troubleOf(hasty.take(newId(), source))
    expect(isEnded).toBe(true)
  })

  it('takes no more of the source than a few parts ahead of the server', async () => {
    let given = 0
    let release = () => {}
    const isFirst = new Promise<void>((resolve) => {
      release = resolve
    })
    s3.fault = ({ action }) => {
      if (action === 'UploadPart') release()
      return action === 'UploadPart' ? 'stall' : undefined
    }
    const source = (async function* () {
      for (; given < 100 * MIB; given += MIB) yield BYTES.subarray(0, MIB)
    })()
    const taken = troubleOf(hasty.take(newId(), source))
    await isFirst
    await taken
    expect(given).toBeLessThanOrEqual(4 * HASTY.partSize)
  })

  it('refuses a file of more parts than there can be', async () => {
    const source = (async function* () {
      // Only the length matters; the bytes are never sent.
      yield Object.defineProperty(new Uint8Array(0), 'length', { value: 10_000 * 5 * MIB + 1 })
    })()
    expect(await troubleOf(hasty.take(newId(), source))).toContain('52428800000 bytes at most')
  })

  it('leaves uploads of other files alone', async () => {
    const { id, taken } = take(10)
    await taken
    goWrong('UploadPart', 'stall')
    const other = take(6 * MIB)
    const failed = troubleOf(other.taken)
    await expect.poll(s3.uploads).toEqual([`${KEY}${other.id}`])
    await store.discard(id)
    await store.discard(other.id.slice(0, -1))
    expect(s3.uploads()).toEqual([`${KEY}${other.id}`])
    await store.discard(other.id)
    expect(s3.uploads()).toEqual([])
    await failed
  })

  it("says that a file can't be removed, nor an upload discarded", async () => {
    goWrong('DeleteObject', { status: 403, code: 'AccessDenied' })
    expect(await troubleOf(store.remove(file))).toContain('s3:DeleteObject')
    goWrong('ListMultipartUploads', { status: 403, code: 'AccessDenied' })
    expect(await troubleOf(store.discard(file.id))).toContain('s3:ListBucketMultipartUploads')
    await s3.refuse()
    await troubleOf(hasty.remove(file))
    await troubleOf(hasty.discard(file.id))
    await s3.accept()
  })
})

describe('an address in S3', () => {
  const contentHeaders = {
    disposition: `attachment; filename*=UTF-8''caf%C3%A9%20%26.pdf`,
    type: 'text/x-y',
  }
  const addressOf = async (method: 'GET' | 'HEAD') =>
    (await store.addressOf?.({ file, method, contentHeaders, life: 3600 })) as string

  it('is there only where readers are to be sent to it', async () => {
    const proxied = createS3Store({ ...s3.options, delivery: 'proxy' }, 'production')
    expect(proxied.addressOf).toBeUndefined()
    expect(proxied.pathOf).toBeUndefined()
    await proxied.close()
  })

  it('brings the whole file with its name and type, or any part of it', async () => {
    const address = await addressOf('GET')
    const answer = await fetch(address)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-disposition')).toBe(contentHeaders.disposition)
    expect(answer.headers.get('content-type')).toBe(contentHeaders.type)
    expect(Buffer.from(await answer.arrayBuffer()).equals(BYTES)).toBe(true)
    const part = await fetch(address, { headers: { range: 'bytes=5-9' } })
    expect(part.status).toBe(206)
    expect(Buffer.from(await part.arrayBuffer())).toEqual(BYTES.subarray(5, 10))
  })

  it('answers HEAD where it was made for that, and nothing else', async () => {
    const answer = await fetch(await addressOf('HEAD'), { method: 'HEAD' })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-length')).toBe(String(file.size))
    expect(answer.headers.get('content-disposition')).toBe(contentHeaders.disposition)
    expect((await fetch(await addressOf('HEAD'))).status).toBe(403)
    expect((await fetch(await addressOf('GET'), { method: 'DELETE' })).status).toBe(403)
  })

  it('is dead after a minute', async () => {
    const address = await addressOf('GET')
    s3.now = () => Date.now() + 55_000
    expect((await fetch(address, { headers: { range: 'bytes=0-0' } })).status).toBe(206)
    s3.now = () => Date.now() + 61_000
    expect((await fetch(address)).status).toBe(403)
  })

  it('opens nothing else when it is changed', async () => {
    const address = await addressOf('GET')
    const changes = [
      address.replace(file.id, newId()),
      address.replace('X-Amz-Expires=60', 'X-Amz-Expires=600'),
      address.replace('caf', 'kaf'),
      address.replace('text%2Fx-y', 'text%2Fhtml'),
    ]
    for (const changed of changes) {
      expect(changed).not.toBe(address)
      expect((await fetch(changed)).status).toBe(403)
    }
  })

  it("says that it can't be made without keys", async () => {
    const { AWS_EC2_METADATA_DISABLED: before } = process.env
    process.env.AWS_EC2_METADATA_DISABLED = 'true'
    const keyless = createS3Store({ ...s3.options, keys: undefined }, 'production', HASTY)
    const made = Promise.resolve(
      keyless.addressOf?.({ file, method: 'GET', contentHeaders, life: 60 }),
    )
    expect(await troubleOf(made)).toContain('GATEHOUSE_S3_ACCESS_KEY_ID')
    await keyless.close()
    if (before === undefined) delete process.env.AWS_EC2_METADATA_DISABLED
    else process.env.AWS_EC2_METADATA_DISABLED = before
  })
})

describe('the check of S3', () => {
  it('does all that is done with files, and leaves nothing', async () => {
    const before = await s3.objects()
    await store.check()
    expect(new Set(s3.requests.map(({ action }) => action))).toEqual(
      new Set(['PutObject', 'GetObject', 'ListMultipartUploads', 'DeleteObject']),
    )
    expect(await s3.objects()).toEqual(before)
  })

  it.each([
    ['PutObject', 's3:PutObject'],
    ['GetObject', 's3:GetObject'],
    ['ListMultipartUploads', 's3:ListBucketMultipartUploads'],
    ['DeleteObject', 's3:DeleteObject'],
  ])('says what the keys must allow where %s is refused', async (action, permission) => {
    goWrong(action, { status: 403, code: 'AccessDenied' })
    expect(await troubleOf(store.check())).toContain(permission)
  })

  it('says that a missing file must be told from a forbidden one', async () => {
    let removed = false
    s3.fault = ({ action }) => {
      removed ||= action === 'DeleteObject'
      const isAsked = removed && action === 'GetObject'
      return isAsked ? { status: 403, code: 'AccessDenied' } : undefined
    }
    expect(await troubleOf(store.check())).toContain('s3:ListBucket')
  })

  it.each<[string, object, string]>([
    ['the bucket', { bucket: 'another-bucket' }, 'GATEHOUSE_S3_BUCKET'],
    [
      'the name of the key',
      { keys: { accessKeyId: 'AKIDOTHER', secretAccessKey: 'x' } },
      'GATEHOUSE_S3_ACCESS_KEY_ID',
    ],
    [
      'the key',
      { keys: { accessKeyId: 'AKIDTESTTESTTEST', secretAccessKey: 'x' } },
      'GATEHOUSE_S3_SECRET_ACCESS_KEY',
    ],
    ['the server', { endpoint: 'http://127.0.0.1:1' }, 'GATEHOUSE_S3_ENDPOINT'],
    ['the name of the server', { endpoint: 'http://s3.invalid' }, 'GATEHOUSE_S3_ENDPOINT'],
  ])('names the setting when %s is wrong', async (_, wrong, setting) => {
    const other = createS3Store({ ...s3.options, ...wrong }, 'production', HASTY)
    expect(await troubleOf(other.check())).toContain(setting)
    await other.close()
  })

  it('tells a missing file of another environment, which has a folder of its own', async () => {
    const sandbox = createS3Store(s3.options, 'sandbox', HASTY)
    await expect(sandbox.open(file)).rejects.toThrow(MissingFile)
    await sandbox.close()
  })
})
