import type { Db } from '../../../db/database.ts'
import type { Terms } from '../../resources/prices.ts'
import { hasHadTrial } from '../../subscriptions/trials.ts'
import { findUserByEmail } from '../../users/user-email.ts'
import { findUidByRef } from '../../users/user-ref.ts'
import { findLiveUser } from '../../users/users.ts'

/** Someone at a checkout, identified by the application, by what was typed, or not at all yet. */
export interface Reader {
  aid: string
  rid: string
  userRef?: string | undefined
  vouchedEmail?: string | undefined
  typedEmail?: string | undefined
}

/** Returns the user that the application vouches for, if it does and the user is known. */
export async function findVouchedUid(
  db: Db,
  { aid, userRef, vouchedEmail }: Reader,
): Promise<string | undefined> {
  const byRef = userRef === undefined ? undefined : await findUidByRef(db, aid, userRef)
  if (byRef !== undefined || vouchedEmail === undefined) return byRef
  return (await findUserByEmail(db, aid, vouchedEmail))?.uid
}

/** Returns the terms that apply to this reader. The page and the checkout both use this, so they always agree. */
export async function termsFor<T extends Terms>(
  db: Db,
  key: Buffer,
  reader: Reader,
  terms: T,
): Promise<T> {
  if (terms.trial_days === 0) return terms
  const { aid, rid } = reader
  const uid = await findVouchedUid(db, reader)
  const user = uid === undefined ? undefined : await findLiveUser(db, aid, uid)
  const had = await hasHadTrial(db, key, { aid, rid, uid, emails: listBuyerEmails(reader, user) })
  return had ? { ...terms, trial_days: 0 } : terms
}

/** Lists every known email address of a buyer. A trial used under any of them can't be used again. */
export function listBuyerEmails(
  { vouchedEmail, typedEmail }: Pick<Reader, 'vouchedEmail' | 'typedEmail'>,
  user: { email: string | null } | undefined,
): string[] {
  return [vouchedEmail, typedEmail, user?.email].filter((email) => typeof email === 'string')
}
