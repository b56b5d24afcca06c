import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** Runs a statement as it is written. */
export const runSql = (db: Db, text: string) => sql.raw<Record<string, unknown>>(text).execute(db)
