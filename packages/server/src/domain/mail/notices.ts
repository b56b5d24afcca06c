import type { Trx } from '../../db/database.ts'
import type { Millis, NoticeTable, Seconds } from '../../db/tables.ts'
import { newOrderedId } from '../../ids.ts'

/** The payment or the subscription that a notice is about. */
type Subject = Pick<NoticeTable, 'aid' | 'rid' | 'amount' | 'currency'> & { id: string }

/** Records an event that staff may want to be notified of, in the transaction in which it happens. The recipients are
 * chosen later. */
export async function recordNotice(
  trx: Trx,
  kind: NoticeTable['kind'],
  event: NoticeTable['event'],
  { aid, id, rid, amount, currency }: Subject,
  { now, realTime }: { now: Seconds; realTime: Millis },
): Promise<void> {
  const what = { kind, event, rid, subject_id: id, amount, currency }
  const row = { aid, id: newOrderedId(), ...what, at: now, created: realTime, bundle: null }
  await trx.insertInto('notices').values(row).execute()
}
