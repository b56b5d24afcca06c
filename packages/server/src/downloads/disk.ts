import { createHash } from 'node:crypto'
import { constants, read as readFd } from 'node:fs'
import { type FileHandle, link, mkdir, open, realpath, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createTurnBuffers } from './buffers.ts'
import {
  MissingFile,
  type OpenFile,
  type Span,
  type Store,
  type StoredFile,
  StoreTrouble,
  type Write,
} from './storage.ts'

const SHA256 = /^[0-9a-f]{64}$/
const ID = /^[A-Za-z0-9]{1,64}$/

const placedBeside = (upload: string) => `${upload}.placed`

/** Files in a folder, each under the checksum of its content: what has one name has one content. */
export function createDiskStore(folder: string): Store {
  const uploads = join(folder, 'uploads')

  /** Names come from our own rows, and are looked at all the same: nothing else is ever opened. */
  function named(parent: string, pattern: RegExp, name: string): string {
    if (!pattern.test(name)) throw new StoreTrouble('a file has a name that no file of ours has')
    return join(parent, name)
  }
  const contentAt = ({ sha256 }: Pick<StoredFile, 'sha256'>) => named(folder, SHA256, sha256)
  const uploadAt = (id: string) => named(uploads, ID, id)

  return {
    name: 'disk',
    sharesContent: true,

    async take(id, bytes) {
      await mkdir(uploads, { recursive: true, mode: 0o700 })
      return await writeFile(uploadAt(id), bytes)
    },

    async place(file) {
      // A name that is taken is taken over, in one step: whatever was left there, this is the content.
      const upload = uploadAt(file.id)
      const beside = placedBeside(upload)
      await rm(beside, { force: true })
      await link(upload, beside)
      await rename(beside, contentAt(file))
      await syncFolder(folder)
    },

    async open(file) {
      const handle = await openInside(folder, contentAt(file), file)
      return {
        send: (span, write) => sendSpan(handle, span, write),
        close: () => handle.close(),
      } satisfies OpenFile
    },

    async discard(id) {
      const upload = uploadAt(id)
      for (const path of [upload, placedBeside(upload)]) await rm(path, { force: true })
    },

    async remove({ sha256 }) {
      if (sha256 === null) return
      await rm(contentAt({ sha256 }), { force: true })
      await syncFolder(folder)
    },

    pathOf: (file) => {
      contentAt(file)
      return file.sha256
    },

    async check() {
      await mkdir(uploads, { recursive: true, mode: 0o700 })
      const probe = uploadAt(`check${process.pid}`)
      await writeFile(probe, (async function* () {})()).finally(() => rm(probe, { force: true }))
    },

    async close() {},
  }
}

/** For its owner alone, and on the disk when this returns. */
async function writeFile(path: string, bytes: AsyncIterable<Uint8Array>) {
  const hash = createHash('sha256')
  let size = 0
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of bytes) {
      hash.update(chunk)
      await writeAll(file, chunk)
      size += chunk.length
    }
    await file.sync()
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
  return { sha256: hash.digest('hex'), size }
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let done = 0; done < chunk.length; ) {
    done += (await file.write(chunk, done)).bytesWritten
  }
}

/** A name is on the disk when its folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

/** A plain file inside the folder itself: no link, wherever it may lead. */
async function openInside(folder: string, path: string, file: StoredFile): Promise<FileHandle> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') throw new MissingFile(`the file ${file.sha256} is not there`)
      if (error.code === 'ELOOP') throw new MissingFile(`${file.sha256} is a link, not a file`)
      throw new StoreTrouble(`the file ${file.sha256} can't be read`, { cause: error })
    },
  )
  try {
    const found = await handle.stat()
    const isInside = (await realpath(path)) === join(await realpath(folder), file.sha256)
    if (found.isFile() && found.size === file.size && isInside) return handle
    throw new MissingFile(`${file.sha256} is not the file that it was`)
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Reads ahead by one buffer while the one before it is being taken. */
async function sendSpan(handle: FileHandle, span: Span, write: Write): Promise<void> {
  const end = span.last + 1
  const buffers = createTurnBuffers()
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

/** Waits for all of them, also after a failure: until then their memory is in use. */
async function settled(...works: readonly (Promise<unknown> | undefined)[]): Promise<void> {
  const results = await Promise.allSettled(works)
  const failure = results.find((result) => result.status === 'rejected')
  if (failure) throw failure.reason
}

function read(handle: FileHandle, buffer: Uint8Array, position: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    readFd(handle.fd, buffer, 0, buffer.length, position, (error, count) => {
      if (error) reject(new StoreTrouble("a file can't be read to its end", { cause: error }))
      else if (count === 0) reject(new StoreTrouble('a file became shorter while it was read'))
      else resolve(buffer.subarray(0, count))
    })
  })
}
