import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '../../../db/database.ts'
import { updateRows } from '../../../db/rows.ts'
import type { Seconds } from '../../../db/tables.ts'

/** A position in the order of (ends, id) over all records. `live_n` counts the records past the stored watermark, so
 * that nothing has to be written when a record expires. */
export interface Watermark {
  ends: Seconds
  access_id: string
}

/** The records past this position are exactly those live at `now`, because no id is empty. */
export const watermarkAt = (now: Seconds): Watermark => ({ ends: now + 1, access_id: '' })

export const isBefore = (one: Watermark, other: Watermark): boolean =>
  one.ends < other.ends || (one.ends === other.ends && one.access_id < other.access_id)

type Bound = Watermark | { ends: RawBuilder<Seconds>; access_id: RawBuilder<string> }

/** Unrevoked records of all applications after `low`, up to and including `high`. The last line is redundant, but
 * lets PostgreSQL estimate how few rows match; SQLite uses the conditions before it. */
export const between = (low: Bound, high: Bound) => sql<boolean>`a.revoked is null
  and (a.ends, a.id) > (${low.ends}, ${low.access_id})
  and (a.ends, a.id) <= (${high.ends}, ${high.access_id})
  and a.ends >= ${low.ends} and a.ends <= ${high.ends}`

const NAME = 'search'

export async function readWatermark(db: Db): Promise<Watermark> {
  return await db
    .selectFrom('access_watermark')
    .select(['ends', 'access_id'])
    .where('name', '=', NAME)
    .executeTakeFirstOrThrow()
}

const selectLocked = (trx: Trx) =>
  trx
    .selectFrom('access_watermark')
    .select(['ends', 'access_id'])
    .where('name', '=', NAME)
    .forUpdate()

/** Undefined while another transaction holds the lock. */
export async function tryLockWatermark(trx: Trx): Promise<Watermark | undefined> {
  return await selectLocked(trx).skipLocked().executeTakeFirst()
}

/** Waits for the lock. */
export async function lockWatermark(trx: Trx): Promise<Watermark> {
  return await selectLocked(trx).executeTakeFirstOrThrow()
}

export async function setWatermark(trx: Trx, mark: Watermark): Promise<void> {
  await updateRows(trx, 'access_watermark', { name: NAME }, { ...mark })
}
