import { type RawBuilder, sql } from 'kysely'
import type { Db, EnvironmentDatabase, Trx } from '../../db/database.ts'
import { useRepeatableRead } from '../../db/postgres/repeatable-read.ts'
import type { Seconds } from '../../db/tables.ts'

/** The lengths of the spans for which the revenue of a whole application is summed. Every day of every time zone begins
 * with a quarter of an hour. */
export const APPLICATION_SPAN_LENGTHS: readonly Seconds[] = [86_400, 900]

/** The lengths of the spans for which the revenue of a resource is summed: few rows for a thousand resources and many
 * years, and few payments to read at both ends of a range. Spans of all lengths are counted from 1970. */
export const RESOURCE_SPAN_LENGTHS: readonly Seconds[] = [64 * 86_400, 8 * 86_400]

/** Maximum number of changes per transaction, so that other writers get their turn. */
const MAX_BATCH = 2_000

/** Adds up changes by every size. `where true` tells SQLite that `on` begins no join. */
const addToSums = (isFolded: RawBuilder<boolean>) => {
  const sums = sql`sum(taken), sum(sales), sum(refunded), sum(lost) from revenue_changes`
  const bySize = [
    ...APPLICATION_SPAN_LENGTHS.map((size) => ({
      size: sql.lit(size),
      rid: sql`''`,
      byRid: sql``,
    })),
    ...RESOURCE_SPAN_LENGTHS.map((size) => ({
      size: sql.lit(size),
      rid: sql`rid`,
      byRid: sql`, rid`,
    })),
  ].map(
    ({ size, rid, byRid }) => sql`select aid, currency, ${size}, at - at % ${size}, ${rid}, ${sums}
      where ${isFolded} group by aid, currency, at - at % ${size}${byRid}`,
  )
  return sql`insert into revenue_totals (aid, currency, size, at, rid, taken, sales, refunded, lost)
    ${sql.join(bySize, sql` union all `)}
    on conflict (aid, currency, size, at, rid) do update set
      taken = revenue_totals.taken + excluded.taken, sales = revenue_totals.sales + excluded.sales,
      refunded = revenue_totals.refunded + excluded.refunded, lost = revenue_totals.lost + excluded.lost`
}

/**
 * Adds the pending changes of payments and refunds to the sums. Figures are exact with or without this; folding keeps the
 * number of rows that they read small. An application with fewer than `least` changes is left alone. Returns the number of
 * folded changes.
 */
export async function foldRevenue(database: EnvironmentDatabase, least = 1): Promise<number> {
  let folded = 0
  for (const aid of await listPending(database.read, least)) {
    folded += await database.write(async (trx) => {
      // If two processes fold the same changes, the second one conflicts on the sums and starts over.
      await useRepeatableRead(trx, database.engine)
      return await foldBatch(trx, aid)
    })
  }
  return folded
}

async function listPending(db: Db, least: number): Promise<string[]> {
  const { rows } = await sql<{ aid: string }>`select a.aid from applications a
    where (select count(*) from (select 1 from revenue_changes c where c.aid = a.aid limit ${least})
      as pending) >= ${least} order by a.aid`.execute(db)
  return rows.map(({ aid }) => aid)
}

async function foldBatch(trx: Trx, aid: string): Promise<number> {
  const last = await trx
    .selectFrom('revenue_changes')
    .select('id')
    .where('aid', '=', aid)
    .orderBy('id')
    .offset(MAX_BATCH - 1)
    .limit(1)
    .executeTakeFirst()
  const upToLast = last ? sql` and id <= ${last.id}` : sql``
  const isInBatch = sql<boolean>`aid = ${aid}${upToLast}`
  await addToSums(isInBatch).execute(trx)
  const { numDeletedRows } = await trx
    .deleteFrom('revenue_changes')
    .where(isInBatch)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Folds the changes of all applications in one transaction, after a restore or a move. */
export async function foldAllRevenue(trx: Trx): Promise<void> {
  await addToSums(sql`true`).execute(trx)
  await trx.deleteFrom('revenue_changes').execute()
}
