/** The part of a file that has arrived so far, stored next to the final path. */
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import {
  type FileHandle,
  link,
  lstat,
  open,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises'
import { DownloadError } from '../errors.ts'
import { PartLock } from './lock.ts'

/** Identifies the version of the file on the server. */
export interface Version {
  /** A strong ETag, with its quotation marks; without one, nothing can be resumed. */
  etag?: string | undefined
  total?: number | undefined
  /** SHA-256 of the whole file, in Base64. */
  digest?: string | undefined
}

/** Doesn't follow symbolic links: somebody else may have created one that leads out of the folder. */
const FLAGS = constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0)

/** The part of the file that an earlier download has left. */
interface SavedPart {
  length: number
  version: Version
}

export class Part {
  readonly #path: string
  readonly #lock: PartLock
  readonly #file: FileHandle
  #version: Version
  #length: number
  /** The length beyond which new bytes count as progress. */
  #mark: number

  private constructor(path: string, lock: PartLock, file: FileHandle, saved: SavedPart) {
    this.#path = path
    this.#lock = lock
    this.#file = file
    this.#length = saved.length
    this.#version = saved.version
    this.#mark = this.resumesAt
  }

  /** Opens the part of an earlier download, even by another process; throws if that download is still running. */
  static async open(target: string): Promise<Part> {
    const path = `${target}.part`
    const lock = await PartLock.take(path)
    let file: FileHandle | undefined
    try {
      await dropSecondName(path)
      file = await open(path, FLAGS)
      const { size: length } = await file.stat()
      return new Part(path, lock, file, { length, version: await readNotes(notesOf(path)) })
    } catch (error) {
      await file?.close()
      await lock.release()
      throw error
    }
  }

  get length(): number {
    return this.#length
  }

  get version(): Version {
    return this.#version
  }

  /** The offset to resume at; 0 to start over. At least the last byte is always requested again, because the response
   * says whether the file is still the same. */
  get resumesAt(): number {
    const { etag, total = Number.POSITIVE_INFINITY } = this.#version
    if (etag === undefined || this.#length > total) return 0
    return Math.max(0, Math.min(this.#length, total - 1))
  }

  async begin(version: Version): Promise<void> {
    // In this order, so that an interruption never leaves bytes that are attributed to another version.
    await this.clear()
    await writeFile(notesOf(this.#path), JSON.stringify(version), { flag: 'wx' })
    this.#version = version
  }

  continueAt(position: number): void {
    this.#length = position
    this.#mark = position
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      const left = bytes.length - done
      const { bytesWritten } = await this.#file.write(bytes, done, left, this.#length)
      done += bytesWritten
      this.#length += bytesWritten
    }
  }

  /** Whether there is more than at the last call; bytes that were lost and fetched again don't count. */
  hasGained(): boolean {
    const gained = this.#length > this.#mark
    if (gained) this.#mark = this.#length
    return gained
  }

  /** Hashes the bytes that are actually on the disk. */
  async sha256(signal: AbortSignal | undefined): Promise<Buffer> {
    const hash = createHash('sha256')
    const options = { start: 0, autoClose: false, highWaterMark: 1024 * 1024 }
    for await (const chunk of this.#file.createReadStream(options)) {
      signal?.throwIfAborted()
      hash.update(chunk)
    }
    return hash.digest()
  }

  async clear(): Promise<void> {
    await this.#lock.require()
    await rm(notesOf(this.#path), { force: true })
    await this.#file.truncate(0)
    this.#length = 0
    this.#version = {}
  }

  /** Moves the file into place atomically, once it is flushed to the disk. */
  async moveTo(target: string, overwrite: boolean): Promise<void> {
    await this.#file.sync()
    await this.#file.close()
    await this.#lock.require()
    await (overwrite ? rename(this.#path, target) : renameToNew(this.#path, target))
    await rm(notesOf(this.#path), { force: true })
  }

  /** Keeps what has arrived for a later download. */
  async close(): Promise<void> {
    try {
      await this.#file.close()
      if (this.#length === 0 && (await this.#lock.isHeld())) await remove(this.#path)
    } finally {
      await this.#lock.release()
    }
  }
}

const notesOf = (path: string) => `${path}.json`

async function remove(path: string): Promise<void> {
  for (const one of [notesOf(path), path]) await rm(one, { force: true })
}

/** A part with two hard links is also the finished file: its process was stopped before it could remove the part's
 * name. */
async function dropSecondName(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined)
  if (found?.isFile() && found.nlink > 1) await remove(path)
}

/** Without readable notes, nothing is known about a part. They don't contain the link, which is a secret. */
async function readNotes(path: string): Promise<Version> {
  const text = await readFile(path, 'utf8').catch(() => '')
  try {
    const { etag, total, digest } = JSON.parse(text)
    const isSound = [etag, digest].every((one) => ['string', 'undefined'].includes(typeof one))
    if (!isSound || !(total === undefined || Number.isSafeInteger(total))) return {}
    return { etag, total, digest }
  } catch {
    return {}
  }
}

/** Error codes of file systems without hard links. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL']

/** Links instead of renaming, which would replace a file created in the meantime. */
async function renameToNew(path: string, target: string): Promise<void> {
  try {
    await link(path, target)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw fileExists(target)
    if (!NO_LINKS.includes(code)) throw error
    return await rename(path, target)
  }
  await rm(path)
}

export const fileExists = (path: string) =>
  new DownloadError('file_exists', `${path} is there already; overwrite: true replaces it.`)
