import type { Db, Trx } from '../db/database.ts'
import type { Seconds } from '../db/tables.ts'
import { recordHistory } from '../history/history.ts'
import { newUid } from '../ids.ts'
import { emailKey } from './email.ts'
import { listUsers } from './find.ts'
import { findUidByRef, lockUserByRef, requireNoUid } from './named.ts'
import { isPlainName } from './names.ts'
import { findUserByEmail, lockUsers, type UserRow } from './users.ts'

/** Who pays, as far as it is known. */
export interface Buyer {
  aid: string
  /** Named in a signed link: the application vouches for it, and for the address beside it. */
  userRef: string | undefined
  vouchedEmail: string | undefined
  /** Typed by whoever sits there: it must not open, change or show what is another person's. */
  typedEmail: string | undefined
  firstName: string
  lastName: string
}

/** Refuses, before anybody pays, a link whose reference names nobody and can't be given to the reader
 * either, because it is a uid. */
export async function requireBuyer(
  db: Db,
  { aid, userRef, vouchedEmail }: Pick<Buyer, 'aid' | 'userRef' | 'vouchedEmail'>,
): Promise<void> {
  if (userRef === undefined || (await findUidByRef(db, aid, userRef)) !== undefined) return
  const known =
    vouchedEmail === undefined ? undefined : await findUserByEmail(db, aid, vouchedEmail)
  if (known?.uid !== userRef) await requireNoUid(db, aid, userRef)
}

/** The user who gets what is bought, a known one or a new one, and the reference that names the user. A
 * reference that became a uid after the checkout was opened is left out: the purchase goes to the address
 * alone. */
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
    ? await learnAddress(trx, known, named)
    : await createUser(trx, named, now, actor)
  const { uid } = user
  if (isNewRef) {
    await trx.insertInto('user_refs').values({ aid, uid, ref: userRef }).execute()
    await recordHistory(trx, [{ aid, uid, at: now, actor, action: 'reference added' }])
  }
  // A user's own uid in place of a reference is no reference.
  return { user, reference: named.userRef === uid ? undefined : named.userRef }
}

async function isUid(db: Db, aid: string, ref: string): Promise<boolean> {
  const [user] = await listUsers(db, aid, [ref])
  return user !== undefined
}

/** By the address that decides who the buyer is, if somebody has it. */
async function lockByEmail(trx: Trx, buyer: Buyer): Promise<UserRow | undefined> {
  const email = ownEmail(buyer)
  const found = email === undefined ? undefined : await findUserByEmail(trx, buyer.aid, email)
  return found && (await lockUsers(trx, buyer.aid, [found.uid]))[0]
}

/** A typed address beside a reference is not the reader's own: it would tie the reader to the person who has
 * this address, and to all that belongs to that person. */
const ownEmail = ({ userRef, vouchedEmail, typedEmail }: Buyer): string | undefined =>
  vouchedEmail ?? (userRef === undefined ? typedEmail : undefined)

/** Somebody whom only a reference names gets the address that is vouched for, if it is nobody's; else mails
 * go to the one that was typed first: who gets hold of a link must not get hold of the mails too. */
async function learnAddress(trx: Trx, user: UserRow, buyer: Buyer): Promise<UserRow> {
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
  await trx
    .updateTable('users')
    .set(learnt)
    .where('aid', '=', aid)
    .where('uid', '=', user.uid)
    .execute()
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
  }
  await trx.insertInto('users').values(user).execute()
  await recordHistory(trx, [{ aid, uid: user.uid, at: now, actor, action: 'user created' }])
  return user
}

/** Where mails to a user go; undefined where no address is known. */
export const addressOf = (user: UserRow): string | undefined =>
  user.email ?? user.contact_email ?? undefined
