import { describe, expect, it } from 'vitest'
import { HASTY, useS3Store } from '../../../../testing/s3/s3-store.ts'
import { MissingFile } from '../storage.ts'
import { createS3Store } from './store.ts'

const { s3, store, file, goWrong, troubleOf } = useS3Store()

describe('the check of S3', () => {
  it('does all that is done with files, and leaves nothing', async () => {
    const before = await s3.objects()
    expect(await store.check()).toEqual([])
    expect(new Set(s3.requests.map(({ action }) => action))).toEqual(
      new Set(['PutObject', 'GetObject', 'ListMultipartUploads', 'DeleteObject']),
    )
    expect(s3.requests.filter(({ action }) => action === 'GetObject')).toHaveLength(3)
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

  it('says that the server does not speak TLS where the address says so', async () => {
    const endpoint = s3.url.replace('http:', 'https:')
    const other = createS3Store({ ...s3.options, endpoint }, 'production', HASTY)
    expect(await troubleOf(other.check())).toContain(
      'the server does not speak TLS here (GATEHOUSE_S3_ENDPOINT)',
    )
    await other.close()
  })

  it.each([
    [501, 'NotImplemented'],
    [405, 'MethodNotAllowed'],
  ])("warns of a server that can't list unfinished uploads: %s", async (status, code) => {
    goWrong('ListMultipartUploads', { status, code })
    const todo = expect.stringContaining('set a lifecycle rule')
    const message = "S3: this server can't list unfinished uploads"
    expect(await store.check()).toEqual([{ status: 'warning', message, todo }])
  })

  it.each([300, -31])(
    'fails where the clocks of the two machines differ by %s s',
    async (seconds) => {
      s3.now = () => Date.now() + seconds * 1000
      const other = createS3Store(s3.options, 'production', HASTY)
      const [remark, ...more] = await other.check()
      expect(more).toEqual([])
      expect(remark?.status).toBe('failed')
      expect(remark?.message).toMatch(
        /^S3: this machine's clock differs from the storage server's by \d+ s \(\S+Z here, \S+Z there\)$/,
      )
      const found = Number(/by (\d+) s/.exec(remark?.message ?? '')?.[1])
      expect(Math.abs(found - Math.abs(seconds))).toBeLessThanOrEqual(2)
      await other.close()
    },
  )

  it('says that readers would be refused where they are redirected', async () => {
    s3.fault = ({ action }) => {
      const reads = s3.requests.filter((request) => request.action === 'GetObject').length
      const isReader = action === 'GetObject' && reads === 2
      return isReader ? { status: 403, code: 'AccessDenied' } : undefined
    }
    expect(await troubleOf(store.check())).toBe(
      'S3: a signed address does not lead readers to the file: the server answers with 403',
    )
    const proxied = createS3Store({ ...s3.options, delivery: 'proxy' }, 'production')
    s3.requests.length = 0
    s3.fault = () => undefined
    await proxied.check()
    expect(s3.requests.filter(({ action }) => action === 'GetObject')).toHaveLength(2)
    await proxied.close()
  })

  it('tells a missing file of another environment, which has a folder of its own', async () => {
    const sandbox = createS3Store(s3.options, 'sandbox', HASTY)
    await expect(sandbox.open(file)).rejects.toThrow(MissingFile)
    await sandbox.close()
  })
})
