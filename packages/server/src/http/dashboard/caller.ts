import type { Millis } from '../../db/tables.ts'
import type { AuditedAction } from '../../domain/staff/audit.ts'
import type { SignedInStaff } from '../../domain/staff/sessions.ts'
import type { StaffMember } from '../../domain/staff/staff.ts'
import { type Failure, fail } from '../../errors.ts'

/** The author of a request: a member of staff in a browser, or a program with a management token. */
export interface Caller {
  /** For a program, this holds the id, the name and the role of its token, and no email address. */
  staff: StaffMember
  /** Identifies the caller in histories, as `staff:ID` or `token:ID`. */
  actor: string
  isProgram: boolean
  /** When the caller last proved who they are. The token of a program proves it with each request. */
  confirmedAt: Millis
  /** The only application that the caller may use; null for all. */
  onlyAid: string | null
  /** The id of the member's session; null for a program. */
  sessionId: string | null
}

export const memberCaller = ({ staff, confirmedAt, sessionId }: SignedInStaff): Caller => ({
  ...{ staff, actor: `staff:${staff.id}`, confirmedAt },
  ...{ isProgram: false, onlyAid: null, sessionId },
})

export const isInScope = ({ onlyAid }: Caller, aid: string) => onlyAid === null || onlyAid === aid

/** An application that a token is not for is to its program as if it did not exist. */
export function requireInScope(caller: Caller, aid: string): void {
  if (isInScope(caller, aid)) return
  const failure = fail('application_not_found')
  outOfScope.add(failure)
  throw failure
}

const outOfScope = new WeakSet<Failure>()

/** Whether an application exists, but not for the caller. Only the log may say so. */
export const isOutOfScope = (failure: Failure) => outOfScope.has(failure)

export function auditedAs({ isProgram, staff }: Caller): Pick<AuditedAction, 'staff' | 'token'> {
  return isProgram ? { staff: undefined, token: staff } : { staff }
}
