import type { Db, Trx } from '../db/database.ts'
import type { Seconds } from '../db/tables.ts'
import { fail } from '../errors.ts'
import { recordHistory } from '../history/history.ts'
import { newUid } from '../ids.ts'
import { emailKey } from './email.ts'
import { isPlainName } from './names.ts'
import { findUidByRef, findUserByEmail, lockUidByRef, lockUsers, type UserRow } from './users.ts'

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

/** Refuses, before anybody pays, a link whose names can't be given: a reference that is somebody's uid. */
export async function requireBuyer(
  db: Db,
  { aid, userRef, vouchedEmail }: Pick<Buyer, 'aid' | 'userRef' | 'vouchedEmail'>,
): Promise<void> {
  if (userRef === undefined || (await findUidByRef(db, aid, userRef)) !== undefined) return
  const known =
    vouchedEmail === undefined ? undefined : await findUserByEmail(db, aid, vouchedEmail)
  if (known?.uid !== userRef && (await isUid(db, aid, userRef))) throw fail('user_ref_is_uid')
}

/** Whether this is the uid of somebody, who then has references and is named by those only. */
async function isUid(db: Db, aid: string, ref: string): Promise<boolean> {
  const taken = await db
    .selectFrom('users')
    .select('uid')
    .where('aid', '=', aid)
    .where('uid', '=', ref)
    .execute()
  return taken.length > 0
}

/** The user who gets what is bought, a known one or a new one, and the reference that names the user. One
 * that became somebody's uid since it was let in is left out: what was paid goes to the address alone. */
export async function resolveBuyer(
  trx: Trx,
  buyer: Buyer,
  now: Seconds,
  actor: string,
): Promise<{ user: UserRow; reference: string | undefined }> {
  const { aid, userRef } = buyer
  const uid = userRef === undefined ? undefined : await lockUidByRef(trx, aid, userRef)
  const isNewRef = userRef !== undefined && uid === undefined
  const newRef = isNewRef && !(await isUid(trx, aid, userRef)) ? userRef : undefined
  const named = { ...buyer, userRef: uid === undefined ? newRef : userRef }
  const known = await lockKnown(trx, named, uid)
  const user = known
    ? await learnAddress(trx, known, named)
    : await createUser(trx, named, now, actor)
  if (newRef !== undefined) {
    await trx.insertInto('user_refs').values({ aid, uid: user.uid, ref: newRef }).execute()
    await recordHistory(trx, [{ aid, uid: user.uid, at: now, actor, action: 'reference added' }])
  }
  // One's own uid in place of a reference is no reference.
  const reference = named.userRef === user.uid ? undefined : named.userRef
  return { user, reference }
}

/** By the reference; else by an address, but for a typed one beside a reference: that would tie the
 * reader to whoever has this address, and to all that is that person's. */
async function lockKnown(
  trx: Trx,
  { aid, userRef, vouchedEmail, typedEmail }: Buyer,
  uid: string | undefined,
): Promise<UserRow | undefined> {
  const email = vouchedEmail ?? (userRef === undefined ? typedEmail : undefined)
  const byEmail =
    uid === undefined && email !== undefined ? await findUserByEmail(trx, aid, email) : undefined
  const found = uid ?? byEmail?.uid
  return found === undefined ? undefined : (await lockUsers(trx, aid, [found]))[0]
}

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
  const { aid, userRef, vouchedEmail, typedEmail } = buyer
  const email = vouchedEmail ?? (userRef === undefined ? typedEmail : undefined)
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
