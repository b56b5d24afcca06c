import { describe, expect, it } from 'vitest'
import { HASTY, useS3Store } from '../../../../testing/s3/s3-store.ts'
import { MissingFile } from '../storage.ts'
import { createS3Store } from './store.ts'

const { s3, store, file, goWrong, troubleOf } = useS3Store()

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
