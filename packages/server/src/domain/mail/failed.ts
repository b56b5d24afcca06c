import type { Db } from '../../db/database.ts'
import { countRows } from '../../db/queries/rows.ts'
import { isFailedSql } from './outbox.ts'

/** Counts the mails of an application that were given up. */
export async function countFailedMails(db: Db, aid: string): Promise<number> {
  return await countRows(db.selectFrom('outbox').where('aid', '=', aid).where(isFailedSql))
}
