import { type RawBuilder, sql } from 'kysely'
import type { Db, Engine, EnvironmentDatabase, Trx } from '../../../db/database.ts'
import { useRepeatableRead } from '../../../db/postgres/repeatable-read.ts'
import type { Seconds } from '../../../db/tables.ts'
import {
  between,
  isBefore,
  lockWatermark,
  readWatermark,
  setWatermark,
  tryLockWatermark,
  type Watermark,
  watermarkAt,
} from './watermark.ts'

/** Maximum number of changes, and of expired records, per transaction, so that other writers get their turn. */
const MAX_BATCH = 2_000

/** Clock differences between machines: a watermark that is ahead of our clock by no more than this is left alone. */
const MAX_CLOCK_SKEW_S: Seconds = 60

/**
 * Adds the pending changes to the counts and moves the watermark to now. Totals are exact with or without this;
 * folding keeps the number of rows they read small. Does nothing if fewer than `least` rows are pending.
 * Returns the number of folded rows.
 */
export async function foldCounts(
  database: EnvironmentDatabase,
  now: Seconds,
  least = 1,
): Promise<number> {
  if ((await countPending(database.read, now, least)) < least) return 0
  return await database.write(async (trx) => {
    await useRepeatableRead(trx, database.engine)
    const mark = await tryLockWatermark(trx)
    // Another process is folding.
    if (!mark) return 0
    const folded = await foldChanges(trx, mark)
    // A full batch may leave changes behind, which must be compared with the old watermark.
    return folded === MAX_BATCH ? folded : folded + (await moveWatermark(trx, mark, now))
  })
}

/** Counts the changes and expired records that are not folded yet; stops at `enough` of each. */
async function countPending(db: Db, now: Seconds, enough: number): Promise<number> {
  const way = watermarkMove(watermarkAt(now), await readWatermark(db))
  const passed = way ? between(way.low, way.high) : sql`false`
  const { rows } = await sql<{ waiting: number }>`select
    (select count(*) from (select 1 from access_changes limit ${enough}) as changed)
    + (select count(*) from (select 1 from access a where ${passed} limit ${enough}) as passed)
    as waiting`.execute(db)
  return rows[0]?.waiting ?? 0
}

/** Adds rows of (aid, scope, all_n, live_n) to the counts. */
const addCounts = (rows: RawBuilder<unknown>) => sql`
  insert into access_counts (aid, scope, all_n, live_n) ${rows}
  on conflict (aid, scope) do update set all_n = access_counts.all_n + excluded.all_n,
    live_n = access_counts.live_n + excluded.live_n`

async function foldChanges(trx: Trx, mark: Watermark): Promise<number> {
  const { rows } = await sql<{ last: number | null }>`select max(seq) as last from
    (select seq from access_changes order by seq limit ${MAX_BATCH}) as oldest`.execute(trx)
  const last = rows[0]?.last ?? null
  if (last === null) return 0
  await addCounts(sql`
    select aid, scope, sum(n),
      sum(case when (ends, access_id) > (${mark.ends}, ${mark.access_id}) then n else 0 end) from (
      select aid, scope, ends, access_id, n from access_changes where seq <= ${last}
      union all select aid, '', ends, access_id, n from access_changes
      where seq <= ${last} and scope >= 'r' and scope < 's') as changed
    group by aid, scope`).execute(trx)
  const { numDeletedRows } = await trx
    .deleteFrom('access_changes')
    .where('seq', '<=', last)
    .executeTakeFirst()
  // Removes the counts of tags that are no longer in use.
  await trx
    .deleteFrom('access_counts')
    .where((eb) => eb.and({ all_n: 0, live_n: 0 }))
    .execute()
  return Number(numDeletedRows)
}

/** Folds the pending tag changes of one user's records, so that no tag of theirs is left in the changes, nor in the
 * counts unless another record has it. */
export async function foldTagsOf(trx: Trx, aid: string, uid: string): Promise<void> {
  const changes = await trx
    .selectFrom('access_changes')
    .selectAll()
    .where('aid', '=', aid)
    .where('scope', '>=', 't')
    .where('scope', '<', 'u')
    .where('access_id', 'in', (eb) =>
      eb.selectFrom('access').select('id').where('aid', '=', aid).where('uid', '=', uid),
    )
    .execute()
  if (changes.length === 0) return
  // `live_n` counts the records past the watermark, so the watermark must not move until we commit.
  const mark = await lockWatermark(trx)
  for (const { scope, ends, access_id, n } of changes) {
    const live = isBefore(mark, { ends, access_id }) ? n : 0
    await addCounts(sql`values (${aid}, ${scope}, ${sql.lit(n)}, ${sql.lit(live)})`).execute(trx)
  }
  const seqs = changes.map(({ seq }) => seq)
  await trx.deleteFrom('access_changes').where('seq', 'in', seqs).execute()
  await trx
    .deleteFrom('access_counts')
    .where('aid', '=', aid)
    .where('scope', 'in', [...new Set(changes.map(({ scope }) => scope))])
    .where((eb) => eb.and({ all_n: 0, live_n: 0 }))
    .execute()
}

