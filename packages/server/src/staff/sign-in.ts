import type { ControlDatabase } from '../db/database.ts'
import type { Millis } from '../db/tables.ts'
import { fail } from '../errors.ts'
import { hashPassword, isPassword, requireGoodPassword } from './passwords.ts'
import { beginSession, endSessions } from './sessions.ts'
import {
  findStaffByEmail,
  getStaff,
  lockStaff,
  memberOf,
  type StaffMember,
  type StaffRow,
  storePassword,
} from './staff.ts'
import { accountSubject, addressSubject, countTries, forgiveTries } from './tries.ts'

export interface Attempt {
  email: string
  password: string
  ip: string
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
  const [account, address] = [accountSubject(email), addressSubject(attempt.ip)]
  await countTries(control, [account, address], now)
  const row = await findStaffByEmail(control.read, email)
  const isRight = await isPassword(row?.password ?? null, attempt.password)
  const staff = row && memberOf(row)
  if (!row || !isRight || row.disabled_at !== null) return { staff, token: undefined }
  const token = await letIn(control, row, attempt.agent, now, { account, address })
  return { staff, token }
}

/** Looks again: the password may have been changed, or the member disabled, while it was checked. */
async function letIn(
  control: ControlDatabase,
  seen: StaffRow,
  agent: string,
  now: Millis,
  tries: { account: string; address: string },
): Promise<string | undefined> {
  return await control.write(async (trx) => {
    await lockStaff(trx)
    const { password, disabled_at } = await getStaff(trx, seen.id)
    if (password !== seen.password || disabled_at !== null) return undefined
    await forgiveTries(trx, tries)
    return await beginSession(trx, seen.id, agent, now)
  })
}

export interface PasswordChange {
  staffId: string
  /** The session that asks, which goes on. */
  sessionId: string
  current: string
  next: string
  ip: string
}

/** Ends all other sessions: who changes a password may have a reason to. */
export async function changePassword(
  control: ControlDatabase,
  change: PasswordChange,
  now: Millis,
): Promise<void> {
  const { email, password } = await getStaff(control.read, change.staffId)
  const [account, address] = [accountSubject(email), addressSubject(change.ip)]
  requireGoodPassword('next', change.next, email)
  await countTries(control, [account, address], now)
  if (!(await isPassword(password, change.current))) {
    throw fail('invalid_parameter', 'current: is not your password.')
  }
  const hash = await hashPassword(change.next)
  await control.write(async (trx) => {
    await lockStaff(trx)
    await forgiveTries(trx, { account, address })
    await storePassword(trx, change.staffId, hash)
    await endSessions(trx, change.staffId, change.sessionId)
  })
}
