import type { ControlDatabase } from '../../db/database.ts'
import type { Millis } from '../../db/tables.ts'
import { Failure, fail, invalid } from '../../errors.ts'
import { recordAudit } from './audit.ts'
import type { Devices } from './devices.ts'
import {
  confirmationSubject,
  countAttempts,
  forgiveAttempts,
  strangerSubjects,
  uncountAttempts,
} from './login-throttle.ts'
import { isPasskeyOnly, type PasskeyHosts } from './passkey-only.ts'
import {
  type CallerTrust,
  hashPassword,
  isCorrectPassword,
  renewedHash,
  requireGoodPassword,
} from './passwords.ts'
import { enqueueSecurityMail } from './security-mails.ts'
import {
  beginSession,
  confirmSession,
  endSessions,
  renewSession,
  type SignedInStaff,
} from './sessions.ts'
import {
  type ControlDb,
  findStaffByEmail,
  getStaff,
  lockStaff,
  type StaffMember,
  type StaffRow,
  storePassword,
  toStaffMember,
} from './staff.ts'

export interface SignInAttempt {
  email: string
  password: string
  /** As returned by `addressSubject`; undefined if all clients share one address. */
  address: string | undefined
  /** The cookie that identifies the browser; empty if there is none. */
  device: string
  agent: string
  /** The hosts whose passkeys count. */
  hosts: PasskeyHosts
}

/** The subjects one password attempt counts for, and who is asking. */
interface CountedAttempt {
  subjects: readonly string[]
  asker: CallerTrust
}

/** `token` belongs to the new session; undefined if the sign-in failed. */
export interface SignInResult {
  staff: StaffMember | undefined
  token: string | undefined
  /** The password is right, but this member needs a passkey. */
  isPasskeyRequired?: boolean
}

/** Unknown accounts, wrong passwords and disabled members get the same response after the same work. */
export async function signIn(
  control: ControlDatabase,
  devices: Devices,
  attempt: SignInAttempt,
  now: Millis,
): Promise<SignInResult> {
  const email = attempt.email.trim()
  const row = await findStaffByEmail(control.read, email)
  const device = devices.subjectOf(attempt.device, row?.id)
  const tried: CountedAttempt = device
    ? { subjects: [device], asker: 'known' }
    : { subjects: strangerSubjects(email, attempt.address), asker: 'stranger' }
  await countAttempts(control, tried.subjects, now)
  return await checkAndLetIn(control, row, attempt, tried, now)
}

async function checkAndLetIn(
  control: ControlDatabase,
  row: StaffRow | undefined,
  attempt: SignInAttempt,
  tried: CountedAttempt,
  now: Millis,
): Promise<SignInResult> {
  const { password, agent, hosts } = attempt
  const staff = row && toStaffMember(row)
  const isRight = await isRightTry(control, tried, { hash: row?.password ?? null, password }, now)
  if (!row || !isRight || row.disabled_at !== null) return { staff, token: undefined }
  const renewed = await renewedHash(row.password, password)
  const result = await letIn(control, row, { agent, hosts, renewed }, tried, now)
  if (result) return { staff, ...result }
  return await checkAndLetIn(control, await getStaff(control.read, row.id), attempt, tried, now)
}

/** An overload must not lock anyone out, so an attempt that was never checked does not count. */
async function isRightTry(
  control: ControlDatabase,
  tried: CountedAttempt,
  { hash, password }: { hash: string | null; password: string },
  now: Millis,
): Promise<boolean> {
  try {
    return await isCorrectPassword(hash, password, tried.asker)
  } catch (error) {
    if (error instanceof Failure && error.code === 'overloaded') {
      await control.write((trx) => uncountAttempts(trx, tried.subjects, now))
    }
    throw error
  }
}

