import type { Worker } from 'node:cluster'
import { drainSharedBacklog } from './node-patches.ts'

/** How long a stopping worker waits for the others to reach the same point. */
const MAX_RELEASE_WAIT_MS = 1_000

interface Receiver {
  readonly handle: Worker
}

export type Dispatch = ReturnType<typeof createDispatch>

/** Keeps track of the workers that get connections, and stops sending them to those that want no more. */
export function createDispatch(isStopping: () => boolean) {
  const receiving = new Set<Receiver>()
  /** Workers that want no more connections, but still receive some until they are released. */
  const releaseQueue = new Set<Receiver>()

  /** The workers are notified after the last connection has arrived. */
  async function release(): Promise<void> {
    await drainSharedBacklog()
    for (const { handle } of releaseQueue) if (handle.isConnected()) handle.disconnect()
    for (const worker of releaseQueue) receiving.delete(worker)
    releaseQueue.clear()
  }

  return {
    add: (worker: Receiver) => receiving.add(worker),
    remove(worker: Receiver) {
      receiving.delete(worker)
      releaseQueue.delete(worker)
    },
    /** When the whole service stops, no worker is released until all want no more connections. Otherwise its clients
     * would reconnect to another worker that is about to close too. */
    queueRelease(worker: Receiver) {
      releaseQueue.add(worker)
      const isLast = [...receiving].every((one) => releaseQueue.has(one))
      if (!isStopping() || isLast) void release()
      else setTimeout(release, MAX_RELEASE_WAIT_MS).unref()
    },
  }
}
