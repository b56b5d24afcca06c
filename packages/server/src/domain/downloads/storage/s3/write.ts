import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  ListMultipartUploadsCommand,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { type StoredFile, StoreUnavailable } from '../storage.ts'
import type { S3Location } from './client.ts'
import { isMissingObject, isMissingUpload, isUnsupported, toStoreError } from './errors.ts'

const MAX_PARTS = 10_000

/** Parts uploaded concurrently; one more is being filled. */
const PARTS_AT_ONCE = 2

/** Uploads in parts, so that only a few parts are in memory however large the file is. */
export async function uploadObject(
  location: S3Location,
  id: string,
  bytes: AsyncIterable<Uint8Array>,
): Promise<Pick<StoredFile, 'sha256' | 'size'>> {
  const { bucket, keyOf, limits, taking } = location
  const meter = createMeter(bytes, MAX_PARTS * limits.partSize)
  const upload = new Upload({
    client: taking,
    params: { Bucket: bucket, Key: keyOf(id), Body: Readable.from(meter.bytes()) },
    partSize: limits.partSize,
    queueSize: PARTS_AT_ONCE,
    // Aborted below, where an upload that can't be aborted does not hide why it failed.
    leavePartsOnError: true,
  })
  try {
    await upload.done()
    return meter.measured()
  } catch (error) {
    // The server may have stored the whole file although its response was lost. The sweep removes what can't
    // be removed now.
    await abortFailed(location, id, upload.uploadId).catch(() => {})
    await removeObject(location, id).catch(() => {})
    throw meter.failure()?.error ?? toStoreError(error, "a file can't be taken in", 's3:PutObject')
  }
}

/** Counts and hashes the bytes, and remembers whether the source itself failed. */
function createMeter(source: AsyncIterable<Uint8Array>, most: number) {
  const hash = createHash('sha256')
  let size = 0
  let failure: { error: unknown } | undefined

  async function* watched(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of source) yield chunk
    } catch (error) {
      failure = { error }
      throw error
    }
  }
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for await (const chunk of watched()) {
      size += chunk.length
      if (size > most) throw new StoreUnavailable(`S3: a file may have ${most} bytes at most`)
      hash.update(chunk)
      // Copies the chunk: it waits until its part is full, and its memory may be reused by then.
      yield Buffer.from(chunk)
    }
  }
  return { bytes, failure: () => failure, measured: () => ({ sha256: hash.digest('hex'), size }) }
}

/** The answer with the upload's own id may have been lost; then the server is asked for it. */
async function abortFailed(
  location: S3Location,
  id: string,
  uploadId: string | undefined,
): Promise<void> {
  if (uploadId === undefined) await discardUploads(location, id)
  else await abortUpload(location, location.keyOf(id), uploadId)
}

async function abortUpload(
  { bucket, reading }: S3Location,
  Key: string,
  UploadId: string | undefined,
): Promise<void> {
  const command = new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId })
  await reading.send(command).catch((error) => {
    if (!isMissingUpload(error)) throw error
  })
}

/** Aborts unfinished uploads under this key, which frees their parts. Returns false if the server can't list them. */
export async function discardUploads(location: S3Location, id: string): Promise<boolean> {
  const { bucket, keyOf, reading } = location
  const key = keyOf(id)
  try {
    // One page is enough: the key itself sorts before longer keys with this prefix.
    const { Uploads: found = [] } = await reading.send(
      new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: key }),
    )
    for (const { Key, UploadId } of found) {
      if (Key === key) await abortUpload(location, Key, UploadId)
    }
    return true
  } catch (error) {
    if (isUnsupported(error)) return false
    throw toStoreError(
      error,
      "what is left of an upload can't be cleared away",
      's3:ListBucketMultipartUploads and s3:AbortMultipartUpload',
    )
  }
}

export async function removeObject(
  { bucket, keyOf, reading }: S3Location,
  id: string,
): Promise<void> {
  try {
    await reading.send(new DeleteObjectCommand({ Bucket: bucket, Key: keyOf(id) }))
  } catch (error) {
    if (!isMissingObject(error))
      throw toStoreError(error, "a file can't be removed", 's3:DeleteObject')
  }
}
