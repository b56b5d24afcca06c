/** What has arrived of a file, on the disk beside the place where it is to be. */
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
import { Claim } from './download-claim.ts'
import { DownloadError } from './errors.ts'

/** By what the file of a server is known again. */
export interface Version {
  /** A strong one, with its quotation marks; without it nothing can be resumed. */
  etag?: string | undefined
  total?: number | undefined
  /** SHA-256 of the whole, in Base64. */
  digest?: string | undefined
}

/** Links may lead out of the folder, and somebody else may have put them there. */
const FLAGS = constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0)

/** By an earlier download. */
interface Left {
  length: number
  version: Version
}

export class Part {
  readonly #path: string
  readonly #claim: Claim
  readonly #file: FileHandle
  #version: Version
  #length: number
  /** More than this is more than before. */
  #mark: number

  private constructor(path: string, claim: Claim, file: FileHandle, left: Left) {
    this.#path = path
    this.#claim = claim
    this.#file = file
    this.#length = left.length
    this.#version = left.version
    this.#mark = this.resumesAt
  }

  /** The part of an earlier download is taken up, by another process too; not that of one that goes on. */
  static async open(target: string): Promise<Part> {
    const path = `${target}.part`
    const claim = await Claim.take(path)
    let file: FileHandle | undefined
    try {
      await dropSecondName(path)
      file = await open(path, FLAGS)
      const { size: length } = await file.stat()
      return new Part(path, claim, file, { length, version: await readNotes(notesOf(path)) })
    } catch (error) {
      await file?.close()
      await claim.release()
      throw error
    }
  }

  get length(): number {
    return this.#length
  }

  get version(): Version {
    return this.#version
  }

  /** Where to go on; 0 to begin anew. A last byte is always left to ask for: by the answer to that it is
   * known whether the file is still the same. */
  get resumesAt(): number {
    const { etag, total = Number.POSITIVE_INFINITY } = this.#version
    if (etag === undefined || this.#length > total) return 0
    return Math.max(0, Math.min(this.#length, total - 1))
  }

  async begin(version: Version): Promise<void> {
    // In this order: whenever it is broken off, no byte is taken for one of another version.
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

  /** Whether there is more than at the last look; what was lost and came again does not count. */
  hasGained(): boolean {
    const gained = this.#length > this.#mark
    if (gained) this.#mark = this.#length
    return gained
  }

  /** Of what is really on the disk. */
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
    await this.#claim.require()
    await rm(notesOf(this.#path), { force: true })
    await this.#file.truncate(0)
    this.#length = 0
    this.#version = {}
  }

  /** All at once, when it is on the disk. */
  async moveTo(target: string, overwrite: boolean): Promise<void> {
    await this.#file.sync()
    await this.#file.close()
    await this.#claim.require()
    await (overwrite ? rename(this.#path, target) : renameToNew(this.#path, target))
    await rm(notesOf(this.#path), { force: true })
  }

  /** What has arrived stays for another time. */
  async close(): Promise<void> {
    try {
      await this.#file.close()
      if (this.#length === 0 && (await this.#claim.isHeld())) await remove(this.#path)
    } finally {
      await this.#claim.release()
    }
  }
}

const notesOf = (path: string) => `${path}.json`

async function remove(path: string): Promise<void> {
  for (const one of [notesOf(path), path]) await rm(one, { force: true })
}

/** A part with two names is also a file in its place: who put it there was stopped before the first name
 * was gone. */
async function dropSecondName(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined)
  if (found?.isFile() && found.nlink > 1) await remove(path)
}

/** Of a part without readable notes nothing is known. The link is not in them: it is a secret. */
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

/** What some file systems say that know no second name for a file. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL']

/** Renaming alone would replace what came to be there meanwhile. */
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
