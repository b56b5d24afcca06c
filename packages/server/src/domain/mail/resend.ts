import type { Trx } from '../../db/database.ts'
import { updateRows } from '../../db/queries/rows.ts'
import type { Millis, Seconds } from '../../db/tables.ts'
import { fail } from '../../errors.ts'
import { newId } from '../../ids.ts'
import { recordHistory } from '../history/history.ts'
import { clockOffsetOf, type Delivery, type MailRow, priorityOf, retryMail } from './outbox.ts'
import { getMail } from './search.ts'

export interface ResendInput {
  aid: string
  id: string
  /** Where it goes this time. */
  recipient: string
  /** The link number of the reader now. */
  linkNumber: number
  delivery: Delivery
  now: Seconds
  realTime: Millis
  actor: string
}

/**
 * Sends a mail once more. An unsent mail gets all its attempts again. A sent one goes out as a new mail,
 * because the reader's mail program would hide a second mail with the same message id as a duplicate.
 */
export async function resendMail(trx: Trx, input: ResendInput): Promise<MailRow> {
  const { aid, id, recipient, linkNumber, delivery, realTime } = input
  const mail = await getMail(trx, aid, id)
  if (mail.recipient === '') throw fail('mail_not_found', 'No such email that can be sent again.')
  if (delivery === 'kept') throw fail('mail_not_set_up')
  if (mail.status === 'sending') throw fail('mail_under_way')
  if (mail.status === 'sent') return await enqueueCopy(trx, mail, input)
  await updateRows(trx, 'outbox', { aid, id }, { recipient, link_number: linkNumber })
  return await retryMail(trx, aid, id, realTime)
}

async function enqueueCopy(
  trx: Trx,
  mail: MailRow,
  { recipient, linkNumber, now, realTime, actor }: ResendInput,
): Promise<MailRow> {
  const id = newId()
  const { aid, uid } = mail
  const row: MailRow = {
    ...mail,
    id,
    recipient,
    link_number: linkNumber,
    key: `again:${id}`,
    status: 'queued',
    attempts: 0,
    created: realTime,
    priority: priorityOf(mail.kind),
    due: realTime,
    last_error: null,
    sent: null,
    clock_offset: clockOffsetOf({ now, realTime }),
  }
  await trx.insertInto('outbox').values(row).execute()
  await recordHistory(trx, [
    { aid, uid, at: now, actor, action: 'mail sent again', mailKey: row.key },
  ])
  return row
}
