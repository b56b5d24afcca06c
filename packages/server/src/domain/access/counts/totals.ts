import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import type { Seconds } from '../../../db/tables.ts'
import { between, readWatermark, type Watermark, watermarkAt } from './watermark.ts'

/** What counts are maintained for: an application, one of its resources, or one of its tags. */
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

/** The last watermark seen, which is usually still the stored one. */
const lastSeen = new WeakMap<Db, Watermark>()

/** Maximum attempts while the watermark keeps moving. Then the statement reads it itself, whatever that costs. */
const TRIES = 3

/** Counts the live records of a scope. The watermark is a parameter, so that PostgreSQL's planner sees how few
 * records lie between it and now. The statement also returns the stored one; if it differs, we try again. */
export async function countLive(db: Db, scope: Scope, now: Seconds): Promise<number> {
  let mark = lastSeen.get(db) ?? (await readWatermark(db))
  for (let tries = 0; tries < TRIES; tries++) {
    lastSeen.set(db, mark)
    const found = await countPast(db, scope, mark, now)
    if (found.ends === mark.ends && found.access_id === mark.access_id) return found.total
    mark = { ends: found.ends, access_id: found.access_id }
  }
  const { total } = await countPast(db, scope, STORED, now)
  return total
}

/** The watermark as a column, read by the statement itself. */
const STORED = {
  ends: sql.ref<Seconds>('w.ends'),
  access_id: sql.ref<string>('w.access_id'),
}

/** One statement, so that all parts see the same snapshot. It corrects for the records between the watermark
 * and now, whichever is ahead. */
async function countPast(
  db: Db,
  scope: Scope,
  mark: Watermark | typeof STORED,
  now: Seconds,
): Promise<Watermark & { total: number }> {
  const goal = watermarkAt(now)
  const { rows } = await sql<Watermark & { total: number }>`
    select w.ends, w.access_id, cast(
      coalesce((select n.live_n from access_counts n
        where n.aid = ${scope.aid} and n.scope = ${scopeName(scope)}), 0)
      + coalesce((select sum(c.n) from access_changes c where ${changesOf(scope)}
        and (c.ends, c.access_id) > (${mark.ends}, ${mark.access_id})), 0)
      - (select count(*) from access a where ${between(mark, goal)} and ${isIn(scope)})
      + (select count(*) from access a where ${between(goal, mark)} and ${isIn(scope)})
    as bigint) as total
    from access_watermark w where w.name = 'search'`.execute(db)
  return rows[0] as Watermark & { total: number }
}

/** `|| ''` hides these columns from SQLite's planner, which would otherwise read the whole application by its index
 * instead of the few records between the bounds. */
function isIn({ aid, rid, tag }: Scope): RawBuilder<boolean> {
  const ofApplication = sql<boolean>`a.aid || '' = ${aid}`
  if (rid !== undefined) return sql`${ofApplication} and a.rid || '' = ${rid}`
  if (tag === undefined) return ofApplication
  return sql`${ofApplication} and exists (select 1 from access_tags t
    where t.aid = ${aid} and t.tag = ${tag} and t.access_id = a.id)`
}