/** The records that the watermark passes when it moves, and what each adds to the counts of live records. */
interface WatermarkMove {
  low: Watermark
  high: Watermark
  n: 1 | -1
}

/** The watermark moves forward as records expire, and back only if it is ahead of the clock by more than `MAX_CLOCK_SKEW_S`. */
function watermarkMove(goal: Watermark, mark: Watermark): WatermarkMove | undefined {
  if (isBefore(mark, goal)) return { low: mark, high: goal, n: -1 }
  if (mark.ends > goal.ends + MAX_CLOCK_SKEW_S) return { low: goal, high: mark, n: 1 }
  return undefined
}

async function moveWatermark(trx: Trx, mark: Watermark, now: Seconds): Promise<number> {
  const goal = watermarkAt(now)
  const way = watermarkMove(goal, mark)
  if (!way) return 0
  const stop = await findBatchEnd(trx, way)
  const { low, high, n } = stop ? (way.n < 0 ? { ...way, high: stop } : { ...way, low: stop }) : way
  const passed = between(low, high)
  const { numAffectedRows } = await addCounts(sql`
    select aid, scope, 0, ${sql.lit(n)} * count(*) from (
      select a.aid, '' as scope from access a where ${passed}
      union all select a.aid, 'r' || a.rid from access a where ${passed}
      union all select a.aid, 't' || t.tag from access a
      join access_tags t on t.aid = a.aid and t.access_id = a.id where ${passed}) as passed
    group by aid, scope`).execute(trx)
  // No record was passed, so moving the watermark would change nothing.
  if (!numAffectedRows) return 0
  await setWatermark(trx, stop ?? goal)
  return Number(numAffectedRows)
}

/** Finds where to stop if the watermark would pass too many records in one transaction. */
async function findBatchEnd(
  trx: Trx,
  { low, high, n }: WatermarkMove,
): Promise<Watermark | undefined> {
  const direction = n < 0 ? sql`asc` : sql`desc`
  // `between` includes its upper bound and excludes its lower one. On the way back the stop is the lower bound.
  const skipped = n < 0 ? MAX_BATCH - 1 : MAX_BATCH
  const { rows } = await sql<Watermark>`
    select a.ends, a.id as access_id from access a where ${between(low, high)}
    order by a.ends ${direction}, a.id ${direction} limit 1 offset ${skipped}`.execute(trx)
  return rows[0]
}

/** Rebuilds all counts from the records. */
export async function recount(trx: Trx, engine: Engine, now: Seconds): Promise<void> {
  if (engine === 'postgres') {
    // Concurrent changes commit before this lock and are counted below, or wait and are recorded as changes.
    await sql`lock table access, access_tags, access_watermark, access_changes
      in share row exclusive mode`.execute(trx)
  }
  await trx.deleteFrom('access_changes').execute()
  await trx.deleteFrom('access_counts').execute()
  await setWatermark(trx, watermarkAt(now))
  await sql`insert into access_counts (aid, scope, all_n, live_n)
    select aid, scope, count(*), count(case when ends > ${now} then 1 end) from (
      select aid, '' as scope, ends from access where revoked is null
      union all select aid, 'r' || rid, ends from access where revoked is null
      union all select t.aid, 't' || t.tag, a.ends from access_tags t
      join access a on a.aid = t.aid and a.id = t.access_id where a.revoked is null) as counted
    group by aid, scope`.execute(trx)
}

/** Runs `fill` without the counting triggers and recounts at the end, which is cheaper for many rows. `fill` must set
 * `access_tags.created` itself, because the trigger that does so is off. */
export async function withoutCountTriggers(
  trx: Trx,
  engine: Engine,
  now: Seconds,
  fill: () => Promise<void>,
): Promise<void> {
  const resume = engine === 'sqlite' ? await dropTriggers(trx) : await disableTriggers(trx)
  await fill()
  await resume()
  await recount(trx, engine, now)
}

async function disableTriggers(trx: Trx): Promise<() => Promise<void>> {
  const setTriggers = async (state: 'enable' | 'disable') => {
    for (const table of ['access', 'access_tags']) {
      await sql`alter table ${sql.table(table)} ${sql.raw(state)} trigger user`.execute(trx)
    }
  }
  await setTriggers('disable')
  return async () => {
    // PostgreSQL can't alter a table that has deferred constraint checks pending.
    await sql`set constraints all immediate`.execute(trx)
    await setTriggers('enable')
  }
}

/** These triggers count nothing; they validate references and stay active. */
const VALIDATION_TRIGGERS = ['access_ref_given', 'access_ref_changed']

/** SQLite can't disable a trigger, so we drop the triggers and create them again from their stored SQL. */
async function dropTriggers(trx: Trx): Promise<() => Promise<void>> {
  const { rows } = await sql<{ name: string; sql: string }>`select name, sql from sqlite_schema
    where type = 'trigger' and tbl_name in ('access', 'access_tags')
      and name not in (${sql.join(VALIDATION_TRIGGERS)}) order by rowid`.execute(trx)
  for (const { name } of rows) await sql`drop trigger ${sql.id(name)}`.execute(trx)
  return async () => {
    for (const { sql: text } of rows) await sql.raw(text).execute(trx)
  }
}
