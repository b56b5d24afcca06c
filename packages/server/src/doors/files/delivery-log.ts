import type { FastifyBaseLogger } from 'fastify'
import type { Environment } from '../../context.ts'
import {
  addDelivery,
  type Delivery,
  type DeliveryRow,
  recordDeliveries,
} from '../../downloads/deliveries.ts'
import { createTeller } from '../teller.ts'

/** So long a delivery may wait for others, to be written down with them. */
const PAUSE_MS = 1_000
const BATCH = 500

/** While the database is away. More than that is forgotten: a reader does not wait for our books. */
const MOST_WAITING = 20_000

export interface DeliveryLog {
  add(delivery: Delivery): void
  /** Writes down what waits. */
  flush(): Promise<void>
}

/** Writes down what was delivered, in batches, after the readers have their bytes. */
export function createDeliveryLog(env: Environment, log: FastifyBaseLogger): DeliveryLog {
  const tell = createTeller(log, 'the log of deliveries')
  /** Of the last moment: more may be counted in. */
  let gathering = new Map<string, DeliveryRow>()
  /** As they are to be written. */
  const due: DeliveryRow[] = []
  let forgotten = 0
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()

  async function writeAll(): Promise<void> {
    due.push(...gathering.values())
    gathering = new Map()
    // It may have been turned back since: no row is from the future.
    if (due.length > 0) await env.refreshClock()
    while (due.length > 0) {
      const batch = due.slice(0, BATCH)
      await env.database.write((trx) => recordDeliveries(trx, batch, env.clock()))
      due.splice(0, batch.length)
    }
    if (forgotten > 0) log.warn({ forgotten }, 'deliveries were not written down')
    forgotten = 0
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    // One after the other, in the order in which they were made.
    writing = writing.then(writeAll).then(tell.fine, (error) => {
      tell.trouble(error)
      wake()
    })
    return writing
  }

  function wake(): void {
    timer ??= setTimeout(flush, PAUSE_MS).unref()
  }

  return {
    add(delivery) {
      if (due.length + gathering.size < MOST_WAITING) addDelivery(gathering, delivery)
      else forgotten++
      wake()
    },
    flush,
  }
}
