import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Minimum size of all parts but the last, in bytes. */
const SMALLEST_PART = 5 * 1024 * 1024

interface Part {
  path: string
  etag: string
  size: number
}

interface MultipartUpload {
  key: string
  parts: Map<number, Part>
}

/** A refusal with S3's own error code. */
export class S3Refusal extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string) {
    super(code)
    this.status = status
    this.code = code
  }
}

/** Keeps the objects of a bucket, and its unfinished multipart uploads, in a folder. */
export function createObjects(folder: string) {
  const pathOf = (key: string) => join(folder, encodeURIComponent(key))
  const etags = new Map<string, string>()
  /** Gives the object under this key the content of a file, and a new ETag. */
  async function place(path: string, key: string): Promise<string> {
    await rename(path, pathOf(key))
    const etag = `"${randomUUID()}"`
    etags.set(key, etag)
    return etag
  }
  return {
    ...createMultipartUploads(folder, place),
    etagOf: (key: string) => etags.get(key) as string,
    keys: async () => (await readdir(folder)).map(decodeURIComponent).filter((n) => n[0] !== '.'),

    async sizeOf(key: string): Promise<number> {
      const found = await stat(pathOf(key)).catch(() => undefined)
      if (!found) throw new S3Refusal(404, 'NoSuchKey')
      return found.size
    },

    read: (key: string, start: number, end: number) =>
      createReadStream(pathOf(key), { start, end }),

    async put(key: string, body: Readable, checksum: string | undefined): Promise<string> {
      const { path } = await receive(folder, body, checksum)
      return await place(path, key)
    },

    remove: (key: string) => rm(pathOf(key), { force: true }),
  }
}

function createMultipartUploads(
  folder: string,
  place: (path: string, key: string) => Promise<string>,
) {
  const uploads = new Map<string, MultipartUpload>()

  function getUpload(id: string, key: string): MultipartUpload {
    const upload = uploads.get(id)
    if (upload?.key !== key) throw new S3Refusal(404, 'NoSuchUpload')
    return upload
  }

  async function abort(key: string, id: string): Promise<void> {
    const { parts } = getUpload(id, key)
    uploads.delete(id)
    for (const { path } of parts.values()) await rm(path)
  }

  return {
    uploads,
    abort,

    begin(key: string): string {
      const id = randomUUID()
      uploads.set(id, { key, parts: new Map() })
      return id
    },

    async putPart(
      key: string,
      id: string,
      number: number,
      body: Readable,
      checksum: string | undefined,
    ): Promise<string> {
      const { parts } = getUpload(id, key)
      const part = await receive(folder, body, checksum)
      // If the upload was completed or aborted in the meantime, its other parts are already deleted.
      if (!uploads.has(id)) await rm(part.path)
      getUpload(id, key)
      parts.set(number, part)
      return part.etag
    },

    async complete(key: string, id: string, wanted: readonly [number, string][]): Promise<void> {
      const chosen = chooseParts(getUpload(id, key), wanted)
      const whole = join(folder, `.${randomUUID()}`)
      await mkdir(folder, { recursive: true })
      for (const { path } of chosen) {
        await pipeline(createReadStream(path), createWriteStream(whole, { flags: 'a' }))
      }
      await place(whole, key)
      await abort(key, id)
    },
  }
}

/** The parts that make up the object, in order. */
function chooseParts({ parts }: MultipartUpload, wanted: readonly [number, string][]): Part[] {
  const chosen = wanted.map(([number, etag]) => {
    const part = parts.get(number)
    if (!part || part.etag !== etag) throw new S3Refusal(400, 'InvalidPart')
    return part
  })
  if (chosen.slice(0, -1).some(({ size }) => size < SMALLEST_PART)) {
    throw new S3Refusal(400, 'EntityTooSmall')
  }
  return chosen
}

/** Keeps nothing of a body that breaks off or does not match its signed checksum. */
async function receive(
  folder: string,
  body: Readable,
  checksum: string | undefined,
): Promise<Part> {
  const path = join(folder, `.${randomUUID()}`)
  const [md5, sha256] = [createHash('md5'), createHash('sha256')]
  let size = 0
  try {
    await pipeline(
      body,
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          md5.update(chunk)
          sha256.update(chunk)
          size += chunk.length
          yield chunk
        }
      },
      createWriteStream(path),
    )
    if (checksum !== undefined && checksum !== sha256.digest('hex')) {
      throw new S3Refusal(400, 'XAmzContentSHA256Mismatch')
    }
    return { path, etag: `"${md5.digest('hex')}"`, size }
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}
