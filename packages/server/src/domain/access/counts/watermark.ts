import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '../../../db/database.ts'
import { updateRows } from '../../../db/queries/rows.ts'
import type { Seconds } from '../../../db/tables.ts'

/** A position in the order of (ends, id) over all records of an application. `live_n` counts the records past the
 * stored watermark, so that nothing has to be written when a record expires. */
export interface Watermark {
  ends: Seconds
  access_id: string
}

/** The records past this position are exactly those live at `now`, because no id is empty. */
export const watermarkAt = (now: Seconds): Watermark => ({ ends: now + 1, access_id: '' })

export const isBefore = (one: Watermark, other: Watermark): boolean =>
  one.ends < other.ends || (one.ends === other.ends && one.access_id < other.access_id)

type Bound = Watermark | { ends: RawBuilder<Seconds>; access_id: RawBuilder<string> }

/** Unrevoked records of an application after `low`, up to and including `high`. The single columns are redundant, but let
 * PostgreSQL estimate how few rows match. `ends >= 0` chooses the index by end. It is last, because SQLite takes the
 * first condition for the beginning of the range, and would read everything that has ever expired. */
export const between = (aid: string | RawBuilder<string>, low: Bound, high: Bound) => sql<boolean>`
  a.aid = ${aid} and a.revoked is null
  and (a.ends, a.id) > (${low.ends}, ${low.access_id})
  and (a.ends, a.id) <= (${high.ends}, ${high.access_id})
  and a.ends >= ${low.ends} and a.ends <= ${high.ends} and a.ends >= 0`

/** The watermark as columns of `access_watermarks w`, read by the statement itself. */
export const STORED_WATERMARK = {
  ends: sql.ref<Seconds>('w.ends'),
  access_id: sql.ref<string>('w.access_id'),
}

const selectWatermark = (db: Db, aid: string) =>
  db.selectFrom('access_watermarks').select(['ends', 'access_id']).where('aid', '=', aid)

export async function readWatermark(db: Db, aid: string): Promise<Watermark> {
  return await selectWatermark(db, aid).executeTakeFirstOrThrow()
}

/** Undefined while another transaction holds the lock. */
export async function tryLockWatermark(trx: Trx, aid: string): Promise<Watermark | undefined> {
  return await selectWatermark(trx, aid).forUpdate().skipLocked().executeTakeFirst()
}

/** Waits for the lock. */
export async function lockWatermark(trx: Trx, aid: string): Promise<Watermark> {
  return await selectWatermark(trx, aid).forUpdate().executeTakeFirstOrThrow()
}

export async function setWatermark(trx: Trx, aid: string, mark: Watermark): Promise<void> {
  await updateRows(trx, 'access_watermarks', { aid }, { ...mark })
}
