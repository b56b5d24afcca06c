import type { Database } from '../../../db/database.ts'
import { toOutageFailure } from '../../../db/outage.ts'
import type { Seconds } from '../../../db/tables.ts'
import type { Failure } from '../../../errors.ts'
import { type AccessJson, accessJsonLookup, parseAccessJson } from './access-lookup.ts'

interface RecordLookupOptions<Item> {
  /** Without the time, which is that of the lookup. */
  keyOf(item: Item): readonly string[]
  clock(): Seconds
  /** `now` is the time at which the record was looked for: a later one could be past its end. */
  onFound(item: Item, record: AccessJson | undefined, now: Seconds): void
  /** Called with all waiting items if the database is unavailable: none of them would fare better. */
  onOutage(items: readonly Item[], outage: Failure, error: unknown): void
  /** Called for any other error, which may be a bug of the lookup itself. */
  onError(items: readonly Item[]): void
}

export interface RecordLookups<Item> {
  /** Adds an item to the next batch. `start` looks it up. */
  add(item: Item): void
  /** Starts as many lookups as are allowed. Items that are added during a lookup are part of the next batch. */
  start(): void
  /** Whether a lookup has been taking too long. */
  isStuck(): boolean
}

/** Maximum concurrent lookups, and maximum items in each. */
const MAX_LOOKUPS = 2
const MAX_ITEMS = 64
const STUCK_AFTER_MS = 1_000

/** Looks up access records in batches. */
export function createRecordLookups<Item>(
  database: Database,
  { keyOf, clock, onFound, onOutage, onError }: RecordLookupOptions<Item>,
): RecordLookups<Item> {
  const waiting: Item[] = []
  const running = new Set<{ startedAt: number }>()

  function start(): void {
    if (waiting.length === 0 || running.size === MAX_LOOKUPS) return
    const items = waiting.splice(0, MAX_ITEMS)
    const lookup = { startedAt: performance.now() }
    running.add(lookup)
    const now = clock()
    findRecords(database, items.map(keyOf), now)
      .then(
        (records) => {
          for (const [i, item] of items.entries()) onFound(item, records[i], now)
        },
        (error) => giveUp(items, error),
      )
      .finally(() => {
        running.delete(lookup)
        start()
      })
  }

  function giveUp(items: readonly Item[], error: unknown): void {
    const outage = toOutageFailure(error)
    if (outage) onOutage([...items, ...waiting.splice(0)], outage, error)
    else onError(items)
  }

  return {
    add: (item) => waiting.push(item),
    start,
    isStuck() {
      for (const { startedAt } of running) {
        if (performance.now() - startedAt > STUCK_AFTER_MS) return true
      }
      return false
    },
  }
}

/** Returns the record of each key at a time, in the order of the keys. */
export async function findRecords(
  database: Database,
  keys: readonly (readonly string[])[],
  now: Seconds,
): Promise<(AccessJson | undefined)[]> {
  const time = String(now)
  const found = await database.lookUp(
    accessJsonLookup,
    keys.map((key) => [...key, time]),
  )
  return found.map((text) => (text === null ? undefined : parseAccessJson(text)))
}
