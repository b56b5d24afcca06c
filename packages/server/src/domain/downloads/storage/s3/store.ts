import { GetObjectCommand, HeadObjectCommand } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { type RedirectRequest, type Store, StoreUnavailable } from '../storage.ts'
import { checkS3Location } from './check.ts'
import {
  createClients,
  inTime,
  S3_LIMITS,
  type S3Limits,
  type S3Location,
  type S3Options,
} from './client.ts'
import { toStoreError } from './errors.ts'
import { openObject } from './read.ts'
import { discardUploads, removeObject, uploadObject } from './write.ts'

const ID = /^[A-Za-z0-9]{1,64}$/

/** Maximum time a reader has to start a download from a signed URL, in seconds. */
const ADDRESS_LIFE = 60

/** How many seconds a signature is dated back. Its server refuses one from the future, and servers behind one name differ. */
const BACKDATED = 30

/** Keeps files in a bucket, each under the id of its row. An id is never reused, so a key always holds the
 * same file, and removing one affects no other. */
export function createS3Store(
  options: S3Options,
  environment: string,
  limits: S3Limits = S3_LIMITS,
): Store {
  const { bucket, folder, delivery } = options
  const location: S3Location = {
    bucket,
    limits,
    ...createClients(options, limits),
    keyOf(id) {
      if (!ID.test(id)) throw new StoreUnavailable('a file has a name that no file of ours has')
      return `${folder}/${environment}/${id}`
    },
  }

  const sign =
    delivery === 'redirect'
      ? (visit: RedirectRequest) => createSignedUrl(location, visit)
      : undefined

  return {
    name: 's3',
    sharesContent: false,
    take: (id, bytes) => uploadObject(location, id, bytes),
    // The object is already at its key, and unknown to anyone until a record references it.
    async place() {},
    open: (file, first) => openObject(location, file, first),
    // An upload aborts itself if it fails.
    async release() {},
    async discard(id) {
      await discardUploads(location, id)
    },
    remove: ({ id }) => removeObject(location, id),
    ...(sign && { addressOf: sign }),
    check: () => checkS3Location(location, sign),
    async close() {
      location.reading.destroy()
      location.taking.destroy()
    },
  }
}

/** Signs by the server's clock: by this machine's, which may be wrong, the server might refuse every reader. */
async function createSignedUrl(
  location: S3Location,
  { file, method, contentHeaders, life }: RedirectRequest,
): Promise<string> {
  const { bucket, clock, keyOf, limits, reading } = location
  const key = { Bucket: bucket, Key: keyOf(file.id) }
  const input = {
    ...key,
    ResponseContentDisposition: contentHeaders.disposition,
    ResponseContentType: contentHeaders.type,
  }
  const command = method === 'HEAD' ? new HeadObjectCommand(input) : new GetObjectCommand(input)
  const now = await clock.fetchNow(() =>
    inTime(limits, (abortSignal) => reading.send(new HeadObjectCommand(key), { abortSignal })),
  )
  const times = {
    signingDate: new Date(now - BACKDATED * 1000),
    expiresIn: BACKDATED + Math.min(ADDRESS_LIFE, life),
  }
  return await getSignedUrl(reading, command, times).catch((error) => {
    throw toStoreError(error, "an address for a reader can't be made", 's3:GetObject')
  })
}
