import type { Selectable } from 'kysely'
import type { ControlDatabase } from '../../db/database.ts'
import { deleteRows, updateRows } from '../../db/queries/rows.ts'
import type { Millis, StaffLinkTable } from '../../db/tables.ts'
import { fail } from '../../errors.ts'
import { newId } from '../../ids.ts'
import { emailKey } from '../users/email.ts'
import { recordAudit } from './audit.ts'
import { requireEmail, requireName } from './fields.ts'
import { getStaffLink } from './find-link.ts'
import { unlockAccount } from './login-throttle.ts'
import { enqueueStaffMails, tokenOfMail } from './mails.ts'
import { removeAllPasskeys } from './own-passkeys.ts'
import type { PasskeyHosts } from './passkey-only.ts'
import { consumePasskeyUse, type PasskeyAttempt, type Site, verifyPasskey } from './passkeys.ts'
import { hashPassword, requireGoodPassword } from './passwords.ts'
import { enqueueSecurityMail } from './security-mails.ts'
import { beginSession, endSessions } from './sessions.ts'
import {
  addStaff,
  type ControlTrx,
  findStaffByEmail,
  getStaff,
  hasStaff,
  isOwner,
  lockStaff,
  type Role,
  type StaffMember,
  storePassword,
  toStaffMember,
} from './staff.ts'
import { digestOf, newToken } from './tokens.ts'

export type LinkKind = StaffLinkTable['kind']

const DAY: Millis = 86_400_000
const LIVES: Record<LinkKind, Millis> = { setup: DAY, invite: 7 * DAY, reset: DAY }

/** The token is returned to the caller; only its digest is stored. */
export interface NewStaffLink {
  kind: LinkKind
  token: string
  ends_at: Millis
}

type LinkRow = Selectable<StaffLinkTable>
type LinkDetails = Pick<LinkRow, 'kind' | 'email' | 'role' | 'staff_id' | 'made_by'> &
  Partial<Pick<LinkRow, 'asked_for'>>

/** With this secret, a link is mailed as well. Undefined if nothing can be sent. */
type MailSecret = Buffer | undefined

async function addLink(
  trx: ControlTrx,
  input: LinkDetails,
  now: Millis,
  mailSecret?: MailSecret,
): Promise<NewStaffLink> {
  const { kind } = input
  if (kind === 'setup' || mailSecret === undefined) {
    const { token, digest } = newToken()
    return { kind, token, ends_at: await storeNewLink(trx, input, digest, now) }
  }
  const id = newId()
  const token = tokenOfMail(mailSecret, id)
  const link_digest = digestOf(token)
  const ends_at = await storeNewLink(trx, input, link_digest, now)
  const { staff_id } = input
  await enqueueStaffMails(trx, [{ id, key: `link:${id}`, kind, staff_id, link_digest }], now)
  return { kind, token, ends_at }
}

const storeNewLink = (trx: ControlTrx, input: LinkDetails, token_digest: string, now: Millis) =>
  storeLink(trx, input, { token_digest, created_at: now, ends_at: now + LIVES[input.kind] }, now)

/** Returns when the link ends. */
export async function storeLink(
  trx: ControlTrx,
  input: LinkDetails,
  link: Pick<LinkRow, 'token_digest' | 'created_at' | 'ends_at'>,
  now: Millis,
): Promise<Millis> {
  await trx
    .deleteFrom('staff_links')
    .where('ends_at', '<=', now - 30 * DAY)
    .execute()
  const email_key = input.email === null ? null : emailKey(input.email)
  await trx
    .insertInto('staff_links')
    .values({ ...input, ...link, email_key, used_at: null })
    .execute()
  return link.ends_at
}

/** Creates the link for the first owner, and makes earlier ones void. Returns undefined once any staff exists. `publish` runs
 * before another process can make a newer one, and may run again. */
export async function createSetupLink(
  control: ControlDatabase,
  now: Millis,
  publish: (link: NewStaffLink) => void = () => {},
): Promise<NewStaffLink | undefined> {
  if (await hasStaff(control.read)) return undefined
  const input: LinkDetails = {
    ...{ kind: 'setup', email: null, role: 'owner', staff_id: null, made_by: null },
  }
  return await control.write(async (trx) => {
    await lockStaff(trx)
    await deleteRows(trx, 'staff_links', { kind: 'setup', used_at: null })
    const link = await addLink(trx, input, now)
    publish(link)
    return link
  })
}

interface Invitation {
  email: string
  role: Role
  /** Undefined for the command line. */
  by: StaffMember | undefined
}

/** Replaces an earlier invitation to the same email. Valid only while its creator is an owner. */
export async function createInvitation(
  trx: ControlTrx,
  { email: typed, role, by }: Invitation,
  now: Millis,
  mailSecret?: MailSecret,
): Promise<NewStaffLink> {
  const email = requireEmail(typed)
  await lockStaff(trx)
  await requireOwnerStill(trx, by)
  if (await findStaffByEmail(trx, email)) throw fail('staff_exists')
  await removeInvitation(trx, email)
  const input = { kind: 'invite' as const, email, role, staff_id: null, made_by: by?.id ?? null }
  return await addLink(trx, input, now, mailSecret)
}

