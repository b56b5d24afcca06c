import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'

/** Counts the unrevoked records of all applications, without the changes of the last moments. Reads one row for each
 * application. */
export async function countAllRoughly(db: Db): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select cast(coalesce(sum(all_n), 0) as bigint) as total from access_counts where scope = ''
  `.execute(db)
  return Number(rows[0]?.total ?? 0)
}
