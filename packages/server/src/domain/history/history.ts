import type { Db, Trx } from '../../db/database.ts'
import { insertRows } from '../../db/queries/rows.ts'
import type { AccessTable, HistoryTable, Seconds, SourceTable, UserTable } from '../../db/tables.ts'
import { newId } from '../../ids.ts'
import type { TraceContext } from '../../tracing/trace-context.ts'
import type { HistoryAction } from './actions.ts'
import { reportChanges } from './collect.ts'

export type HistoryRow = HistoryTable

/** One entry of the history. Only the uid may identify a person. */
export interface Change {
  aid: string
  at: Seconds
  /** The actor, such as `api`, `cli`, `import`, `worker`, `checkout` or `staff:<id>`. */
  actor: string
  action: HistoryAction
  uid?: string
  rid?: string
  accessId?: string
  before?: object | undefined
  after?: object | undefined
  mailKey?: string | undefined
  told?: EventInput
  /** The request that made the change, if it is not the one that the transaction runs for. It is not stored. */
  trace?: TraceContext | undefined
}

/** Values for the events that are made of a change. They are not stored in the history, and may be personal. */
export interface EventInput {
  subscription?: string | undefined
  payment?: string | undefined
  /** The former values of what has changed, as the API names them. */
  former?: object | undefined
  /** The references of a reader who is being erased. */
  references?: readonly string[] | undefined
  /** The record of something that has no row of its own. */
  data?: object | undefined
  /** Everything that there is about a reader whom this transaction has created. */
  newReader?: NewReader | undefined
}

/** All rows of a reader who got access to one resource in the transaction that created them. */
export interface NewReader {
  user: UserTable
  references: readonly { ref: string; alias: 0 | 1 }[]
  access: AccessTable
  source: SourceTable
}

/** Call in the transaction of the changes themselves. */
export async function recordHistory(trx: Trx, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return
  reportChanges(trx, changes)
  const rows = changes.map((change) => ({
    seq: nextSeq(),
    tie_breaker: newId(),
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
  await insertRows(trx, 'history', rows)
}

let lastSeq = 0

/** Many entries at once may be numbered ahead of the time, but not by more than a second. */
const MAX_AHEAD = 1_000_000

/** Numbers the entries of this process by the time in microseconds, in the order in which they are written. When the
 * clock was set back, the numbers follow it: otherwise all later entries would seem younger than those of others. */
function nextSeq(): number {
  const now = Date.now() * 1000
  lastSeq = lastSeq < now || lastSeq > now + MAX_AHEAD ? now : lastSeq + 1
  return lastSeq
}

/** The order of entries, oldest first. */
export const bySeq = (one: HistoryRow, other: HistoryRow): number => one.seq - other.seq

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

/** Finds the time of the latest change of any application, by the clock of the process that made it. */
export async function findLastChange(db: Db): Promise<Seconds | undefined> {
  const last = await db
    .selectFrom('applications as p')
    .innerJoin('history as h', 'h.aid', 'p.aid')
    .select('h.at')
    .where('h.seq', '=', (eb) =>
      eb
        .selectFrom('history as l')
        .select(({ fn }) => fn.max('l.seq').as('seq'))
        .whereRef('l.aid', '=', 'p.aid'),
    )
    .orderBy('h.seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.at
}
