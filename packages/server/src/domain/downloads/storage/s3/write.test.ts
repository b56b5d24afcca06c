import { describe, expect, it } from 'vitest'
import { newId } from '../../../../ids.ts'
import { BYTES, HASTY, KEY, MIB, useS3Store } from '../../../../testing/s3/s3-store.ts'
import type { S3Fault } from '../../../../testing/s3/serve.ts'
import { inPieces, readFile } from '../../../../testing/s3/store-fixtures.ts'

const { s3, store, hasty, file, goWrong, troubleOf } = useS3Store()

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

  it.each([
    [501, 'NotImplemented'],
    [403, 'AccessDenied'],
  ])("aborts its own upload where the server can't list them: %s", async (status, code) => {
    s3.fault = ({ action }) => {
      if (action === 'ListMultipartUploads') return { status, code }
      return action === 'CompleteMultipartUpload' ? 'drop_after' : undefined
    }
    const whole = take(6 * MIB)
    await troubleOf(whole.taken)
    expect(await hasObject(whole.id)).toBe(false)
    s3.fault = ({ action }) => {
      if (action === 'ListMultipartUploads') return { status, code }
      return action === 'UploadPart' ? { status: 500, code: 'InternalError' } : undefined
    }
    await troubleOf(take(6 * MIB).taken)
    expect(s3.uploads()).toEqual([])
  })

  it("removes the object of a failed upload that it can't abort", async () => {
    s3.fault = ({ action }) => {
      if (/^(List|Abort)MultipartUploads?$/.test(action))
        return { status: 403, code: 'AccessDenied' }
      return /^(Put|Complete)/.test(action) ? 'drop_after' : undefined
    }
    for (const size of [10, 6 * MIB]) {
      const { id, taken } = take(size)
      await troubleOf(taken)
      expect(await hasObject(id)).toBe(false)
    }
  })

  it('asks for no list of uploads when all went well', async () => {
    const { id, taken } = take(6 * MIB, store)
    await taken
    await store.release(id)
    expect(s3.requests.map(({ action }) => action)).not.toContain('ListMultipartUploads')
    expect(s3.uploads()).toEqual([])
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

  it('has nothing to discard at a server that lists no uploads', async () => {
    goWrong('ListMultipartUploads', { status: 501, code: 'NotImplemented' })
    await store.discard(file.id)
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
