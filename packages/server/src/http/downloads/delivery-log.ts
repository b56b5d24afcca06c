import type { FastifyBaseLogger } from 'fastify'
import type { Environment } from '../../context.ts'
import {
  addDelivery,
  type Delivery,
  type DeliveryRow,
  recordDeliveries,
} from '../../domain/downloads/deliveries.ts'
import { createOutageLogger } from '../../logging/outage-logger.ts'

/** How long a delivery waits to be written in one batch with others. */
const PAUSE_MS = 1_000
const BATCH = 500

/** Maximum rows kept while the database is unavailable. Further ones are dropped: readers never wait for the log. */
const MAX_WAITING = 20_000

export interface DeliveryLog {
  add(delivery: Delivery): void
  /** Writes everything that is pending. */
  flush(): Promise<void>
}

/** Logs deliveries to the database in batches, after the readers have received their bytes. */
export function createDeliveryLog(env: Environment, log: FastifyBaseLogger): DeliveryLog {
  const outages = createOutageLogger(log, 'the log of deliveries')
  /** Rows since the last flush; further deliveries by the same link are merged into them. */
  let pending = new Map<string, DeliveryRow>()
  /** Rows that are ready to be written. */
  const due: DeliveryRow[] = []
  let dropped = 0
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()

  async function writeAll(): Promise<void> {
    due.push(...pending.values())
    pending = new Map()
    // The sandbox's clock may have been set back since, and no row may have a time in the future.
    if (due.length > 0) await env.refreshClock()
    while (due.length > 0) {
      const batch = due.slice(0, BATCH)
      await env.database.write((trx) => recordDeliveries(trx, batch, env.clock()))
      due.splice(0, batch.length)
    }
    if (dropped > 0) log.warn({ dropped }, 'deliveries were not logged')
    dropped = 0
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    // Flushes run one at a time, in the order of the calls.
    writing = writing.then(writeAll).then(outages.fine, (error) => {
      outages.trouble(error)
      wake()
    })
    return writing
  }

  function wake(): void {
    timer ??= setTimeout(flush, PAUSE_MS).unref()
  }

  return {
    add(delivery) {
      if (due.length + pending.size < MAX_WAITING) addDelivery(pending, delivery)
      else dropped++
      wake()
    },
    flush,
  }
}
