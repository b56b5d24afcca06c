import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Source } from './encoding.ts'

/** A file that was received, to be read several times. */
export interface SpooledFile extends Source {
  close(): Promise<void>
}

/** Thrown for a file with too many bytes. */
export class FileTooLarge extends Error {}

/** Stores what is received in a file that no longer has a name, so that nothing of it remains, whatever happens. Memory stays
 * small however large the file is. */
export async function spoolFile(
  name: string,
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<SpooledFile> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-import-'))
  const path = join(folder, 'file')
  const handle = await open(path, 'wx+', 0o600)
  try {
    await rm(folder, { recursive: true, force: true })
    let size = 0
    for await (const chunk of body) {
      size += chunk.length
      if (size > maxBytes) throw new FileTooLarge()
      await handle.writeFile(chunk)
    }
  } catch (error) {
    await handle.close()
    throw error
  }
  return {
    name,
    bytes: () => readFrom(handle),
    close: () => handle.close(),
  }
}

const CHUNK_BYTES = 64 * 1024

/** Reads from the beginning, whoever else reads. A stream of the handle would close with whoever leaves it early. */
async function* readFrom(handle: FileHandle): AsyncGenerator<Uint8Array> {
  let position = 0
  for (;;) {
    const { buffer, bytesRead } = await handle.read(
      Buffer.allocUnsafe(CHUNK_BYTES),
      0,
      CHUNK_BYTES,
      position,
    )
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}
