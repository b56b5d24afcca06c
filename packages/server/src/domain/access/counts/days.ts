import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import { countByDay, type Days } from '../../../db/days.ts'

/** Counts the records created on each day, whatever happened to them since. Unrevoked and revoked ones have an index
 * each. */
export async function countCreatedByDay(db: Db, aid: string, days: Days): Promise<number[]> {
  const count = (isRevoked: RawBuilder<unknown>) =>
    countByDay(db, days, 'access', 'created', sql`aid = ${aid} and revoked is ${isRevoked}`)
  const unrevoked = await count(sql`null`)
  const revoked = await count(sql`not null`)
  return unrevoked.map((value, i) => value + (revoked[i] ?? 0))
}

export const countRevokedByDay = (db: Db, aid: string, days: Days): Promise<number[]> =>
  countByDay(db, days, 'access', 'revoked', sql`aid = ${aid} and revoked is not null`)
