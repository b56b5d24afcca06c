import type { Selectable } from 'kysely'
import type { Db, Trx } from '../../db/database.ts'
import { setMeta } from '../../db/meta.ts'
import { deleteRows, findRow, updateRows } from '../../db/queries/rows.ts'
import type { ControlTables, Millis, StaffTable } from '../../db/tables.ts'
import { fail, requireFound } from '../../errors.ts'
import { newId } from '../../ids.ts'
import { emailKey } from '../users/email.ts'

/** The dashboard's routes define what each role may do. */
export type Role = 'owner' | 'developer' | 'support' | 'reader'

export interface StaffMember {
  id: string
  email: string
  name: string
  role: Role
}

export type ControlDb = Db<ControlTables>
export type ControlTrx = Trx<ControlTables>
export type StaffRow = Selectable<StaffTable>

export const toStaffMember = ({ id, email, name, role }: StaffRow): StaffMember => ({
  id,
  email,
  name,
  role,
})

/** The row that `lockStaff` writes. */
export const STAFF_LOCK = 'staff_lock'

/** Serializes changes of the staff until the transaction ends, so that each sees the result of the one
 * before, on both databases. */
export async function lockStaff(trx: ControlTrx): Promise<void> {
  await setMeta<ControlTables>(trx, STAFF_LOCK, String(Date.now()))
}

export async function hasStaff(db: ControlDb): Promise<boolean> {
  return (await db.selectFrom('staff').select('id').limit(1).execute()).length > 0
}

/** Whether there is a second member who can sign in, or an invitation of one. */
export async function hasColleague(db: ControlDb): Promise<boolean> {
  const members = db.selectFrom('staff').select('id').where('disabled_at', 'is', null).limit(2)
  if ((await members.execute()).length > 1) return true
  const invitation = db
    .selectFrom('staff_links')
    .select('kind')
    .where('kind', '=', 'invite')
    .limit(1)
  return (await invitation.execute()).length > 0
}

export async function findStaffByEmail(
  db: ControlDb,
  email: string,
): Promise<StaffRow | undefined> {
  return await findRow(db, 'staff', { email_key: emailKey(email) })
}

export async function getStaff(db: ControlDb, id: string): Promise<StaffRow> {
  return requireFound(await findRow(db, 'staff', { id }), 'staff_not_found')
}

export interface NewMember {
  email: string
  name: string
  role: Role
  /** The hash, not the password. */
  password: string
}

export async function addStaff(
  trx: ControlTrx,
  member: NewMember,
  now: Millis,
): Promise<StaffMember> {
  await lockStaff(trx)
  if (await findStaffByEmail(trx, member.email)) throw fail('staff_exists')
  const row: StaffRow = {
    id: newId(),
    ...member,
    email_key: emailKey(member.email),
    created_at: now,
    disabled_at: null,
    passkey_only: 0,
  }
  await trx.insertInto('staff').values(row).execute()
  return toStaffMember(row)
}

async function requireAnotherOwner(trx: ControlTrx, id: string): Promise<void> {
  const others = await trx
    .selectFrom('staff')
    .select('id')
    .where('role', '=', 'owner')
    .where('disabled_at', 'is', null)
    .where('id', '<>', id)
    .limit(1)
    .execute()
  if (others.length === 0) throw fail('last_owner')
}

/** Whether the member is an owner who may sign in. */
export const isOwner = ({ role, disabled_at }: StaffRow) => role === 'owner' && disabled_at === null

/** Takes effect with the member's next request. */
export async function changeRole(trx: ControlTrx, id: string, role: Role): Promise<StaffRow> {
  await lockStaff(trx)
  const member = await getStaff(trx, id)
  if (isOwner(member) && role !== 'owner') await requireAnotherOwner(trx, id)
  await updateRows(trx, 'staff', { id }, { role })
  if (role !== 'owner') await withdrawLinksOf(trx, id)
  return { ...member, role }
}

/** Also ends the member's sessions and links. */
export async function disableStaff(trx: ControlTrx, id: string, now: Millis): Promise<StaffRow> {
  await lockStaff(trx)
  const member = await getStaff(trx, id)
  if (isOwner(member)) await requireAnotherOwner(trx, id)
  const disabled_at = member.disabled_at ?? now
  await updateRows(trx, 'staff', { id }, { disabled_at })
  await deleteRows(trx, 'staff_sessions', { staff_id: id })
  await deleteRows(trx, 'staff_links', { staff_id: id })
  await withdrawLinksOf(trx, id)
  return { ...member, disabled_at }
}

/** Only owners may create links: a former owner must not come back through one that is still open. */
async function withdrawLinksOf(trx: ControlTrx, id: string): Promise<void> {
  await deleteRows(trx, 'staff_links', { made_by: id, used_at: null })
}

export async function enableStaff(trx: ControlTrx, id: string): Promise<StaffRow> {
  await lockStaff(trx)
  const member = await getStaff(trx, id)
  await updateRows(trx, 'staff', { id }, { disabled_at: null })
  return { ...member, disabled_at: null }
}

export async function renameStaff(trx: ControlTrx, id: string, name: string): Promise<StaffMember> {
  const member = await getStaff(trx, id)
  await updateRows(trx, 'staff', { id }, { name })
  return toStaffMember({ ...member, name })
}

export async function storePassword(trx: ControlTrx, id: string, password: string): Promise<void> {
  await updateRows(trx, 'staff', { id }, { password })
}
