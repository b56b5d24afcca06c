import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** A connection that was just closed is listed for a moment longer. */
const MAX_CHECKS = 4
const CHECK_AGAIN_MS = 250

/** Whether a service or another command is connected to the database; `ownName` is the caller's `application_name`. */
export async function isServed<T>(db: Db<T>, ownName: string): Promise<boolean> {
  for (let look = 1; await hasOthers(db, ownName); look++) {
    if (look === MAX_CHECKS) return true
    await sleep(CHECK_AGAIN_MS)
  }
  return false
}

async function hasOthers<T>(db: Db<T>, ownName: string): Promise<boolean> {
  const { rows } = await sql<{ served: boolean }>`select exists (select 1 from pg_stat_activity
    where datname = current_database() and application_name like 'gatehouse %'
      and application_name <> ${ownName}) as served`.execute(db)
  return rows[0]?.served === true
}
