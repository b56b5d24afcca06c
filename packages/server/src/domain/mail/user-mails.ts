import type { Db, Trx } from '../../db/database.ts'
import { padList } from '../../db/queries/pad-list.ts'
import { countAffected, listRows, updateRows } from '../../db/queries/rows.ts'
import type { MailStatus } from '../../db/tables.ts'
import type { MailRow } from './outbox.ts'

/** Lists one person's mails, oldest first. */
export async function listMailsOfUser(db: Db, aid: string, uid: string): Promise<MailRow[]> {
  return await listRows(db, 'outbox', { aid, uid }, ['created', 'id'])
}

export async function moveMails(trx: Trx, aid: string, from: string, into: string): Promise<void> {
  await updateRows(trx, 'outbox', { aid, uid: from }, { uid: into })
}

/** Lists the mails to one person that have not been sent, or are being sent now. Notices about a change of address are left
 * out: they are for the address that they are written to, and have no links. */
export async function listUnsentMails(
  db: Db,
  { aid, uid }: Pick<MailRow, 'aid' | 'uid'>,
): Promise<Pick<MailRow, 'id' | 'recipient'>[]> {
  return await db
    .selectFrom('outbox')
    .select(['id', 'recipient'])
    .where((eb) => eb.and({ aid, uid }))
    .where('status', '<>', 'sent')
    .where('kind', '<>', 'address_changed')
    .execute()
}

/** Changes where unsent mails go. A sender that holds one now loses its lease: the links in what it sends have ended, and
 * the mail is sent once more. */
export async function readdressMails(
  trx: Trx,
  aid: string,
  ids: readonly string[],
  recipient: string,
): Promise<void> {
  if (ids.length === 0) return
  await trx
    .updateTable('outbox')
    .set((eb) => ({
      recipient,
      status: eb
        .case()
        .when('status', '=', 'sending')
        .then<MailStatus>('queued')
        .else(eb.ref('status'))
        .end(),
      lease_token: null,
      lease_until: null,
    }))
    .where('aid', '=', aid)
    .where('id', 'in', padList(ids))
    .where('status', '<>', 'sent')
    .execute()
}

/** Makes the links in unsent mails work after the reader's link number was raised. Those whose links were ended before
 * stay so: a mail may have been addressed a moment before the address was known to be wrong. */
export async function renewMailLinks(
  trx: Trx,
  { aid, uid }: Pick<MailRow, 'aid' | 'uid'>,
  before: number,
  after: number,
): Promise<void> {
  await trx
    .updateTable('outbox')
    .set({ link_number: after })
    .where((eb) => eb.and({ aid, uid }))
    .where('status', '<>', 'sent')
    .where('link_number', '>=', before)
    .execute()
}

/** Clears the mails of an erased person. Unsent ones become dead. */
export async function eraseMails(trx: Trx, aid: string, uid: string): Promise<number> {
  const emptied = trx
    .updateTable('outbox')
    .set((eb) => ({
      recipient: '',
      payload: '{}',
      last_error: null,
      status: eb
        .case()
        .when('status', '=', 'sent')
        .then<MailStatus>('sent')
        .else<MailStatus>('dead')
        .end(),
      // A sender that holds it now loses its lease and records nothing.
      lease_token: null,
      lease_until: null,
    }))
    .where((eb) => eb.and({ aid, uid }))
    .where((eb) => eb.or([eb('recipient', '<>', ''), eb('payload', '<>', '{}')]))
  return await countAffected(emptied)
}