/** The creator may have been disabled while the request body was arriving. */
async function requireOwnerStill(trx: ControlTrx, by: StaffMember | undefined): Promise<void> {
  if (by && !isOwner(await getStaff(trx, by.id))) throw fail('not_allowed')
}

/** Makes the link that was sent invalid. */
export async function withdrawInvitation(trx: ControlTrx, typed: string): Promise<void> {
  await lockStaff(trx)
  if (!(await removeInvitation(trx, requireEmail(typed)))) throw fail('invitation_not_found')
}

async function removeInvitation(trx: ControlTrx, email: string): Promise<boolean> {
  const invitation = { kind: 'invite', email_key: emailKey(email), used_at: null } as const
  return (await deleteRows(trx, 'staff_links', invitation)) > 0
}

/** Lets a member choose a new password; the old one stays valid until then. Like an invitation, the link is
 * valid only while its creator is an owner. */
export async function createResetLink(
  trx: ControlTrx,
  staffId: string,
  by: StaffMember | undefined,
  now: Millis,
  mailSecret?: MailSecret,
): Promise<NewStaffLink> {
  await lockStaff(trx)
  await requireOwnerStill(trx, by)
  const { email, role, disabled_at } = await getStaff(trx, staffId)
  if (disabled_at !== null) throw fail('staff_not_found', 'This member is disabled.')
  await deleteOpenLinks(trx, staffId)
  await unlockAccount(trx, email)
  return await addLink(
    trx,
    { kind: 'reset', email, role, staff_id: staffId, made_by: by?.id ?? null },
    now,
    mailSecret,
  )
}

async function deleteOpenLinks(trx: ControlTrx, staffId: string): Promise<void> {
  await deleteRows(trx, 'staff_links', { staff_id: staffId, used_at: null })
}

export interface LinkRedemption {
  token: string
  /** Only for a setup link, which contains no email. */
  email: string | undefined
  name: string
  password: string
  /** Words that the password must not consist of, besides the member's own. */
  context: readonly string[]
  agent: string
  /** The member's answer to a passkey challenge; undefined if none was given. */
  passkey: (PasskeyAttempt & { site: Site }) | undefined
  /** The hosts whose passkeys count where the link is used. */
  hosts: PasskeyHosts
}

export interface RedeemedLink {
  staff: StaffMember
  /** The token of the new session. */
  token: string
}

/** Creates the member or sets the password, and signs in. Works once per link. */
export async function redeemLink(
  control: ControlDatabase,
  use: LinkRedemption,
  now: Millis,
): Promise<RedeemedLink> {
  const seen = await getStaffLink(control.read, use.token, use.hosts, now)
  const email = seen.email ?? requireEmail(use.email ?? '')
  const name = requireName(use.name)
  const context = [...use.context, name]
  await requireGoodPassword({ field: 'password', password: use.password, email, context })
  const proof = seen.needsPasskey ? await verifyProof(control, use, now) : undefined
  const password = await hashPassword(use.password)
  return await control.write(async (trx) => {
    await lockStaff(trx)
    const link = await getStaffLink(trx, use.token, use.hosts, now)
    if (link.needsPasskey) await requireProof(trx, link.staff_id, proof, now)
    const { kind, role, staff_id, token_digest } = link
    // Before the reset, which makes the member's other links void.
    await updateRows(trx, 'staff_links', { token_digest }, { used_at: now })
    const staff =
      staff_id === null
        ? await addStaff(trx, { email, name, role, password }, now)
        : await resetPassword(trx, staff_id, { password, keepsPasskeys: link.asked_for === 1 }, now)
    const token = await beginSession(trx, staff.id, use.agent, now)
    await recordAudit(trx, { staff, action: 'link.use', details: { kind } }, 'done', now)
    return { staff, token }
  })
}

type Proof = Awaited<ReturnType<typeof verifyPasskey>>

async function verifyProof(
  control: ControlDatabase,
  { passkey }: LinkRedemption,
  now: Millis,
): Promise<Proof> {
  if (!passkey) throw fail('passkey_required', PASSKEY_TOO)
  return await verifyPasskey(control, passkey.site, passkey, now)
}

const PASSKEY_TOO = 'Use your passkey to set the new password.'

async function requireProof(
  trx: ControlTrx,
  staffId: string | null,
  proof: Proof | undefined,
  now: Millis,
): Promise<void> {
  // A passkey may have been added since the link was looked at.
  if (!proof) throw fail('passkey_required', PASSKEY_TOO)
  const { staff, used } = proof
  const isOwn = used !== undefined && staff?.id === staffId
  if (!isOwn || !(await consumePasskeyUse(trx, used, now))) throw fail('passkey_refused')
}

/** Ends all sessions. Passkeys are removed unless one of them has just been used: one added by an attacker would otherwise
 * survive the reset. */
async function resetPassword(
  trx: ControlTrx,
  staffId: string,
  { password, keepsPasskeys }: { password: string; keepsPasskeys: boolean },
  now: Millis,
): Promise<StaffMember> {
  await storePassword(trx, staffId, password)
  await endSessions(trx, staffId)
  await enqueueSecurityMail(trx, staffId, 'password_changed', now)
  if (!keepsPasskeys) await removeAllPasskeys(trx, staffId, now)
  await deleteOpenLinks(trx, staffId)
  return toStaffMember(await getStaff(trx, staffId))
}
