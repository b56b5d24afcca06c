import type { ControlDatabase } from '../../db/database.ts'
import { updateRows } from '../../db/queries/rows.ts'
import type { Millis } from '../../db/tables.ts'
import { newId } from '../../ids.ts'
import { storeAskedLink } from './asked-links.ts'
import { recordAudit } from './audit.ts'
import { requireEmail } from './fields.ts'
import { countAttempts, digestOfAccount, forgottenSubjects } from './login-throttle.ts'
import { enqueueStaffMails, type StaffMailRow, tokenOfMail } from './mails.ts'
import { type ControlTrx, lockStaff, type StaffMember, toStaffMember } from './staff.ts'

interface ForgottenPassword {
  email: string
  /** As returned by `addressSubject`; undefined if all clients share one address. */
  address: string | undefined
}

/**
 * Queues a link to set a new password. Whether there is such a member is looked up later, by whoever sends the email:
 * here, an unknown address causes the same work in the same time as a known one. Only a digest of what was typed is
 * stored.
 */
export async function requestPasswordLink(
  control: ControlDatabase,
  { email: typed, address }: ForgottenPassword,
  now: Millis,
): Promise<void> {
  const email = requireEmail(typed)
  await countAttempts(control, forgottenSubjects(email, address), now)
  const id = newId()
  const payload = { account: digestOfAccount(email) }
  await control.write((trx) =>
    enqueueStaffMails(trx, [{ id, key: `link:${id}`, kind: 'forgot', payload }], now),
  )
}

export interface ForgottenLink {
  staff: StaffMember
  token: string
  ends_at: Millis
}

/** Creates the link of such an email. Returns undefined if no member who may sign in has asked for it, or if the link is
 * over. */
export async function createForgottenLink(
  control: ControlDatabase,
  secret: Buffer,
  mail: StaffMailRow,
  now: Millis,
): Promise<ForgottenLink | undefined> {
  const { account } = JSON.parse(mail.payload) as { account: string }
  return await control.write(async (trx) => {
    await lockStaff(trx)
    const staff = await findByDigest(trx, account)
    if (!staff) return undefined
    const token = tokenOfMail(secret, mail.id)
    const ends_at = await storeAskedLink(trx, staff, { token, askedAt: mail.created_at }, now)
    if (ends_at === undefined) return undefined
    if (mail.staff_id === null) {
      await updateRows(trx, 'staff_mails', { id: mail.id }, { staff_id: staff.id })
      await recordAudit(trx, { staff, action: 'link.request' }, 'done', now)
    }
    return { staff, token, ends_at }
  })
}

/** There are few members, so all are compared. */
async function findByDigest(trx: ControlTrx, account: string): Promise<StaffMember | undefined> {
  const rows = await trx.selectFrom('staff').selectAll().where('disabled_at', 'is', null).execute()
  const found = rows.find(({ email }) => digestOfAccount(email) === account)
  return found && toStaffMember(found)
}
