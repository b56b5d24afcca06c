import type { Trx } from '../db/database.ts'
import type { Seconds } from '../db/tables.ts'

/** The row stays, so that its uid keeps its meaning; who it was is gone. */
export async function blankUser(
  trx: Trx,
  { aid, uid }: { aid: string; uid: string },
  now: Seconds,
): Promise<void> {
  await trx
    .updateTable('users')
    .set({
      email: null,
      email_key: null,
      contact_email: null,
      first_name: '',
      last_name: '',
      erased: now,
    })
    .where('aid', '=', aid)
    .where('uid', '=', uid)
    .execute()
}
