import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { refuseToStore } from '../../downloads/storage/storage.ts'
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
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-import-')).catch(refuseToStore)
  const remove = () => rm(folder, { recursive: true, force: true })
  let handle: FileHandle | undefined
  try {
    handle = await open(join(folder, 'file'), 'wx+', 0o600).catch(refuseToStore)
    await remove().catch(refuseToStore)
    let size = 0
    for await (const chunk of body) {
      size += chunk.length
      if (size > maxBytes) throw new FileTooLarge()
      await handle.writeFile(chunk).catch(refuseToStore)
    }
  } catch (error) {
    await handle?.close()
    await remove().catch(() => {})
    throw error
  }
  const kept = handle
  return {
    name,
    bytes: () => readFrom(kept),
    close: () => kept.close(),
  }
}

const CHUNK_BYTES = 64 * 1024

/** Reads from the beginning, independently of other readers. A stream of the handle would close it when one reader
 * stops early. */
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
