import type { Db } from '../../db/database.ts'
import type { Seconds } from '../../db/tables.ts'
import type { Reader } from './held-records.ts'

/** For each resource, the rids whose records open it: its own, which comes first, and those of passes. This file is all
 * that a decision knows about passes. */
export type Openings = ReadonlyMap<string, readonly string[]>

/** Finds out what opens these resources. */
export async function findOpenings(
  _db: Db,
  _aid: string,
  rids: readonly string[],
): Promise<Openings> {
  return new Map(rids.map((rid) => [rid, [rid]]))
}

/** Does the same, but names only those passes of which the reader has a live record. */
export async function findHeldOpenings(
  _db: Db,
  _reader: Reader,
  rids: readonly string[],
  _now: Seconds,
): Promise<Openings> {
  return new Map(rids.map((rid) => [rid, [rid]]))
}

/** Lists all rids whose records have to be looked at. */
export const listOpeners = (openings: Openings): string[] => [
  ...new Set([...openings.values()].flat()),
]
