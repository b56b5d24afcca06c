import type { Db } from '../../db/database.ts'
import type { Seconds } from '../../db/tables.ts'

/** The last record of a page. */
export interface PageCursor {
  created: Seconds
  id: string
}

interface CachedCursor {
  place: PageCursor
  until: number
}

/** Offset from which page ends are remembered. Smaller offsets are counted from the first record. */
const MIN_OFFSET = 10_000

const MAX_CURSORS = 1_000
const CURSOR_TTL_MS = 60_000

const remembered = new WeakMap<Db, Map<string, CachedCursor>>()

const keyOf = (filter: object, offset: number): string => JSON.stringify([filter, offset])

/** Remembers where a page ended, so that the next page can continue from there instead of skipping rows. */
export function rememberCursor(db: Db, filter: object, offset: number, place: PageCursor): void {
  if (offset < MIN_OFFSET) return
  const places = remembered.get(db) ?? new Map<string, CachedCursor>()
  remembered.set(db, places)
  const key = keyOf(filter, offset)
  // Moves a known key to the end: the first key is the oldest.
  places.delete(key)
  places.set(key, { place, until: performance.now() + CURSOR_TTL_MS })
  const [oldest] = places.keys()
  if (places.size > MAX_CURSORS && oldest !== undefined) places.delete(oldest)
}

export function findCursor(db: Db, filter: object, offset: number): PageCursor | undefined {
  const found = remembered.get(db)?.get(keyOf(filter, offset))
  return found && found.until > performance.now() ? found.place : undefined
}
