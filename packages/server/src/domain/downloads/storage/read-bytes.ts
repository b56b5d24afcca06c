import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import type { Store, StoredFile } from './storage.ts'

/** Reads a stored file from its first byte to its last, no faster than the bytes are taken. */
export async function* readBytes(store: Store, file: StoredFile): AsyncGenerator<Uint8Array> {
  const out = new PassThrough()
  void send(store, file, out).then(
    () => out.end(),
    (error: Error) => out.destroy(error),
  )
  yield* out
}

async function send(store: Store, file: StoredFile, out: PassThrough): Promise<void> {
  if (file.size === 0) return
  const all = { first: 0, last: file.size - 1 }
  const opened = await store.open(file, all)
  const gone = new AbortController()
  out.once('close', () => {
    gone.abort()
    opened.cancel?.()
  })
  try {
    await opened.send(all, async (bytes) => {
      // Copied, because the memory of a chunk is reused.
      if (!out.write(Buffer.from(bytes))) await once(out, 'drain', { signal: gone.signal })
    })
  } finally {
    await opened.close()
  }
}
