import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db, Engine, EnvironmentDatabase, Trx } from '../../../db/database.ts'
import { useRepeatableRead } from '../../../db/postgres/repeatable-read.ts'
import { deleteRows } from '../../../db/queries/rows.ts'
import type { AccessChangeTable, Seconds } from '../../../db/tables.ts'
import {
  between,
  isBefore,
  lockWatermark,
  STORED_WATERMARK,
  setWatermark,
  tryLockWatermark,
  type Watermark,
  watermarkAt,
} from './watermark.ts'

/** Maximum number of changes, and of expired records, per transaction, so that other writers get their turn. */
const MAX_BATCH = 2_000

/** SQL limits the number of values in a statement. */
const ROWS_PER_STATEMENT = 500

/** Clock differences between machines: a watermark that is ahead of our clock by no more than this is left alone. */
const MAX_CLOCK_SKEW_S: Seconds = 60

/**
 * Adds the pending changes of all applications to their counts and moves their watermarks to now. Totals are exact with
 * or without this; folding keeps the number of rows they read small. An application with fewer than `least` pending
 * rows is left alone. Returns the number of folded rows.
 */
export async function foldCounts(
  database: EnvironmentDatabase,
  now: Seconds,
  least = 1,
): Promise<number> {
  let folded = 0
  for (const aid of await listPending(database.read, now, least)) {
    folded += await foldCountsOf(database, aid, now)
  }
  return folded
}

async function foldCountsOf(
  database: EnvironmentDatabase,
  aid: string,
  now: Seconds,
): Promise<number> {
  return await database.write(async (trx) => {
    await useRepeatableRead(trx, database.engine)
    const mark = await tryLockWatermark(trx, aid)
    // Another process is folding.
    if (!mark) return 0
    const folded = await foldChanges(trx, aid, mark)
    // A full batch may leave changes behind, which must be compared with the old watermark.
    return folded === MAX_BATCH ? folded : folded + (await moveWatermark(trx, aid, mark, now))
  })
}

/** Lists the applications that have at least this many changes and records passed by the clock. */
async function listPending(db: Db, now: Seconds, least: number): Promise<string[]> {
  const goal = watermarkAt(now)
  const aid = sql.ref<string>('w.aid')
  const isAhead = sql`w.ends > ${goal.ends + MAX_CLOCK_SKEW_S}`
  const countUpToLeast = (rows: RawBuilder<unknown>) =>
    sql`(select count(*) from (select 1 from ${rows} limit ${least}) as counted)`
  const { rows } = await sql<{ aid: string }>`select w.aid from access_watermarks w
    where ${countUpToLeast(sql`access_changes c where c.aid = w.aid`)}
      + ${countUpToLeast(sql`access a where ${between(aid, STORED_WATERMARK, goal)}`)}
      + ${countUpToLeast(sql`access a where ${isAhead} and ${between(aid, goal, STORED_WATERMARK)}`)}
      >= ${least} order by w.aid`.execute(db)
  return rows.map((row) => row.aid)
}

/** Adds rows of (aid, scope, all_n, live_n) to the counts. */
const addCounts = (rows: RawBuilder<unknown>) => sql`
  insert into access_counts (aid, scope, all_n, live_n) ${rows}
  on conflict (aid, scope) do update set all_n = access_counts.all_n + excluded.all_n,
    live_n = access_counts.live_n + excluded.live_n`

async function foldChanges(trx: Trx, aid: string, mark: Watermark): Promise<number> {
  // The end of the batch is looked up first: PostgreSQL may compare every change with every other one when it deletes
  // those that a subquery selects.
  const last = await trx
    .selectFrom('access_changes')
    .select(['scope', 'id'])
    .where('aid', '=', aid)
    .orderBy('scope')
    .orderBy('id')
    .offset(MAX_BATCH - 1)
    .limit(1)
    .executeTakeFirst()
  const isInBatch = last ? sql`(scope, id) <= (${last.scope}, ${last.id})` : sql`true`
  return await foldMatching(trx, aid, mark, sql<boolean>`${isInBatch}`)
}

/** Folds the pending tag changes of one user's records, so that no tag of theirs is left in the changes, nor in the
 * counts unless another record has it. */
export async function foldTagsOf(trx: Trx, aid: string, uid: string): Promise<void> {
  const ofUser = sql<boolean>`scope >= 't' and scope < 'u' and access_id in
    (select a.id from access a where a.aid = ${aid} and a.uid = ${uid})`
  const isAny = trx.selectFrom('access_changes').select('id').where('aid', '=', aid).where(ofUser)
  if (!(await isAny.limit(1).executeTakeFirst())) return
  // `live_n` counts the records past the watermark, so the watermark must not move until we commit.
  await foldMatching(trx, aid, await lockWatermark(trx, aid), ofUser)
}

