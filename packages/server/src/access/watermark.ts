import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '../db/database.ts'
import type { Seconds } from '../db/tables.ts'

/**
 * A place among all records in the order of (ends, id). The counts of live records are of those past
 * the stored one, so that nothing has to be written at the moment when a record expires.
 */
export interface Watermark {
  ends: Seconds
  access_id: string
}

/** The records past this one are those that are live at `now`: no id is empty. */
export const watermarkAt = (now: Seconds): Watermark => ({ ends: now + 1, access_id: '' })

export const isBefore = (one: Watermark, other: Watermark): boolean =>
  one.ends < other.ends || (one.ends === other.ends && one.access_id < other.access_id)

type Bound = Watermark | { ends: RawBuilder<Seconds>; access_id: RawBuilder<string> }

/** Unrevoked records of all applications from past one place up to another. The ends alone say nothing
 * new, but from them PostgreSQL sees how few these are; SQLite goes by what comes first. */
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

/** Undefined while somebody else has it. */
export async function lockWatermark(trx: Trx): Promise<Watermark | undefined> {
  return await selectLocked(trx).skipLocked().executeTakeFirst()
}

/** Waits until nobody else has it. */
export async function awaitWatermark(trx: Trx): Promise<Watermark> {
  return await selectLocked(trx).executeTakeFirstOrThrow()
}

export async function setWatermark(trx: Trx, mark: Watermark): Promise<void> {
  await trx
    .updateTable('access_watermark')
    .set({ ...mark })
    .where('name', '=', NAME)
    .execute()
}
