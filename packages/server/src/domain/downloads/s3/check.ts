import { newId } from '../../../ids.ts'
import { MissingFile, type StoredFile, StoreTrouble } from '../storage.ts'
import type { Shelf } from './client.ts'
import { openObject } from './read.ts'
import { discardUploads, removeObject, takeObject } from './write.ts'

const PROBE = Buffer.from('Gatehouse was here to see whether it can write.\n')

/** Runs every storage operation once with a small file, and removes it again. */
export async function checkShelf(shelf: Shelf): Promise<void> {
  const id = `check${newId()}`
  const taken = await takeObject(
    shelf,
    id,
    (async function* () {
      yield PROBE
    })(),
  )
  const file = { id, ...taken }
  try {
    await requireSame(shelf, file)
    await discardUploads(shelf, id)
  } catch (error) {
    await removeObject(shelf, id).catch(() => {})
    throw error
  }
  await removeObject(shelf, id)
  await requireGone(shelf, file)
}

async function requireSame(shelf: Shelf, file: StoredFile): Promise<void> {
  const pieces: Uint8Array[] = []
  const span = { first: 0, last: file.size - 1 }
  const opened = await openObject(shelf, file, span)
  await opened
    .send(span, async (bytes) => pieces.push(Buffer.from(bytes)))
    .finally(() => opened.close())
  if (!Buffer.concat(pieces).equals(PROBE)) {
    throw new StoreTrouble('S3: what was written is not what is read')
  }
}

/** Amazon says that an object is missing only to keys that may list the bucket; others get "access denied". */
async function requireGone(shelf: Shelf, file: StoredFile): Promise<void> {
  const opened = await openObject(shelf, file).catch((error: Error) => {
    if (error instanceof MissingFile) return undefined
    throw new StoreTrouble(
      `S3: the server does not tell that a file is missing; allow s3:ListBucket (${error.message})`,
    )
  })
  if (!opened) return
  await opened.close()
  throw new StoreTrouble('S3: a file is still there after it was removed')
}
