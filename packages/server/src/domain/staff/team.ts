import type { Millis } from '../../db/tables.ts'
import { type ControlDb, type Role, type StaffMember, toStaffMember } from './staff.ts'

export interface ListedMember extends StaffMember {
  created_at: Millis
  disabled_at: Millis | null
  seen_at: Millis | null
  has_password: boolean
  passkeys: number
}

/** Lists all staff, including disabled members. */
export async function listStaff(db: ControlDb): Promise<ListedMember[]> {
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
  const keys = await db
    .selectFrom('staff_passkeys')
    .select((eb) => ['staff_id', eb.fn.countAll<number>().as('n')])
    .groupBy('staff_id')
    .execute()
  const seenAt = new Map(seen.map((one) => [one.staff_id, one.seen_at]))
  const passkeys = new Map(keys.map((one) => [one.staff_id, Number(one.n)]))
  return rows.map((row) => ({
    ...toStaffMember(row),
    created_at: row.created_at,
    disabled_at: row.disabled_at,
    seen_at: seenAt.get(row.id) ?? null,
    has_password: row.password !== null,
    passkeys: passkeys.get(row.id) ?? 0,
  }))
}

export interface OpenInvitation {
  email: string
  role: Role
  ends_at: Millis
}

export async function listInvitations(db: ControlDb, now: Millis): Promise<OpenInvitation[]> {
  const rows = await db
    .selectFrom('staff_links')
    .select(['email', 'role', 'ends_at'])
    .where('kind', '=', 'invite')
    .where('used_at', 'is', null)
    .where('ends_at', '>', now)
    .orderBy('created_at')
    .execute()
  return rows.map(({ email, ...rest }) => ({ email: email ?? '', ...rest }))
}
