import type { ControlDatabase } from '../db/database.ts'
import type { Millis } from '../db/tables.ts'
import { Failure, fail } from '../errors.ts'
import type { Devices } from './devices.ts'
import { type Asker, hashPassword, isPassword, requireGoodPassword } from './passwords.ts'
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
import {
  confirmationSubject,
  countTries,
  forgiveTries,
  strangerSubjects,
  takeBackTries,
} from './tries.ts'

export interface Attempt {
  email: string
  password: string
  /** As `addressSubject` names it; undefined where it tells nobody from another. */
  address: string | undefined
  /** The cookie by which the browser is recognized; empty if it has none. */
  device: string
  agent: string
}

/** What is counted of one password, and who asks for it to be checked. */
interface Tried {
  subjects: readonly string[]
  asker: Asker
}

/** `token` is of the session that begins; undefined where nobody is let in. */
export interface SignInResult {
  staff: StaffMember | undefined
  token: string | undefined
}

/** Unknown, wrong and disabled are one: the same answer after the same work. */
export async function signIn(
  control: ControlDatabase,
  devices: Devices,
  attempt: Attempt,
  now: Millis,
): Promise<SignInResult> {
  const email = attempt.email.trim()
  const row = await findStaffByEmail(control.read, email)
  const device = devices.subjectOf(attempt.device, row?.id)
  const tried: Tried = device
    ? { subjects: [device], asker: 'known' }
    : { subjects: strangerSubjects(email, attempt.address), asker: 'stranger' }
  await countTries(control, tried.subjects, now)
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
    return await isPassword(hash, password, tried.asker)
  } catch (error) {
    if (error instanceof Failure && error.code === 'overloaded') {
      await control.write((trx) => takeBackTries(trx, tried.subjects, now))
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
    await forgiveTries(trx, tried.subjects, now)
    return await beginSession(trx, seen.id, agent, now)
  })
}

interface Confirmation {
  /** What the form calls it. */
  field: string
  password: string
}

/** Who has a session may not be who signed in: what lets somebody in for good asks for the password again.
 * Returns the hash that it fits. */
export async function confirmPassword(
  control: ControlDatabase,
  staffId: string,
  { field, password }: Confirmation,
  now: Millis,
): Promise<string | null> {
  const { password: hash } = await getStaff(control.read, staffId)
  const tried: Tried = { subjects: [confirmationSubject(staffId)], asker: 'known' }
  await countTries(control, tried.subjects, now)
  const isRight = await isRightTry(control, tried, { hash, password }, now)
  if (!isRight) throw wrongPassword(field)
  await control.write((trx) => forgiveTries(trx, tried.subjects, now))
  return hash
}

export interface PasswordChange {
  staffId: string
  /** The session that asks, which goes on. */
  sessionId: string
  current: string
  next: string
}

/** Ends all other sessions: who changes a password may have a reason to. */
export async function changePassword(
  control: ControlDatabase,
  change: PasswordChange,
  now: Millis,
): Promise<void> {
  const { staffId, sessionId, current, next } = change
  requireGoodPassword('next', next, (await getStaff(control.read, staffId)).email)
  const typed = { field: 'current', password: current }
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
