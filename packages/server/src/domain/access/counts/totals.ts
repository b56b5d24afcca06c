import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import type { Seconds } from '../../../db/tables.ts'
import {
  between,
  readWatermark,
  STORED_WATERMARK,
  type Watermark,
  watermarkAt,
} from './watermark.ts'

/** The scope of a count: an application, one of its resources, or one of its tags. */
export interface Scope {
  aid: string
  rid?: string | undefined
  tag?: string | undefined
}

function scopeName({ rid, tag }: Scope): string {
  if (rid !== undefined) return `r${rid}`
  return tag === undefined ? '' : `t${tag}`
}

/** The changes that are not folded yet. An application has none of its own; its resources' changes add up to them. */
function changesOf(scope: Scope): RawBuilder<boolean> {
  const name = scopeName(scope)
  return name === ''
    ? sql`c.aid = ${scope.aid} and c.scope >= 'r' and c.scope < 's'`
    : sql`c.aid = ${scope.aid} and c.scope = ${name}`
}

/** Counts the unrevoked records of a scope, expired ones included. */
export async function countAll(db: Db, scope: Scope): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select cast(
      coalesce((select n.all_n from access_counts n
        where n.aid = ${scope.aid} and n.scope = ${scopeName(scope)}), 0)
      + coalesce((select sum(c.n) from access_changes c where ${changesOf(scope)}), 0)
    as bigint) as total`.execute(db)
  return rows[0]?.total ?? 0
}

/** The last watermark seen of each application, which is usually still the stored one. */
const lastSeen = new WeakMap<Db, Map<string, Watermark>>()

function seenBy(db: Db): Map<string, Watermark> {
  const seen = lastSeen.get(db) ?? new Map()
  if (seen.size >= MAX_SEEN) seen.clear()
  lastSeen.set(db, seen)
  return seen
}

/** How many watermarks are remembered. */
const MAX_SEEN = 10_000

/** Maximum attempts while the watermark keeps moving. Then the statement reads it itself, whatever that costs. */
const TRIES = 3

/** Counts the live records of a scope. The watermark is a parameter, so that PostgreSQL's planner sees how few
 * records lie between it and now. The statement also returns the stored one; if it differs, we try again. */
export async function countLive(db: Db, scope: Scope, now: Seconds): Promise<number> {
  const seen = seenBy(db)
  let mark = seen.get(scope.aid) ?? (await readWatermark(db, scope.aid))
  for (let tries = 0; tries < TRIES; tries++) {
    seen.set(scope.aid, mark)
    const found = await countPast(db, scope, mark, now)
    if (found.ends === mark.ends && found.access_id === mark.access_id) return found.total
    mark = { ends: found.ends, access_id: found.access_id }
  }
  const { total } = await countPast(db, scope, STORED_WATERMARK, now)
  return total
}

/** One statement, so that all parts see the same snapshot. It corrects for the records between the watermark
 * and now, whichever is ahead. */
async function countPast(
  db: Db,
  scope: Scope,
  mark: Watermark | typeof STORED_WATERMARK,
  now: Seconds,
): Promise<Watermark & { total: number }> {
  const goal = watermarkAt(now)
  const { rows } = await sql<Watermark & { total: number }>`
    select w.ends, w.access_id, cast(
      coalesce((select n.live_n from access_counts n
        where n.aid = ${scope.aid} and n.scope = ${scopeName(scope)}), 0)
      + coalesce((select sum(c.n) from access_changes c where ${changesOf(scope)}
        and (c.ends, c.access_id) > (${mark.ends}, ${mark.access_id})), 0)
      - (select count(*) from access a where ${between(scope.aid, mark, goal)} and ${isIn(scope)})
      + (select count(*) from access a where ${between(scope.aid, goal, mark)} and ${isIn(scope)})
    as bigint) as total
    from access_watermarks w where w.aid = ${scope.aid}`.execute(db)
  return rows[0] as Watermark & { total: number }
}

/** `|| ''` hides the column from SQLite's planner, which would otherwise read all records of the resource by its index
 * instead of the few between the bounds. */
function isIn({ aid, rid, tag }: Scope): RawBuilder<boolean> {
  if (rid !== undefined) return sql`a.rid || '' = ${rid}`
  if (tag === undefined) return sql`true`
  return sql`exists (select 1 from access_tags t
    where t.aid = ${aid} and t.tag = ${tag} and t.access_id = a.id)`
}
