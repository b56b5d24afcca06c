import type { DatabaseSyncInstance } from '@photostructure/sqlite'

/** SQLite keeps what it has read or written up to this size, however long ago that was. */
const USUAL_KIB = 8 * 1024

/** With the usual size, an import spends most of its time reading indexes back. */
const BATCH_KIB = 64 * 1024

/** Imports and restores write batch after batch. */
const KEPT_MS = 10_000

/** The page cache of the connection that writes. */
interface WriterCache {
  /** Makes room for a batch, and gives it back some time after the last one. */
  growForBatch(): void
  close(): void
}

export function createWriterCache(writer: DatabaseSyncInstance, keptMs = KEPT_MS): WriterCache {
  let shrinking: NodeJS.Timeout | undefined
  const resize = (kibibytes: number) => writer.exec(`pragma cache_size = ${-kibibytes}`)
  const shrink = () => {
    shrinking = undefined
    resize(USUAL_KIB)
  }
  shrink()
  return {
    growForBatch() {
      if (shrinking === undefined) resize(BATCH_KIB)
      clearTimeout(shrinking)
      shrinking = setTimeout(shrink, keptMs).unref()
    },
    close: () => clearTimeout(shrinking),
  }
}
