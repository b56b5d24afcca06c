import { type BigIntStats, constants, type Stats } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { Stop } from '../../errors.ts'

/** A file of whoever runs the command, to be put behind a resource. */
export interface SourceFile {
  /** As it was when it was opened. */
  size: number
  /** Its own name; of a link, the link's. */
  name: string
  /** All of it, if it stays as it is meanwhile. */
  bytes(): AsyncGenerator<Uint8Array>
  close(): Promise<void>
}

export async function openSource(path: string): Promise<SourceFile> {
  // Before it is opened: a pipe would wait for its other end.
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
  if (found.isDirectory()) throw new Stop(`${path} is a folder, not a file`)
  if (!found.isFile()) throw new Stop(`${path} is no plain file, but a pipe or a device`)
}

const REASONS = new Map([
  ['ENOENT', 'there is no such file'],
  ['EACCES', 'permission denied'],
])

const refuse = (path: string) => (error: NodeJS.ErrnoException) => {
  throw new Stop(`${path} can't be read: ${REASONS.get(error.code ?? '') ?? error.message}`)
}

const CHUNK = 1024 * 1024

async function* bytesOf(
  handle: FileHandle,
  path: string,
  before: BigIntStats,
): AsyncGenerator<Uint8Array> {
  const changed = () => new Stop(`${path} changed while it was read; nothing was uploaded`)
  let done = 0
  for (;;) {
    // Not used again: whoever takes it may still have it when the next one is read.
    const buffer = Buffer.allocUnsafeSlow(CHUNK)
    const { bytesRead } = await handle.read(buffer, 0, CHUNK, done).catch(refuse(path))
    if (bytesRead === 0) break
    done += bytesRead
    // At once: what is written all the time has no end.
    if (BigInt(done) > before.size) throw changed()
    yield buffer.subarray(0, bytesRead)
  }
  const after = await handle.stat({ bigint: true })
  const isSame = after.mtimeNs === before.mtimeNs && BigInt(done) === before.size
  if (!isSame || after.size !== before.size) throw changed()
}
