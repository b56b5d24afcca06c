import { createReadStream } from 'node:fs'
import type { DiskStore } from '../storage/disk.ts'
import type { Store } from '../storage/storage.ts'

/** Returns a store whose files pass `scan` before they are complete. A file for another store than the disk is spooled
 * there first: nothing that is harmful leaves the machine. */
export function createScannedStore(
  store: Store,
  disk: DiskStore,
  scan: (path: string) => Promise<void>,
): Store {
  /** Stores the bytes on disk and scans them. */
  async function takeOnDisk(id: string, bytes: AsyncIterable<Uint8Array>) {
    const taken = await disk.take(id, bytes)
    try {
      await scan(disk.uploadPathOf(id))
      return taken
    } catch (error) {
      await disk.discard(id)
      throw error
    }
  }

  if (store.name === disk.name) return { ...store, take: takeOnDisk }
  return {
    ...store,
    async take(id, bytes) {
      await takeOnDisk(id, bytes)
      try {
        return await store.take(id, createReadStream(disk.uploadPathOf(id)))
      } finally {
        await disk.discard(id)
      }
    },
  }
}
