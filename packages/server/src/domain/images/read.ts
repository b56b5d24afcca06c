import type { FileTable } from '../../db/tables.ts'
import { MissingFile, type Stores } from '../downloads/storage/storage.ts'

/** Reads a small file into memory. */
export async function readWhole(
  stores: Stores,
  { id, store, sha256, size }: FileTable,
): Promise<Buffer> {
  if (sha256 === null || size === null) throw new MissingFile('the file is incomplete')
  const all = { first: 0, last: size - 1 }
  const opened = await stores.of(store).open({ id, sha256, size }, all)
  try {
    const chunks: Buffer[] = []
    // Copied, because the memory of a chunk is reused.
    await opened.send(all, async (bytes) => chunks.push(Buffer.from(bytes)))
    return Buffer.concat(chunks)
  } finally {
    await opened.close()
  }
}
