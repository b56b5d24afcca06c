import { setTimeout as sleep } from 'node:timers/promises'
import type { EnvironmentDatabase } from '../../db/database.ts'
import type { Millis } from '../../db/tables.ts'
import { listEventsAfter } from '../../domain/events/cursor.ts'
import type { EventRow } from '../../domain/events/list.ts'
import { formatTime } from '../../format-time.ts'
import type { Forwarded, Forwarder } from './forward.ts'

const POLL_MS = 300
const PAGESIZE = 100

interface Listener {
  /** All types by default. */
  types: readonly string[] | undefined
  forwarder: Forwarder | undefined
  signal: AbortSignal
  realTime(): Millis
  /** Called once everything that happens from now on is heard. */
  onReady(): void
  print(line: string, data: object): void
}

/** Prints and forwards the events of an application, one after the other, from now until the signal is aborted. A site
 * that fails gets an event once: this is for developing it. */
export async function listen(
  database: EnvironmentDatabase,
  aid: string,
  listener: Listener,
): Promise<void> {
  const { types, signal, realTime } = listener
  let { cursor } = await listEventsAfter(database, aid, {
    ...{ after: 'latest', limit: 1, types, realTime: realTime() },
  })
  listener.onReady()
  while (!signal.aborted) {
    const page = await listEventsAfter(database, aid, {
      ...{ after: cursor, limit: PAGESIZE, types, realTime: realTime() },
    })
    for (const event of page.events) await handle(event, listener)
    cursor = page.cursor
    if (!page.more) await sleep(POLL_MS, undefined, { signal }).catch(() => {})
  }
}

async function handle(
  event: EventRow,
  { forwarder, signal, realTime, print }: Listener,
): Promise<void> {
  if (signal.aborted) return
  const forwarded = await forwarder?.send(event, realTime(), signal)
  const { id, type, at } = event
  const line = [formatTime(at), type, id, ...describe(forwarded)].join('  ')
  print(line, { event: JSON.parse(event.body), ...(forwarded ? { forwarded } : {}) })
}

function describe(forwarded: Forwarded | undefined): string[] {
  if (forwarded === undefined) return []
  return ['status' in forwarded ? String(forwarded.status) : forwarded.error]
}
