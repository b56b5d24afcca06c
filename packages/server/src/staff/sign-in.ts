import type { ControlDatabase } from '../db/database.ts'
import type { Millis } from '../db/tables.ts'
import { fail } from '../errors.ts'
import { hashPassword, isPassword, requireGoodPassword } from './passwords.ts'
import { beginSession, endSessions, requireSession } from './sessions.ts'
import {
  findStaffByEmail,
  getStaff,
  lockStaff,
  memberOf,
  type StaffMember,
  type StaffRow,
  storePassword,
} from './staff.ts'
import { accountSubject, countTries, forgiveTries, type Tried } from './tries.ts'

export interface Attempt {
  email: string
  password: string
  /** As `addressSubject` names it; undefined where it tells nobody from another. */
  address: string | undefined
  agent: string
}

/** `token` is of the session that begins; undefined where nobody is let in. */
export interface SignInResult {
  staff: StaffMember | undefined
  token: string | undefined
}

/** Unknown, wrong and disabled are one: the same answer after the same work. */
export async function signIn(
  control: ControlDatabase,
  attempt: Attempt,
  now: Millis,
): Promise<SignInResult> {
  const email = attempt.email.trim()
  const tried = { account: accountSubject(email), address: attempt.address }
  await countTries(control, tried, now)
  const row = await findStaffByEmail(control.read, email)
  const isRight = await isPassword(row?.password ?? null, attempt.password)
  const staff = row && memberOf(row)
  if (!row || !isRight || row.disabled_at !== null) return { staff, token: undefined }
  const token = await letIn(control, row, attempt.agent, now, tried)
  return { staff, token }
}

/** Looks again: the password may have been changed, or the member disabled, while it was checked. */
async function letIn(
  control: ControlDatabase,
  seen: StaffRow,
  agent: string,
  now: Millis,
  tried: Tried,
): Promise<string | undefined> {
  return await control.write(async (trx) => {
    await lockStaff(trx)
    const { password, disabled_at } = await getStaff(trx, seen.id)
    if (password !== seen.password || disabled_at !== null) return undefined
    await forgiveTries(trx, tried)
    return await beginSession(trx, seen.id, agent, now)
  })
}

interface Confirmation {
  /** What the form calls it. */
  field: string
  password: string
  address: string | undefined
}

/** Who has a session may not be who signed in: what lets somebody in for good asks for the password again.
 * Returns the hash that it fits. */
export async function confirmPassword(
  control: ControlDatabase,
  staffId: string,
  { field, password, address }: Confirmation,
  now: Millis,
): Promise<string | null> {
  const { email, password: hash } = await getStaff(control.read, staffId)
  const tried = { account: accountSubject(email), address }
  await countTries(control, tried, now)
  if (!(await isPassword(hash, password))) throw wrongPassword(field)
  await control.write((trx) => forgiveTries(trx, tried))
  return hash
}

export interface PasswordChange {
  staffId: string
  /** The session that asks, which goes on. */
  sessionId: string
  current: string
  next: string
  address: string | undefined
}

/** Ends all other sessions: who changes a password may have a reason to. */
export async function changePassword(
  control: ControlDatabase,
  change: PasswordChange,
  now: Millis,
): Promise<void> {
  const { staffId, sessionId, current, next, address } = change
  requireGoodPassword('next', next, (await getStaff(control.read, staffId)).email)
  const typed = { field: 'current', password: current, address }
  const known = await confirmPassword(control, staffId, typed, now)
  const hash = await hashPassword(next)
  await control.write(async (trx) => {
    await lockStaff(trx)
    // It may have been reset meanwhile, by somebody whose account it is.
    if ((await getStaff(trx, staffId)).password !== known) throw wrongPassword('current')
    await requireSession(trx, staffId, sessionId)
    await storePassword(trx, staffId, hash)
    await endSessions(trx, staffId, sessionId)
  })
}

const wrongPassword = (field: string) =>
  fail('invalid_parameter', `${field}: is not your password.`)
