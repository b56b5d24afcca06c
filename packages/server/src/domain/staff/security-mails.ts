import type { Millis, SecurityEvent } from '../../db/tables.ts'
import { newId } from '../../ids.ts'
import { originOf } from './audit-trail.ts'
import { enqueueStaffMails } from './mails.ts'
import type { ControlTrx } from './staff.ts'

/** What an email about the security of an account says besides the event. */
export interface SecurityPayload {
  event: SecurityEvent
  /** The client's address; null for the command line. */
  address: string | null
}

/** Queues an email to a member whose account can be entered in another way from now on. Nobody can switch it off: somebody
 * else may have made the change. It has nothing that was typed, so that nobody can write to the member through it. */
export async function enqueueSecurityMail(
  trx: ControlTrx,
  staff_id: string,
  event: SecurityEvent,
  now: Millis,
): Promise<void> {
  const payload: SecurityPayload = { event, address: originOf(trx).address }
  const mail = { key: `security:${newId()}`, kind: 'security', staff_id, payload } as const
  await enqueueStaffMails(trx, [mail], now)
}
