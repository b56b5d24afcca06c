import type { Worker } from 'node:cluster'
import { drainSharedBacklog, type WorkerConnections } from './node-patches.ts'
import type { AnswerUnavailable } from './unavailable.ts'

/** How long a stopping worker waits for the others to reach the same point. */
const MAX_RELEASE_WAIT_MS = 1_000

/** How long connections wait for a worker when none is left: about twice as long as a worker starts, and short enough for an
 * answer within the three seconds that a request may wait for other things. */
const MAX_OUTAGE_WAIT_MS = 2_000

interface Receiver {
  readonly handle: Worker
  readonly connections: WorkerConnections
}

export type Dispatch = ReturnType<typeof createDispatch>

/** Keeps track of the workers that get connections, and stops sending them to those that want no more. */
export function createDispatch(isStopping: () => boolean, answerUnavailable: AnswerUnavailable) {
  const receiving = new Set<Receiver>()
  /** Workers that want no more connections, but still receive some until they are released. */
  const releaseQueue = new Set<Receiver>()
  const outage = createOutage(answerUnavailable)

  /** The workers are notified after the last connection has arrived. */
  async function release(): Promise<void> {
    await drainSharedBacklog()
    for (const { handle } of releaseQueue) if (handle.isConnected()) handle.disconnect()
    for (const worker of releaseQueue) receiving.delete(worker)
    releaseQueue.clear()
  }

  return {
    add(worker: Receiver) {
      receiving.add(worker)
      outage.end()
    },
    /** Removes a worker that has exited. */
    remove(worker: Receiver) {
      const wasReceiving = receiving.delete(worker)
      releaseQueue.delete(worker)
      const isLast = wasReceiving && receiving.size === 0
      if (isLast && !isStopping()) outage.begin(worker)
      else worker.connections.release()
    },
    /** When the whole service stops, no worker is released until all want no more connections. Otherwise its clients
     * would reconnect to another worker that is about to close too. */
    queueRelease(worker: Receiver) {
      releaseQueue.add(worker)
      const isLast = [...receiving].every((one) => releaseQueue.has(one))
      if (!isStopping() || isLast) void release()
      else setTimeout(release, MAX_RELEASE_WAIT_MS).unref()
    },
    /** The service stops: nobody waits for another worker. */
    stop: outage.end,
  }
}

/** The time in which no worker is left. The last one keeps its place on the list, and with it the port and all
 * connections: they wait for the next worker, and get 503 if that takes long. */
function createOutage(answerUnavailable: AnswerUnavailable) {
  let last: Receiver | undefined
  let timer: NodeJS.Timeout | undefined
  let deadline = Number.NEGATIVE_INFINITY
  let endedAt = Number.NEGATIVE_INFINITY
  return {
    begin(worker: Receiver) {
      last = worker
      const now = performance.now()
      // Workers that die as soon as they serve answer few: connections would wait through many outages.
      const isSame = now - endedAt < MAX_OUTAGE_WAIT_MS
      if (!isSame) deadline = now + MAX_OUTAGE_WAIT_MS
      const answerAll = () => worker.connections.answerWith(answerUnavailable)
      timer = setTimeout(answerAll, Math.max(deadline - now, 0))
    },
    end() {
      if (!last) return
      clearTimeout(timer)
      last.connections.release()
      last = undefined
      endedAt = performance.now()
    },
  }
}
