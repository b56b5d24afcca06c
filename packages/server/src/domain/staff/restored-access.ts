import { countRows } from '../../db/queries/rows.ts'
import type { Millis } from '../../db/tables.ts'
import { LINK_MAIL_KINDS } from './mails.ts'
import type { ControlDb, ControlTrx } from './staff.ts'

/**
 * Ends what a backup brings back of the past: sessions, links and challenges. Somebody may have signed out since, or an
 * owner may have ended them. Tokens wait until an owner confirms them, because programs can't sign in again.
 */
export async function endRestoredAccess(trx: ControlTrx, now: Millis): Promise<void> {
  await trx.deleteFrom('staff_sessions').execute()
  await trx.deleteFrom('staff_links').execute()
  await trx.deleteFrom('staff_challenges').execute()
  await trx
    .deleteFrom('staff_mails')
    .where('kind', 'in', LINK_MAIL_KINDS)
    .where('status', 'in', ['queued', 'sending'])
    .execute()
  await trx
    .updateTable('management_tokens')
    .set({ suspended_at: now })
    .where('revoked_at', 'is', null)
    .execute()
}

const selectSuspended = (db: ControlDb) =>
  db
    .selectFrom('management_tokens')
    .where('suspended_at', 'is not', null)
    .where('revoked_at', 'is', null)

/** How many tokens wait for an owner since a restore. */
export const countSuspendedTokens = (db: ControlDb): Promise<number> =>
  countRows(selectSuspended(db))

/** The ids of these tokens. */
export const listSuspendedTokens = async (db: ControlDb): Promise<string[]> =>
  (await selectSuspended(db).select('id').orderBy('created_at').execute()).map(({ id }) => id)
