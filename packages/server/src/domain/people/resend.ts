import { sql } from 'kysely'
import type { Trx } from '../../db/database.ts'
import type { Millis } from '../../db/tables.ts'
import { isFailedSql, type MailRow, retryDeadMails } from '../mail/outbox.ts'
import { type ResendInput, resendMail } from '../mail/resend.ts'
import { getMail } from '../mail/search.ts'
import { findAddressesByUid, mailAddressSql } from '../users/buyer.ts'
import { findLinkNumber } from '../users/reader-links.ts'

/**
 * The address that a resent mail goes to: the one that its reader has now, which may have been corrected since. A notice
 * about a change of address stays with the address that it was written for.
 */
export const resendAddressOf = (
  { uid, kind, recipient }: Pick<MailRow, 'uid' | 'kind' | 'recipient'>,
  addresses: ReadonlyMap<string, string>,
): string =>
  recipient === '' || kind === 'address_changed' ? recipient : (addresses.get(uid) ?? recipient)

/** Sends a mail once more, to the address that its reader has now. */
export async function resendToReader(
  trx: Trx,
  input: Omit<ResendInput, 'recipient' | 'linkNumber'>,
): Promise<MailRow> {
  const mail = await getMail(trx, input.aid, input.id)
  // First, because the address may be found to be wrong meanwhile: the links of this mail have then ended.
  const linkNumber = await findLinkNumber(trx, mail)
  const addresses = await findAddressesByUid(trx, input.aid, [mail.uid])
  const recipient = resendAddressOf(mail, addresses)
  return await resendMail(trx, { ...input, recipient, linkNumber })
}

/** Sends all failed mails of an application once more, each to the address of `resendAddressOf`. Returns how many. */
export async function resendFailedToReaders(
  trx: Trx,
  aid: string,
  realTime: Millis,
): Promise<number> {
  const address = sql<string>`(select ${mailAddressSql} from users u
    where u.aid = outbox.aid and u.uid = outbox.uid)`
  await trx
    .updateTable('outbox')
    .set({ recipient: address })
    .where('aid', '=', aid)
    .where(isFailedSql)
    .where('kind', '<>', 'address_changed')
    // Not true of a reader without an address, for whom the recipient stays.
    .where(sql<boolean>`${address} <> recipient`)
    .execute()
  await trx
    .updateTable('outbox')
    .set({
      link_number: sql<number>`(select u.link_number from users u
      where u.aid = outbox.aid and u.uid = outbox.uid)`,
    })
    .where('aid', '=', aid)
    .where(isFailedSql)
    .execute()
  return await retryDeadMails(trx, aid, realTime)
}
