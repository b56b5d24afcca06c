import type { MailStatus, Millis } from '../../db/tables.ts'
import {
  type PasskeyHosts,
  type PasskeyOnly,
  passkeyOnlyOf,
  readPasskeyPolicy,
  selectPasskeysOf,
} from './passkey-only.ts'
import { type ControlDb, type Role, type StaffMember, toStaffMember } from './staff.ts'

export interface ListedMember extends StaffMember {
  created_at: Millis
  disabled_at: Millis | null
  seen_at: Millis | null
  has_password: boolean
  passkeys: number
  /** How many of them work where the dashboard is used. */
  usable_passkeys: number
  passkey_only: PasskeyOnly
}

/** Lists all staff, including disabled members, as it is where the dashboard has these hosts. */
export async function listStaff(db: ControlDb, hosts: PasskeyHosts): Promise<ListedMember[]> {
  const rows = await db
    .selectFrom('staff')
    .selectAll()
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const seen = await db
    .selectFrom('staff_sessions')
    .select((eb) => ['staff_id', eb.fn.max('seen_at').as('seen_at')])
    .groupBy('staff_id')
    .execute()
  const seenAt = new Map(seen.map((one) => [one.staff_id, one.seen_at]))
  const [passkeys, usable] = [
    await countPasskeysByMember(db, undefined),
    await countPasskeysByMember(db, hosts),
  ]
  const policy = await readPasskeyPolicy(db)
  return rows.map((row) => ({
    ...toStaffMember(row),
    created_at: row.created_at,
    disabled_at: row.disabled_at,
    seen_at: seenAt.get(row.id) ?? null,
    has_password: row.password !== null,
    passkeys: passkeys.get(row.id) ?? 0,
    usable_passkeys: usable.get(row.id) ?? 0,
    passkey_only: passkeyOnlyOf(row, usable.get(row.id) ?? 0, policy),
  }))
}

/** How many passkeys that count at these hosts each member has. */
export async function countPasskeysByMember(
  db: ControlDb,
  hosts: PasskeyHosts,
): Promise<Map<string, number>> {
  const counts = await selectPasskeysOf(db, hosts)
    .select((eb) => ['staff_id', eb.fn.countAll<number>().as('n')])
    .groupBy('staff_id')
    .execute()
  return new Map(counts.map((one) => [one.staff_id, Number(one.n)]))
}

export interface OpenInvitation {
  email: string
  role: Role
  ends_at: Millis
  /** The state of the email with the link; null if none was sent. */
  mail: { status: 'queued' | 'sent' | 'failed' | 'kept'; sent_at: Millis | null } | null
}

type ShownStatus = NonNullable<OpenInvitation['mail']>['status']

const SHOWN_STATUS: Record<MailStatus, ShownStatus> = {
  ...{ queued: 'queued', sending: 'queued', sent: 'sent', dead: 'failed', kept: 'kept' },
}

export async function listInvitations(db: ControlDb, now: Millis): Promise<OpenInvitation[]> {
  const rows = await db
    .selectFrom('staff_links as l')
    .leftJoin('staff_mails as m', 'm.link_digest', 'l.token_digest')
    .select(['l.email', 'l.role', 'l.ends_at', 'm.status', 'm.sent_at'])
    .where('l.kind', '=', 'invite')
    .where('l.used_at', 'is', null)
    .where('l.ends_at', '>', now)
    .orderBy('l.created_at')
    .execute()
  return rows.map(({ email, status, sent_at, ...rest }) => ({
    email: email ?? '',
    ...rest,
    mail: status === null ? null : { status: SHOWN_STATUS[status], sent_at },
  }))
}
