import type { Context } from '../../context.ts'
import { type AuditedAction, recordAudit } from '../../domain/staff/audit.ts'
import { findStaffByEmail, type StaffRow } from '../../domain/staff/staff.ts'
import { fail } from '../../errors.ts'
import { realTimeOf } from './times.ts'

export async function getMember(ctx: Context, address: string): Promise<StaffRow> {
  const member = await findStaffByEmail(ctx.control.read, address)
  if (!member)
    throw fail('staff_not_found', `There is no member with the email address ${address}.`)
  return member
}

type Done = Pick<AuditedAction, 'action' | 'params' | 'details'>

/** Records what a command has done. */
export const audit = (ctx: Context, done: Done) =>
  ctx.control.write((trx) =>
    recordAudit(trx, { staff: undefined, ...done }, 'done', realTimeOf(ctx)),
  )
