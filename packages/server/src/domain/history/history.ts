import type { Db, Trx } from '../../db/database.ts'
import type { HistoryTable, Seconds } from '../../db/tables.ts'

export type HistoryRow = Omit<HistoryTable, 'seq'> & { seq: number }

/** One entry of the history. Only the uid may identify a person. */
export interface Change {
  aid: string
  at: Seconds
  /** Who made the change, such as `api`, `cli`, `import`, `worker`, `checkout` or `staff:<id>`. */
  actor: string
  action: string
  uid?: string
  rid?: string
  accessId?: string
  before?: object
  after?: object
  mailKey?: string | undefined
}

/** Call in the transaction of the changes themselves. */
export async function recordHistory(trx: Trx, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return
  const rows = changes.map((change) => ({
    aid: change.aid,
    uid: change.uid ?? null,
    rid: change.rid ?? null,
    access_id: change.accessId ?? null,
    at: change.at,
    actor: change.actor,
    action: change.action,
    before: change.before ? JSON.stringify(change.before) : null,
    after: change.after ? JSON.stringify(change.after) : null,
    mail_key: change.mailKey ?? null,
  }))
  await trx.insertInto('history').values(rows).execute()
}

export interface HistoryFilter {
  uid?: string
  rid?: string
  accessId?: string
  /** Returns only the newest entries, up to this many. */
  limit?: number
}

/** Lists entries oldest first. */
export async function listHistory(
  db: Db,
  aid: string,
  filter: HistoryFilter = {},
): Promise<HistoryRow[]> {
  let query = db.selectFrom('history').selectAll().where('aid', '=', aid)
  if (filter.uid !== undefined) query = query.where('uid', '=', filter.uid)
  if (filter.rid !== undefined) query = query.where('rid', '=', filter.rid)
  if (filter.accessId !== undefined) query = query.where('access_id', '=', filter.accessId)
  if (filter.limit === undefined) return await query.orderBy('seq').execute()
  return (await query.orderBy('seq', 'desc').limit(filter.limit).execute()).reverse()
}

/** Finds the time of the latest change, by the clock of the process that made it. */
export async function findLastChange(db: Db): Promise<Seconds | undefined> {
  const row = await db
    .selectFrom('history')
    .select('at')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.at
}
