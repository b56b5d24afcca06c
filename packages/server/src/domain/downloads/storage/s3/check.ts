import { newId } from '../../../../ids.ts'
import { MissingFile, type StoredFile, StoreUnavailable } from '../storage.ts'
import type { S3Location } from './client.ts'
import { openObject } from './read.ts'
import { discardUploads, removeObject, uploadObject } from './write.ts'

const PROBE = Buffer.from('Gatehouse was here to see whether it can write.\n')

/** Runs every storage operation once with a small file, and removes it again. */
export async function checkS3Location(location: S3Location): Promise<void> {
  const id = `check${newId()}`
  const taken = await uploadObject(
    location,
    id,
    (async function* () {
      yield PROBE
    })(),
  )
  const file = { id, ...taken }
  try {
    await requireSame(location, file)
    await discardUploads(location, id)
  } catch (error) {
    await removeObject(location, id).catch(() => {})
    throw error
  }
  await removeObject(location, id)
  await requireGone(location, file)
}

async function requireSame(location: S3Location, file: StoredFile): Promise<void> {
  const pieces: Uint8Array[] = []
  const span = { first: 0, last: file.size - 1 }
  const opened = await openObject(location, file, span)
  await opened
    .send(span, async (bytes) => pieces.push(Buffer.from(bytes)))
    .finally(() => opened.close())
  if (!Buffer.concat(pieces).equals(PROBE)) {
    throw new StoreUnavailable('S3: what was written is not what is read')
  }
}

/** Amazon says that an object is missing only to keys that may list the bucket; others get "access denied". */
async function requireGone(location: S3Location, file: StoredFile): Promise<void> {
  const opened = await openObject(location, file).catch((error: Error) => {
    if (error instanceof MissingFile) return undefined
    throw new StoreUnavailable(
      `S3: the server does not tell that a file is missing; allow s3:ListBucket (${error.message})`,
    )
  })
  if (!opened) return
  await opened.close()
  throw new StoreUnavailable('S3: a file is still there after it was removed')
}