/** Returns undefined if the password has changed or the member been disabled during the check: it has to be made again. */
async function letIn(
  control: ControlDatabase,
  seen: StaffRow,
  {
    agent,
    hosts,
    renewed,
  }: Pick<SignInAttempt, 'agent' | 'hosts'> & { renewed: string | undefined },
  tried: CountedAttempt,
  now: Millis,
): Promise<Pick<SignInResult, 'token' | 'isPasskeyRequired'> | undefined> {
  return await control.write(async (trx) => {
    await lockStaff(trx)
    const { password, disabled_at } = await getStaff(trx, seen.id)
    if (password !== seen.password || disabled_at !== null) return undefined
    await forgiveAttempts(trx, tried.subjects, now)
    if (renewed !== undefined) await storePassword(trx, seen.id, renewed)
    if (await isPasskeyOnly(trx, seen.id, hosts))
      return { token: undefined, isPasskeyRequired: true }
    const token = await beginSession(trx, seen.id, agent, now)
    await recordAudit(trx, { staff: toStaffMember(seen), action: 'session.begin' }, 'done', now)
    return { token }
  })
}

/** Confirms a session with the password: someone else may be using it, so actions that give lasting access ask again.
 * Returns a new token for the session. */
export async function confirmWithPassword(
  control: ControlDatabase,
  { staff: { id: staffId }, sessionId }: SignedInStaff,
  { password, hosts }: Pick<SignInAttempt, 'password' | 'hosts'>,
  now: Millis,
): Promise<string> {
  const requirePasswordEnough = async (db: ControlDb) => {
    if (await isPasskeyOnly(db, staffId, hosts)) throw fail('passkey_required', CONFIRM_BY_PASSKEY)
  }
  await requirePasswordEnough(control.read)
  await requirePassword(control, staffId, { field: 'password', password }, now)
  return await control.write(async (trx) => {
    await lockStaff(trx)
    await requirePasswordEnough(trx)
    return await confirmSession(trx, { staffId, sessionId }, now)
  })
}

const CONFIRM_BY_PASSKEY = 'Confirm with your passkey: your password alone is not enough.'

interface TypedPassword {
  /** The field's name in the form. */
  field: string
  password: string
}

/** Throws if it is not the member's password. Returns the matching hash. */
async function requirePassword(
  control: ControlDatabase,
  staffId: string,
  { field, password }: TypedPassword,
  now: Millis,
): Promise<string | null> {
  const { password: hash } = await getStaff(control.read, staffId)
  const tried: CountedAttempt = { subjects: [confirmationSubject(staffId)], asker: 'known' }
  await countAttempts(control, tried.subjects, now)
  const isRight = await isRightTry(control, tried, { hash, password }, now)
  if (!isRight) throw wrongPassword(field)
  await control.write((trx) => forgiveAttempts(trx, tried.subjects, now))
  return hash
}

export interface PasswordChange {
  staffId: string
  /** The calling session, which stays open. */
  sessionId: string
  current: string
  next: string
  /** Words that the password must not consist of, besides the member's own. */
  context: readonly string[]
  hosts: PasskeyHosts
}

/** Ends all other sessions, because the old password may have been stolen. Returns a new token for the calling session. */
export async function changePassword(
  control: ControlDatabase,
  change: PasswordChange,
  now: Millis,
): Promise<string> {
  const { staffId, sessionId, current, next, hosts } = change
  const { email, name } = await getStaff(control.read, staffId)
  const context = [...change.context, name]
  await requireGoodPassword({ field: 'next', password: next, email, context })
  const typed = { field: 'current', password: current }
  const known = await requirePassword(control, staffId, typed, now)
  const hash = await hashPassword(next)
  return await control.write(async (trx) => {
    await lockStaff(trx)
    // The member may have reset it in the meantime.
    if ((await getStaff(trx, staffId)).password !== known) throw wrongPassword('current')
    await storePassword(trx, staffId, hash)
    await endSessions(trx, staffId, sessionId)
    await enqueueSecurityMail(trx, staffId, 'password_changed', now)
    const session = { staffId, sessionId }
    // Otherwise a password would confirm what only a passkey may.
    if (await isPasskeyOnly(trx, staffId, hosts)) return await renewSession(trx, session)
    return await confirmSession(trx, session, now)
  })
}

const wrongPassword = (field: string) => invalid(field, 'not your current password')
