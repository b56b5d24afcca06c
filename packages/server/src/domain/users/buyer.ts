import { sql } from 'kysely'
import type { Db, Trx } from '../../db/database.ts'
import { updateRows } from '../../db/queries/rows.ts'
import type { Seconds } from '../../db/tables.ts'
import { fail } from '../../errors.ts'
import { newUid } from '../../ids.ts'
import { recordHistory } from '../history/history.ts'
import { emailKey } from './email.ts'
import { listUsers } from './find.ts'
import { isPlainName } from './names.ts'
import { findTextsByUid } from './prefix.ts'
import { findUserByEmail, lockUserByEmail } from './user-email.ts'
import { findUidByRef, lockUserByRef, requireNoUid } from './user-ref.ts'
import type { UserRow } from './users.ts'

/** The known facts about the person who pays. */
export interface Buyer {
  aid: string
  /** From a signed link: the application vouches for it, as it does for `vouchedEmail`. */
  userRef: string | undefined
  vouchedEmail: string | undefined
  /** Typed by an unverified person: it must not open, change or reveal anything that belongs to another user. */
  typedEmail: string | undefined
  firstName: string
  lastName: string
}

/** Refuses, before payment, a link whose reference is the uid of an erased user, or that of another user than the one
 * whom its address names. */
export async function requireBuyer(
  db: Db,
  { aid, userRef, vouchedEmail }: Partial<Buyer> & { aid: string },
): Promise<void> {
  if (userRef === undefined) return
  const uid = await findUidByRef(db, aid, userRef)
  if (uid === undefined) return await requireNoUid(db, aid, userRef)
  if (uid !== userRef || vouchedEmail === undefined) return
  const known = await findUserByEmail(db, aid, vouchedEmail)
  if (known && known.uid !== uid) throw fail('user_ref_is_uid')
}

/** Finds or creates the user who gets the purchase, and returns the reference that names this user. What was paid for
 * belongs to the reader whom the link names, never to the owner of an address. */
export async function resolveBuyer(
  trx: Trx,
  buyer: Buyer,
  now: Seconds,
  actor: string,
): Promise<{ user: UserRow; reference: string | undefined }> {
  const { aid, userRef } = buyer
  const byRef = userRef === undefined ? undefined : await lockUserByRef(trx, aid, userRef)
  const isNewRef = userRef !== undefined && !byRef && !(await isUid(trx, aid, userRef))
  const named = { ...buyer, userRef: byRef || isNewRef ? userRef : undefined }
  const known = byRef ?? (await lockByEmail(trx, named))
  const user = known
    ? await saveBuyerAddress(trx, known, named)
    : await createUser(trx, named, now, actor)
  const { uid } = user
  if (isNewRef) {
    await trx.insertInto('user_refs').values({ aid, uid, ref: userRef }).execute()
    await recordHistory(trx, [{ aid, uid, at: now, actor, action: 'reference added' }])
  }
  // A user's own uid works as a `user_ref`, but is not stored as a reference.
  return { user, reference: named.userRef === uid ? undefined : named.userRef }
}

async function isUid(db: Db, aid: string, ref: string): Promise<boolean> {
  const [user] = await listUsers(db, aid, [ref])
  return user !== undefined
}

/** Locks the user whom the buyer's own address names, if there is one. */
async function lockByEmail(trx: Trx, buyer: Buyer): Promise<UserRow | undefined> {
  const email = ownEmail(buyer)
  return email === undefined ? undefined : await lockUserByEmail(trx, buyer.aid, email)
}

/** The address that identifies the buyer. A typed address beside a reference does not: it would connect the reader to
 * whoever has that address, and to everything that belongs to that person. */
const ownEmail = ({ userRef, vouchedEmail, typedEmail }: Buyer): string | undefined =>
  vouchedEmail ?? (userRef === undefined ? typedEmail : undefined)

/** Gives a user who has only references the vouched address, if it names no other user. Without a vouched address, the
 * first typed one stays the contact: getting hold of a link must not redirect the mails. */
async function saveBuyerAddress(trx: Trx, user: UserRow, buyer: Buyer): Promise<UserRow> {
  const { aid, userRef, vouchedEmail, typedEmail } = buyer
  if (user.email !== null || userRef === undefined) return user
  const isFree =
    vouchedEmail !== undefined && (await findUserByEmail(trx, aid, vouchedEmail)) === undefined
  const contact = vouchedEmail ?? user.contact_email ?? typedEmail
  const learnt = {
    ...(isFree ? { email: vouchedEmail, email_key: emailKey(vouchedEmail) } : {}),
    ...(contact === undefined ? {} : { contact_email: contact }),
  }
  if (Object.keys(learnt).length === 0) return user
  await updateRows(trx, 'users', { aid, uid: user.uid }, learnt)
  return { ...user, ...learnt }
}

async function createUser(trx: Trx, buyer: Buyer, now: Seconds, actor: string): Promise<UserRow> {
  const { aid, typedEmail } = buyer
  const email = ownEmail(buyer)
  const user: UserRow = {
    aid,
    uid: newUid(),
    email: email ?? null,
    email_key: email === undefined ? null : emailKey(email),
    first_name: isPlainName(buyer.firstName) ? buyer.firstName : '',
    last_name: isPlainName(buyer.lastName) ? buyer.lastName : '',
    created: now,
    erased: null,
    contact_email: email === undefined ? (typedEmail ?? null) : null,
    link_number: 0,
  }
  await trx.insertInto('users').values(user).execute()
  await recordHistory(trx, [{ aid, uid: user.uid, at: now, actor, action: 'user created' }])
  return user
}

/** Where mail to a user goes; undefined if no address is known. */
export const mailAddressOf = (user: UserRow): string | undefined =>
  user.email ?? user.contact_email ?? undefined

/** The same in SQL, for a user `u`. Null if no address is known. */
export const mailAddressSql = sql<string | null>`coalesce(u.email, u.contact_email)`

/** Returns where mail to each user goes, by uid. Users without an address are left out. */
export const findAddressesByUid = (db: Db, aid: string, uids: readonly string[]) =>
  findTextsByUid(db, aid, uids, (user) => mailAddressOf(user) ?? '')
