import type { Db, Trx } from '../../db/database.ts'
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
