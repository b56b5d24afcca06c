import type { Trx } from '../../db/database.ts'
import { updateRows } from '../../db/queries/rows.ts'
import type { Seconds } from '../../db/tables.ts'

/** Removes the personal data of a user. The row stays, so that the uid keeps its meaning. */
export async function anonymizeUser(
  trx: Trx,
  { aid, uid }: { aid: string; uid: string },
  now: Seconds,
): Promise<void> {
  await updateRows(
    trx,
    'users',
    { aid, uid },
    {
      email: null,
      email_key: null,
      contact_email: null,
      first_name: '',
      last_name: '',
      erased: now,
    },
  )
}
