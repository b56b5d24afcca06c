import type { ControlDatabase } from '../db/database.ts'
import type { Millis } from '../db/tables.ts'
import { Failure, fail } from '../errors.ts'
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
import { accountSubject, countTries, forgiveTries, type Tried, takeBackTries } from './tries.ts'

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
  const checked = { hash: row?.password ?? null, password: attempt.password }
  const isRight = await isRightTry(control, tried, checked, now)
  const staff = row && memberOf(row)
  if (!row || !isRight || row.disabled_at !== null) return { staff, token: undefined }
  const token = await letIn(control, row, attempt.agent, now, tried)
  return { staff, token }
}

/** A crowd that is sent away unheard must lock out nobody. Only what was never looked at is taken back. */
async function isRightTry(
  control: ControlDatabase,
  tried: Tried,
  { hash, password }: { hash: string | null; password: string },
  now: Millis,
): Promise<boolean> {
  try {
    return await isPassword(hash, password)
  } catch (error) {
    if (error instanceof Failure && error.code === 'overloaded') {
      await control.write((trx) => takeBackTries(trx, tried, now))
    }
    throw error
  }
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
  const isRight = await isRightTry(control, tried, { hash, password }, now)
  if (!isRight) throw wrongPassword(field)
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
