import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import { countByDay, type Days } from '../../../db/days.ts'

/** Counts the records created on each day, without those that have been revoked since. */
export const countCreatedByDay = (db: Db, aid: string, days: Days): Promise<number[]> =>
  countByDay(db, days, 'access', 'created', sql`aid = ${aid} and revoked is null`)

export const countRevokedByDay = (db: Db, aid: string, days: Days): Promise<number[]> =>
  countByDay(db, days, 'access', 'revoked', sql`aid = ${aid} and revoked is not null`)
