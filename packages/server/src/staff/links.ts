import type { ControlDatabase } from '../db/database.ts'
import type { Millis, StaffLinkTable } from '../db/tables.ts'
import { fail } from '../errors.ts'
import { emailKey } from '../users/email.ts'
import { requireEmail, requireName } from './fields.ts'
import { hashPassword, requireGoodPassword } from './passwords.ts'
import { beginSession, endSessions } from './sessions.ts'
import {
  addStaff,
  type ControlDb,
  type ControlTrx,
  findStaffByEmail,
  getStaff,
  hasStaff,
  isOwner,
  lockStaff,
  memberOf,
  type Role,
  type StaffMember,
  storePassword,
} from './staff.ts'
import { digestOf, newToken } from './tokens.ts'
import { unlockAccount } from './tries.ts'

export type LinkKind = StaffLinkTable['kind']

const DAY: Millis = 86_400_000
const LIVES: Record<LinkKind, Millis> = { setup: DAY, invite: 7 * DAY, reset: DAY }

/** The token is told to whoever asked for the link, and kept nowhere. */
export interface MadeLink {
  kind: LinkKind
  token: string
  ends_at: Millis
}

type Wish = Pick<StaffLinkTable, 'kind' | 'email' | 'role' | 'staff_id' | 'made_by'>

async function addLink(trx: ControlTrx, wish: Wish, now: Millis): Promise<MadeLink> {
  await trx
    .deleteFrom('staff_links')
    .where('ends_at', '<=', now - 30 * DAY)
    .execute()
  const { token, digest } = newToken()
  const ends_at = now + LIVES[wish.kind]
  await trx
    .insertInto('staff_links')
    .values({
      ...wish,
      token_digest: digest,
      email_key: wish.email === null ? null : emailKey(wish.email),
      created_at: now,
      ends_at,
      used_at: null,
    })
    .execute()
  return { kind: wish.kind, token, ends_at }
}

/** For the first owner; undefined once there is anybody. */
export async function makeSetupLink(
  control: ControlDatabase,
  now: Millis,
): Promise<MadeLink | undefined> {
  if (await hasStaff(control.read)) return undefined
  const wish: Wish = {
    ...{ kind: 'setup', email: null, role: 'owner', staff_id: null, made_by: null },
  }
  return await control.write((trx) => addLink(trx, wish, now))
}

interface Invitation {
  email: string
  role: Role
  /** Undefined for the command line. */
  by: StaffMember | undefined
}

/** Takes the place of an earlier one to the same address. Good for as long as who made it is an owner. */
export async function invite(
  trx: ControlTrx,
  { email: typed, role, by }: Invitation,
  now: Millis,
): Promise<MadeLink> {
  const email = requireEmail(typed)
  await lockStaff(trx)
  await requireOwnerStill(trx, by)
  if (await findStaffByEmail(trx, email)) throw fail('staff_exists')
  await removeInvitation(trx, email)
  const wish = { kind: 'invite' as const, email, role, staff_id: null, made_by: by?.id ?? null }
  return await addLink(trx, wish, now)
}

/** A body may come slowly: whoever was disabled meanwhile makes no link any more. */
async function requireOwnerStill(trx: ControlTrx, by: StaffMember | undefined): Promise<void> {
  if (by && !isOwner(await getStaff(trx, by.id))) throw fail('not_allowed')
}

/** The link that was sent leads nowhere from now on. */
export async function withdrawInvitation(trx: ControlTrx, typed: string): Promise<void> {
  await lockStaff(trx)
  if (!(await removeInvitation(trx, requireEmail(typed)))) throw fail('invitation_not_found')
}

async function removeInvitation(trx: ControlTrx, email: string): Promise<boolean> {
  const removed = await trx
    .deleteFrom('staff_links')
    .where('kind', '=', 'invite')
    .where('email_key', '=', emailKey(email))
    .where('used_at', 'is', null)
    .returning('token_digest')
    .execute()
  return removed.length > 0
}

/** Lets a member choose a new password; the old one goes on until then. Ends with the owner who made it,
 * as an invitation does. */
export async function makeResetLink(
  trx: ControlTrx,
  staffId: string,
  by: StaffMember | undefined,
  now: Millis,
): Promise<MadeLink> {
  await lockStaff(trx)
  await requireOwnerStill(trx, by)
  const { email, role, disabled_at } = await getStaff(trx, staffId)
  if (disabled_at !== null) throw fail('staff_not_found', 'This member is disabled.')
  await trx
    .deleteFrom('staff_links')
    .where('staff_id', '=', staffId)
    .where('used_at', 'is', null)
    .execute()
  await unlockAccount(trx, email)
  return await addLink(
    trx,
    { kind: 'reset', email, role, staff_id: staffId, made_by: by?.id ?? null },
    now,
  )
}

/** What a link is good for. Only who has it learns anything of it. */
export async function getLink(db: ControlDb, token: string, now: Millis) {
  const row = await db
    .selectFrom('staff_links')
    .selectAll()
    .where('token_digest', '=', digestOf(token))
    .executeTakeFirst()
  if (!row) throw fail('link_invalid')
  if (row.used_at !== null) throw fail('link_used')
  if (row.ends_at <= now) throw fail('link_expired')
  if (row.kind === 'setup' && (await hasStaff(db))) throw fail('link_used')
  const name = row.staff_id === null ? '' : (await getStaff(db, row.staff_id)).name
  return { ...row, name }
}

export interface LinkUse {
  token: string
  /** For a set-up link, which has none. */
  email: string | undefined
  name: string
  password: string
  agent: string
}

export interface Arrived {
  kind: LinkKind
  staff: StaffMember
  /** Of the session that begins. */
  token: string
}

/** Makes the member, or sets the password, and signs in: once. */
export async function spendLink(
  control: ControlDatabase,
  use: LinkUse,
  now: Millis,
): Promise<Arrived> {
  const seen = await getLink(control.read, use.token, now)
  const email = seen.email ?? requireEmail(use.email ?? '')
  const name = requireName(use.name)
  requireGoodPassword('password', use.password, email)
  const password = await hashPassword(use.password)
  return await control.write(async (trx) => {
    await lockStaff(trx)
    const { kind, role, staff_id, token_digest } = await getLink(trx, use.token, now)
    const staff =
      staff_id === null
        ? await addStaff(trx, { email, name, role, password }, now)
        : await resetPassword(trx, staff_id, password)
    await trx
      .updateTable('staff_links')
      .set({ used_at: now })
      .where('token_digest', '=', token_digest)
      .execute()
    return { kind, staff, token: await beginSession(trx, staff.id, use.agent, now) }
  })
}

/** Whoever was signed in with the old one is not any more, nor gets in by a passkey: one that a thief has
 * added would outlive what was done against him. */
async function resetPassword(
  trx: ControlTrx,
  staffId: string,
  password: string,
): Promise<StaffMember> {
  await storePassword(trx, staffId, password)
  await endSessions(trx, staffId)
  await trx.deleteFrom('staff_passkeys').where('staff_id', '=', staffId).execute()
  return memberOf(await getStaff(trx, staffId))
}
