import { type BigIntStats, constants, type Stats } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { OperatorError } from '../../errors.ts'

/** A local file to be uploaded. */
export interface SourceFile {
  /** Bytes, when the file was opened. */
  size: number
  /** The last part of the given path; for a symbolic link, the name of the link. */
  name: string
  /** Yields the whole content; throws if the file changes meanwhile. */
  bytes(): AsyncGenerator<Uint8Array>
  close(): Promise<void>
}

export async function openSource(path: string): Promise<SourceFile> {
  // Checked before opening, which has side effects on a pipe or device, and again after, in case it was replaced.
  requirePlain(path, await stat(path).catch(refuse(path)))
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(refuse(path))
  try {
    const found = await handle.stat({ bigint: true })
    requirePlain(path, found)
    return {
      size: Number(found.size),
      name: basename(path),
      bytes: () => bytesOf(handle, path, found),
      close: () => handle.close(),
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}

function requirePlain(path: string, found: Pick<Stats, 'isDirectory' | 'isFile'>): void {
  if (found.isDirectory()) throw new OperatorError(`${path} is a folder, not a file`)
  if (!found.isFile())
    throw new OperatorError(`${path} is not a regular file, but a pipe or a device`)
}

const REASONS = new Map([
  ['ENOENT', 'there is no such file'],
  ['EACCES', 'permission denied'],
])

const refuse = (path: string) => (error: NodeJS.ErrnoException) => {
  throw new OperatorError(
    `${path} can't be read: ${REASONS.get(error.code ?? '') ?? error.message}`,
  )
}

const CHUNK = 1024 * 1024

async function* bytesOf(
  handle: FileHandle,
  path: string,
  before: BigIntStats,
): AsyncGenerator<Uint8Array> {
  const changed = () => new OperatorError(`${path} changed while it was read; nothing was uploaded`)
  let done = 0
  for (;;) {
    // A new buffer each time: the consumer may still hold the last one.
    const buffer = Buffer.allocUnsafeSlow(CHUNK)
    const { bytesRead } = await handle.read(buffer, 0, CHUNK, done).catch(refuse(path))
    if (bytesRead === 0) break
    done += bytesRead
    // Checked for each chunk: a file that keeps growing would never end.
    if (BigInt(done) > before.size) throw changed()
    yield buffer.subarray(0, bytesRead)
  }
  const after = await handle.stat({ bigint: true })
  const isSame = after.mtimeNs === before.mtimeNs && BigInt(done) === before.size
  if (!isSame || after.size !== before.size) throw changed()
}
