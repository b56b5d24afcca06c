import { createHash } from 'node:crypto'
import { constants, read as readFd } from 'node:fs'
import { type FileHandle, link, mkdir, open, realpath, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { newId } from '../../../ids.ts'
import { createDoubleBuffer } from './buffers.ts'
import {
  MissingFile,
  type OpenFile,
  refuseToStore,
  type Span,
  type Store,
  type StoredFile,
  StoreUnavailable,
  type Write,
} from './storage.ts'

const SHA256 = /^[0-9a-f]{64}$/
const ID = /^[A-Za-z0-9]{1,64}$/

const placedBeside = (upload: string) => `${upload}.placed`

interface Modes {
  file: number
  folder: number
}

const OWNER_ALONE: Modes = { file: 0o600, folder: 0o700 }
/** A second server that delivers from the same disk belongs to the group. */
const GROUP_READS: Modes = { file: 0o640, folder: 0o750 }

/** A store whose uploads other programs can look at. */
export interface DiskStore extends Store {
  /** Returns the path of an upload that was taken and not yet discarded. */
  uploadPathOf(id: string): string
}

/** Keeps files in a folder, each named by the SHA-256 of its content, so one name always means one content. */
export function createDiskStore(folder: string, { groupReads = false } = {}): DiskStore {
  const uploads = join(folder, 'uploads')
  const modes = groupReads ? GROUP_READS : OWNER_ALONE

  const contentAt = ({ sha256 }: Pick<StoredFile, 'sha256'>) => pathIn(folder, SHA256, sha256)
  const uploadAt = (id: string) => pathIn(uploads, ID, id)

  async function discard(id: string): Promise<void> {
    const upload = uploadAt(id)
    for (const path of [upload, placedBeside(upload)]) {
      await rm(path, { force: true }).catch(refuseToStore)
    }
  }

  return {
    name: 'disk',
    sharesContent: true,

    async take(id, bytes) {
      const upload = uploadAt(id)
      await makeFolder(uploads, modes)
      return await writeFile(upload, bytes, modes)
    },

    place: async (file) => placeUpload(uploadAt(file.id), contentAt(file)),

    async open(file) {
      const handle = await openInside(folder, contentAt(file), file)
      return {
        send: (span, write) => sendSpan(handle, span, write),
        close: () => handle.close(),
      } satisfies OpenFile
    },

    release: discard,
    discard,

    async remove({ sha256 }) {
      if (sha256 === null) return
      await rm(contentAt({ sha256 }), { force: true }).catch(refuseToStore)
      // A missing folder has no file to remove.
      await syncFolder(folder, unlessMissing)
    },

    uploadPathOf: uploadAt,

    pathOf: (file) => {
      contentAt(file)
      return file.sha256
    },

    async check() {
      await makeFolder(uploads, modes)
      const probe = uploadAt(`check${newId()}`)
      const nothing = (async function* () {})()
      await writeFile(probe, nothing, modes).finally(() => rm(probe, { force: true }))
      return []
    },

    async close() {},
  }
}

/** Returns a file's path. Names come from our own rows but are validated anyway, so that no other path is ever opened. */
function pathIn(folder: string, pattern: RegExp, name: string): string {
  if (!pattern.test(name)) throw new StoreUnavailable('a file has a name that no file of ours has')
  return join(folder, name)
}

/** Gives an upload the name of its content; the upload keeps its own until it is discarded. */
async function placeUpload(upload: string, content: string): Promise<void> {
  const beside = placedBeside(upload)
  await rm(beside, { force: true }).catch(refuseToStore)
  await link(upload, beside).catch(refuseToStore)
  // Replaces a file of this name atomically: even if that one was damaged, the content is right from now on.
  await rename(beside, content).catch(refuseToStore)
  await syncFolder(dirname(content))
}

/** Creates the folder durably: every new parent has been synced when this returns. */
async function makeFolder(folder: string, modes: Modes): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: modes.folder }).catch(refuseToStore)
  if (first === undefined) return
  for (let made = folder; made.length >= first.length; made = dirname(made)) {
    await syncFolder(dirname(made))
  }
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') refuseToStore(error)
}

/** Writes the file durably: its bytes have been synced when this returns. */
async function writeFile(path: string, bytes: AsyncIterable<Uint8Array>, modes: Modes) {
  const hash = createHash('sha256')
  let size = 0
  const file = await open(path, 'wx', modes.file).catch(refuseToStore)
  try {
    for await (const chunk of bytes) {
      hash.update(chunk)
      await writeAll(file, chunk)
      size += chunk.length
    }
    await file.sync().catch(refuseToStore)
  } catch (error) {
    await rm(path, { force: true }).catch(refuseToStore)
    throw error
  } finally {
    await file.close()
  }
  return { sha256: hash.digest('hex'), size }
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let done = 0; done < chunk.length; ) {
    done += (await file.write(chunk, done).catch(refuseToStore)).bytesWritten
  }
}

/** Makes a change of names inside the folder durable. */
async function syncFolder(
  folder: string,
  refuse: (error: NodeJS.ErrnoException) => undefined = refuseToStore,
): Promise<void> {
  const handle = await open(folder, 'r').catch(refuse)
  await handle
    ?.sync()
    .finally(() => handle.close())
    .catch(refuseToStore)
}

/** Opening a pipe would block without O_NONBLOCK. */
const PLAINLY = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Opens a regular file directly inside the folder; refuses links, wherever they lead. */
async function openInside(folder: string, path: string, file: StoredFile): Promise<FileHandle> {
  const refuse = (error: NodeJS.ErrnoException): never => {
    if (error.code === 'ENOENT') throw new MissingFile(`the file ${file.sha256} is not there`)
    if (error.code === 'ELOOP') throw new MissingFile(`${file.sha256} is a link, not a file`)
    throw new StoreUnavailable(`the file ${file.sha256} can't be read`, { cause: error })
  }
  const handle = await open(path, PLAINLY).catch(refuse)
  try {
    const found = await handle.stat().catch(refuse)
    const real = await Promise.all([realpath(path), realpath(folder)]).catch(refuse)
    const isInside = real[0] === join(real[1], file.sha256)
    if (found.isFile() && found.size === file.size && isInside) return handle
    throw new MissingFile(`${file.sha256} is not the file that it was`)
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Reads one buffer ahead while the previous one is being sent. */
async function sendSpan(handle: FileHandle, span: Span, write: Write): Promise<void> {
  const end = span.last + 1
  const buffers = createDoubleBuffer()
  const readAt = (position: number) =>
    position < end ? read(handle, buffers.next(end - position), position) : undefined
  try {
    let ahead = readAt(span.first)
    for (let position = span.first; ahead; ) {
      const bytes = await ahead
      position += bytes.length
      const began = performance.now()
      const taken = write(bytes).then(() => buffers.taken(bytes.length, performance.now() - began))
      ahead = readAt(position)
      await settled(taken, ahead)
    }
  } finally {
    buffers.release()
  }
}

/** Waits for all of them, even after a failure, because their buffers are in use until then. */
async function settled(...works: readonly (Promise<unknown> | undefined)[]): Promise<void> {
  const results = await Promise.allSettled(works)
  const failure = results.find((result) => result.status === 'rejected')
  if (failure) throw failure.reason
}

function read(handle: FileHandle, buffer: Uint8Array, position: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    readFd(handle.fd, buffer, 0, buffer.length, position, (error, count) => {
      if (error) reject(new StoreUnavailable("a file can't be read to its end", { cause: error }))
      else if (count === 0) reject(new StoreUnavailable('a file became shorter while it was read'))
      else resolve(buffer.subarray(0, count))
    })
  })
}
