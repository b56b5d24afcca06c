import type { Db } from '../db/database.ts'
import type { Seconds } from '../db/tables.ts'

/** The record that a page ended with. */
export interface Place {
  created: Seconds
  id: string
}

interface Remembered {
  place: Place
  until: number
}

/** From this many skipped records on. Before it, pages are counted from the first record. */
const DEEP = 10_000

const MOST = 1_000
const LIFE_MS = 60_000

const remembered = new WeakMap<Db, Map<string, Remembered>>()

const keyOf = (filter: object, offset: number): string => JSON.stringify([filter, offset])

/** For whoever reads page after page: the next one begins behind this place. */
export function rememberPlace(db: Db, filter: object, offset: number, place: Place): void {
  if (offset < DEEP) return
  const places = remembered.get(db) ?? new Map<string, Remembered>()
  remembered.set(db, places)
  const key = keyOf(filter, offset)
  // Behind all others, also if it was known.
  places.delete(key)
  places.set(key, { place, until: performance.now() + LIFE_MS })
  const [oldest] = places.keys()
  if (places.size > MOST && oldest !== undefined) places.delete(oldest)
}

export function findPlace(db: Db, filter: object, offset: number): Place | undefined {
  const found = remembered.get(db)?.get(keyOf(filter, offset))
  return found && found.until > performance.now() ? found.place : undefined
}
