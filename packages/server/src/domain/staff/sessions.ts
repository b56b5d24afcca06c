import type { ControlDatabase } from '../../db/database.ts'
import { updateRows } from '../../db/queries/rows.ts'
import type { Millis } from '../../db/tables.ts'
import { fail } from '../../errors.ts'
import { newId } from '../../ids.ts'
import { type ControlDb, type ControlTrx, type StaffMember, toStaffMember } from './staff.ts'
import { digestOf, newToken } from './tokens.ts'

const HOUR: Millis = 3_600_000

/** A session ends after this long without a request. */
const IDLE: Millis = 24 * HOUR

/** Maximum lifetime of a session, however active it is. */
export const MAX_SESSION_MS: Millis = 14 * 24 * HOUR

/** Minimum time between two updates of `seen_at`, so that not every request causes a write. */
const NOTED_EVERY: Millis = 5 * 60_000

const MAX_AGENT = 300

export interface SignedInStaff {
  sessionId: string
  staff: StaffMember
}

/** Returns the token for the browser's cookie. */
export async function beginSession(
  trx: ControlTrx,
  staffId: string,
  agent: string,
  now: Millis,
): Promise<string> {
  await sweepSessions(trx, now)
  const { token, digest } = newToken()
  await trx
    .insertInto('staff_sessions')
    .values({
      token_digest: digest,
      id: newId(),
      staff_id: staffId,
      created_at: now,
      seen_at: now,
      ends_at: now + MAX_SESSION_MS,
      agent: agent.replace(/\p{Cc}+/gu, ' ').slice(0, MAX_AGENT),
    })
    .execute()
  return token
}

async function sweepSessions(trx: ControlTrx, now: Millis): Promise<void> {
  await trx
    .deleteFrom('staff_sessions')
    .where((eb) => eb.or([eb('ends_at', '<=', now), eb('seen_at', '<=', now - IDLE)]))
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
    .select(['session.id as session_id', 'session.seen_at'])
    .where('session.token_digest', '=', digest)
    .where('session.ends_at', '>', now)
    .where('session.seen_at', '>', now - IDLE)
    .where('staff.disabled_at', 'is', null)
    .executeTakeFirst()
  if (!row) return undefined
  if (row.seen_at <= now - NOTED_EVERY) await noteSeen(control, digest, now)
  return { sessionId: row.session_id, staff: toStaffMember(row) }
}

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

export async function listSessions(
  db: ControlDb,
  staffId: string,
  now: Millis,
): Promise<ListedSession[]> {
  return await db
    .selectFrom('staff_sessions')
    .select(['id', 'created_at', 'seen_at', 'ends_at', 'agent'])
    .where('staff_id', '=', staffId)
    .where('ends_at', '>', now)
    .where('seen_at', '>', now - IDLE)
    .orderBy('seen_at', 'desc')
    .orderBy('id')
    .execute()
}

/** Throws if the session has ended since the request began. */
export async function requireSession(db: ControlDb, staffId: string, id: string): Promise<void> {
  const row = await db
    .selectFrom('staff_sessions')
    .select('id')
    .where((eb) => eb.and({ staff_id: staffId, id }))
    .executeTakeFirst()
  if (!row) throw fail('not_signed_in')
}

/** Ends one of the member's own sessions. */
export async function endSession(trx: ControlTrx, staffId: string, id: string): Promise<void> {
  const ended = await trx
    .deleteFrom('staff_sessions')
    .where((eb) => eb.and({ staff_id: staffId, id }))
    .returning('id')
    .execute()
  if (ended.length === 0) throw fail('session_not_found')
}

/** Ends all sessions of a member except `spared`. Returns how many. */
export async function endSessions(trx: ControlTrx, staffId: string, spared = ''): Promise<number> {
  const ended = await trx
    .deleteFrom('staff_sessions')
    .where('staff_id', '=', staffId)
    .where('id', '<>', spared)
    .returning('id')
    .execute()
  return ended.length
}
