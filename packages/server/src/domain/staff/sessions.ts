import { sql } from 'kysely'
import type { ControlDatabase } from '../../db/database.ts'
import { countAffected, deleteRows, findRow, updateRows } from '../../db/queries/rows.ts'
import type { Millis } from '../../db/tables.ts'
import { fail, requireFound } from '../../errors.ts'
import { newId } from '../../ids.ts'
import { cleanAgent, setAuditSession } from './audit-trail.ts'
import { type ControlDb, type ControlTrx, type StaffMember, toStaffMember } from './staff.ts'
import { digestOf, newToken } from './tokens.ts'

const HOUR: Millis = 3_600_000

/** A session ends after this long without a request. */
const IDLE: Millis = 24 * HOUR

/** Maximum lifetime of a session, however active it is. */
export const MAX_SESSION_MS: Millis = 14 * 24 * HOUR

/** Minimum time between two updates of `seen_at`, so that not every request causes a write. */
const NOTED_EVERY: Millis = 5 * 60_000

/** A session counts as confirmed for this long after its member has proved who they are. */
const CONFIRMED_FOR: Millis = 5 * 60_000

/** More sessions than a person uses: of further ones, those not used for longest end. */
const MAX_SESSIONS = 20

export interface SignedInStaff {
  sessionId: string
  staff: StaffMember
  /** When the member last signed in, or proved again who they are. */
  confirmedAt: Millis
}

/** Begins a session for a member who has just proved who they are. Returns the token for the browser's cookie. */
export async function beginSession(
  trx: ControlTrx,
  staffId: string,
  agent: string,
  now: Millis,
): Promise<string> {
  await sweepSessions(trx, now)
  await endOldestSessions(trx, staffId)
  const { token, digest } = newToken()
  const id = newId()
  await trx
    .insertInto('staff_sessions')
    .values({
      token_digest: digest,
      id,
      staff_id: staffId,
      created_at: now,
      seen_at: now,
      ends_at: now + MAX_SESSION_MS,
      confirmed_at: now,
      agent: cleanAgent(agent),
    })
    .execute()
  setAuditSession(trx, id)
  return token
}

const isLiveSql = (now: Millis) => sql<boolean>`(ends_at > ${now} and seen_at > ${now - IDLE})`

async function sweepSessions(trx: ControlTrx, now: Millis): Promise<void> {
  await trx
    .deleteFrom('staff_sessions')
    .where(sql<boolean>`not ${isLiveSql(now)}`)
    .execute()
}

/** Leaves room for one more session of a member. */
async function endOldestSessions(trx: ControlTrx, staffId: string): Promise<void> {
  const newest = trx
    .selectFrom('staff_sessions')
    .select('id')
    .where('staff_id', '=', staffId)
    .orderBy('seen_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_SESSIONS - 1)
  await trx
    .deleteFrom('staff_sessions')
    .where('staff_id', '=', staffId)
    .where('id', 'not in', newest)
    .execute()
}

/** Finds a live session and its member in one query, so that disabling a member or changing a role takes
 * effect with the next request, in every process. */
export async function findSession(
  control: ControlDatabase,
  token: string,
  now: Millis,
): Promise<SignedInStaff | undefined> {
  const digest = digestOf(token)
  const row = await control.read
    .selectFrom('staff_sessions as session')
    .innerJoin('staff', 'staff.id', 'session.staff_id')
    .selectAll('staff')
    .select(['session.id as session_id', 'session.seen_at', 'session.confirmed_at'])
    .where('session.token_digest', '=', digest)
    .where(isLiveSql(now))
    .where('staff.disabled_at', 'is', null)
    .executeTakeFirst()
  if (!row) return undefined
  if (row.seen_at <= now - NOTED_EVERY) await noteSeen(control, digest, now)
  return {
    sessionId: row.session_id,
    staff: toStaffMember(row),
    confirmedAt: row.confirmed_at,
  }
}

/** Whether the member has proved who they are within the last minutes. */
export const isConfirmed = ({ confirmedAt }: Pick<SignedInStaff, 'confirmedAt'>, now: Millis) =>
  confirmedAt > now - CONFIRMED_FOR

interface SessionKey {
  staffId: string
  sessionId: string
}

/** Replaces the token of a session, which may be known to others, by a new one. Throws if the session has ended. */
export async function renewSession(
  trx: ControlTrx,
  { staffId, sessionId }: SessionKey,
  more: { confirmed_at?: Millis } = {},
): Promise<string> {
  const { token, digest } = newToken()
  const session = { staff_id: staffId, id: sessionId }
  const change = { token_digest: digest, ...more }
  const changed = await updateRows(trx, 'staff_sessions', session, change)
  if (changed === 0) throw fail('not_signed_in')
  return token
}

/** Notes that the member of a session has just proved who they are. Returns a new token, as a sign-in does. */
export const confirmSession = (trx: ControlTrx, key: SessionKey, now: Millis): Promise<string> =>
  renewSession(trx, key, { confirmed_at: now })

async function noteSeen(control: ControlDatabase, digest: string, now: Millis): Promise<void> {
  await control.write(async (trx) => {
    await updateRows(trx, 'staff_sessions', { token_digest: digest }, { seen_at: now })
  })
}

export interface ListedSession {
  id: string
  created_at: Millis
  seen_at: Millis
  ends_at: Millis
  agent: string
}

/** Lists the live sessions of a member, the latest seen first. */
export async function listSessions(
  db: ControlDb,
  staffId: string,
  now: Millis,
): Promise<ListedSession[]> {
  const live = db
    .selectFrom('staff_sessions')
    .select(['id', 'created_at', 'seen_at', 'ends_at', 'agent'])
    .where('staff_id', '=', staffId)
    .where(isLiveSql(now))
  return await live.orderBy('seen_at', 'desc').orderBy('id').execute()
}

/** Ends the session of a browser that signs in again. */
export async function endSessionOf(control: ControlDatabase, token: string): Promise<void> {
  const session = { token_digest: digestOf(token) }
  if (await findRow(control.read, 'staff_sessions', session)) {
    await control.write((trx) => deleteRows(trx, 'staff_sessions', session))
  }
}

/** Throws if the session has ended since the request began. */
export async function requireSession(db: ControlDb, staffId: string, id: string): Promise<void> {
  requireFound(await findRow(db, 'staff_sessions', { staff_id: staffId, id }), 'not_signed_in')
}

/** Ends one of the member's own sessions. */
export async function endSession(trx: ControlTrx, staffId: string, id: string): Promise<void> {
  const ended = await deleteRows(trx, 'staff_sessions', { staff_id: staffId, id })
  if (ended === 0) throw fail('session_not_found')
}

/** Ends all sessions of a member except `spared`. Returns how many. */
export async function endSessions(trx: ControlTrx, staffId: string, spared = ''): Promise<number> {
  return await countAffected(
    trx.deleteFrom('staff_sessions').where('staff_id', '=', staffId).where('id', '<>', spared),
  )
}