/** Deletes changes of an application and adds them to its counts; returns how many. */
async function foldMatching(
  trx: Trx,
  aid: string,
  mark: Watermark,
  which: RawBuilder<boolean>,
): Promise<number> {
  const changes = await trx
    .deleteFrom('access_changes')
    .where('aid', '=', aid)
    .where(which)
    .returningAll()
    .execute()
  if (changes.length === 0) return 0
  const sums = sumByScope(changes, mark)
  for (let i = 0; i < sums.length; i += ROWS_PER_STATEMENT) {
    const values = sums
      .slice(i, i + ROWS_PER_STATEMENT)
      .map(({ scope, all, live }) => sql`(${aid}, ${scope}, ${sql.lit(all)}, ${sql.lit(live)})`)
    await addCounts(sql`values ${sql.join(values)}`).execute(trx)
  }
  // Removes the counts of tags that are no longer in use.
  await deleteRows(trx, 'access_counts', { aid, all_n: 0, live_n: 0 })
  return changes.length
}

interface ScopeSum {
  scope: string
  all: number
  live: number
}

/** Adds up changes by scope, in the order of the scopes. */
function sumByScope(
  changes: readonly Selectable<AccessChangeTable>[],
  mark: Watermark,
): ScopeSum[] {
  const sums = new Map<string, ScopeSum>()
  for (const { scope, ends, access_id, n } of changes) {
    const live = isBefore(mark, { ends, access_id }) ? n : 0
    // A change to the count of a resource also changes the count of the application, whose scope is empty.
    for (const name of scope.startsWith('r') ? [scope, ''] : [scope]) {
      const sum = sums.get(name) ?? { scope: name, all: 0, live: 0 }
      sums.set(name, { scope: name, all: sum.all + n, live: sum.live + live })
    }
  }
  return [...sums.values()].sort((one, other) => (one.scope < other.scope ? -1 : 1))
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

async function moveWatermark(
  trx: Trx,
  aid: string,
  mark: Watermark,
  now: Seconds,
): Promise<number> {
  const goal = watermarkAt(now)
  const way = watermarkMove(goal, mark)
  if (!way) return 0
  const stop = await findBatchEnd(trx, aid, way)
  const { low, high, n } = stop ? (way.n < 0 ? { ...way, high: stop } : { ...way, low: stop }) : way
  const passed = between(aid, low, high)
  const { numAffectedRows } = await addCounts(sql`
    select aid, scope, 0, ${sql.lit(n)} * count(*) from (
      select a.aid, '' as scope from access a where ${passed}
      union all select a.aid, 'r' || a.rid from access a where ${passed}
      union all select a.aid, 't' || t.tag from access a
      join access_tags t on t.aid = a.aid and t.access_id = a.id where ${passed}) as passed
    group by aid, scope`).execute(trx)
  // No record was passed, so moving the watermark would change nothing.
  if (!numAffectedRows) return 0
  await setWatermark(trx, aid, stop ?? goal)
  return Number(numAffectedRows)
}

/** Finds where to stop if the watermark would pass too many records in one transaction. */
async function findBatchEnd(
  trx: Trx,
  aid: string,
  { low, high, n }: WatermarkMove,
): Promise<Watermark | undefined> {
  const direction = n < 0 ? sql`asc` : sql`desc`
  // `between` includes its upper bound and excludes its lower one. On the way back the stop is the lower bound.
  const skipped = n < 0 ? MAX_BATCH - 1 : MAX_BATCH
  const { rows } = await sql<Watermark>`
    select a.ends, a.id as access_id from access a where ${between(aid, low, high)}
    order by a.ends ${direction}, a.id ${direction} limit 1 offset ${skipped}`.execute(trx)
  return rows[0]
}

/** Rebuilds all counts from the records. */
export async function recount(trx: Trx, engine: Engine, now: Seconds): Promise<void> {
  if (engine === 'postgres') {
    // Concurrent changes commit before this lock and are counted below, or wait and are recorded as changes.
    await sql`lock table access, access_tags, access_watermarks, access_changes
      in share row exclusive mode`.execute(trx)
  }
  await trx.deleteFrom('access_changes').execute()
  await trx.deleteFrom('access_counts').execute()
  await trx.deleteFrom('access_watermarks').execute()
  const mark = watermarkAt(now)
  await sql`insert into access_watermarks (aid, ends, access_id)
    select aid, ${sql.lit(mark.ends)}, ${sql.lit(mark.access_id)} from applications`.execute(trx)
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
