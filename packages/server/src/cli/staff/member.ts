import type { Context } from '../../context.ts'
import { findStaffByEmail, type StaffRow } from '../../domain/staff/staff.ts'
import { fail } from '../../errors.ts'

export async function getMember(ctx: Context, address: string): Promise<StaffRow> {
  const member = await findStaffByEmail(ctx.control.read, address)
  if (!member)
    throw fail('staff_not_found', `There is no member with the email address ${address}.`)
  return member
}
