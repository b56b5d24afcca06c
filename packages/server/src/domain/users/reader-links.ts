import type { Db, Trx } from '../../db/database.ts'
import { findRow, updateRows } from '../../db/queries/rows.ts'
import type { Seconds } from '../../db/tables.ts'
import { fail } from '../../errors.ts'
import { recordHistory } from '../history/history.ts'
import { listUnsentMails, readdressMails, renewMailLinks } from '../mail/user-mails.ts'
import { mailAddressOf } from './buyer.ts'
import { emailKey } from './email.ts'
import { lockUser, type UserRow } from './users.ts'

/*
 * Every link that names a reader carries the number that the reader had when it was made. Raising the number ends all of
 * them at once. Each link is checked where the row that it names is read.
 */

/** The reader's number now, for a new link. */
export async function findLinkNumber(
  db: Db,
  { aid, uid }: Pick<UserRow, 'aid' | 'uid'>,
): Promise<number> {
  return (await findRow(db, 'users', { aid, uid }))?.link_number ?? 0
}

/** Whether a link with the number `carried` has been ended for a reader with the number `current`. */
export const isLinkEnded = (carried: number, current: number): boolean => carried < current

export function requireLinkNotEnded(carried: number, current: number): void {
  if (isLinkEnded(carried, current)) throw fail('link_ended')
}

/**
 * Ends all links of a user that exist. Emails that wait get links that work.
 *
 * The new number is the time: after a backup was restored, the next one is again higher than all that were in use.
 */
export async function endLinks(
  trx: Trx,
  who: { aid: string; uid: string; actor: string },
  now: Seconds,
): Promise<UserRow> {
  const { aid, uid, actor } = who
  const user = await lockUser(trx, who)
  const changed = await raiseLinkNumber(trx, user, Math.max(user.link_number + 1, now))
  await recordHistory(trx, [{ aid, uid, at: now, actor, action: 'links ended' }])
  return changed
}

/** After a merge, no link works that was ended for one of the two. A link of a user with the lower number ends too. */
export async function joinLinkNumbers(trx: Trx, gone: UserRow, kept: UserRow): Promise<void> {
  const joined = Math.max(gone.link_number, kept.link_number)
  await raiseLinkNumber(trx, gone, joined)
  await raiseLinkNumber(trx, kept, joined)
}

async function raiseLinkNumber(trx: Trx, user: UserRow, number: number): Promise<UserRow> {
  const { aid, uid, link_number: before } = user
  if (number === before) return user
  await updateRows(trx, 'users', { aid, uid }, { link_number: number })
  await renewMailLinks(trx, user, before, number)
  return { ...user, link_number: number }
}

/** Sends to `address` what waits to be sent to the present address of the user, which belongs to somebody else. */
export async function takeMailsFromAddress(
  trx: Trx,
  user: UserRow,
  address: string,
): Promise<void> {
  const wrong = emailKey(mailAddressOf(user) ?? '')
  const unsent = await listUnsentMails(trx, user)
  const ids = unsent.filter((mail) => emailKey(mail.recipient) === wrong).map(({ id }) => id)
  await readdressMails(trx, user.aid, ids, address)
}
