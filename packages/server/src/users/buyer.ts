import type { Trx } from '../db/database.ts'
import type { Seconds } from '../db/tables.ts'
import { fail } from '../errors.ts'
import { recordHistory } from '../history/history.ts'
import { newUid } from '../ids.ts'
import { emailKey } from './email.ts'
import { findUserByEmail, lockUidByRef, lockUsers, type UserRow } from './users.ts'

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

/** The user who gets what is bought: a known one, untouched, or a new one. */
export async function resolveBuyer(
  trx: Trx,
  buyer: Buyer,
  now: Seconds,
  actor: string,
): Promise<UserRow> {
  const known = await lockKnown(trx, buyer)
  if (known && (buyer.userRef === undefined || !known.isNewRef)) {
    return await keepContact(trx, known.user, buyer)
  }
  const user = known?.user ?? (await createUser(trx, buyer, now, actor))
  if (buyer.userRef !== undefined) {
    const { aid, uid } = user
    await trx.insertInto('user_refs').values({ aid, uid, ref: buyer.userRef }).execute()
    await recordHistory(trx, [{ aid, uid, at: now, actor, action: 'reference added' }])
  }
  return user
}

/** By the reference; else by an address, but for a typed one beside a reference: that would tie the
 * reader to whoever has this address, and to all that is that person's. */
async function lockKnown(
  trx: Trx,
  buyer: Buyer,
): Promise<{ user: UserRow; isNewRef: boolean } | undefined> {
  const { aid, userRef, vouchedEmail, typedEmail } = buyer
  const uid = userRef === undefined ? undefined : await lockUidByRef(trx, aid, userRef)
  const email = userRef === undefined ? (vouchedEmail ?? typedEmail) : vouchedEmail
  const byEmail =
    uid === undefined && email !== undefined ? await findUserByEmail(trx, aid, email) : undefined
  const found = uid ?? byEmail?.uid
  if (found === undefined) return undefined
  const [user] = await lockUsers(trx, aid, [found])
  return user ? { user, isNewRef: uid === undefined } : undefined
}

/** Somebody whom only a reference names gets mails at the address typed last. */
async function keepContact(trx: Trx, user: UserRow, buyer: Buyer): Promise<UserRow> {
  const { userRef, typedEmail } = buyer
  if (userRef === undefined || typedEmail === undefined || user.email !== null) return user
  await trx
    .updateTable('users')
    .set({ contact_email: typedEmail })
    .where('aid', '=', user.aid)
    .where('uid', '=', user.uid)
    .execute()
  return { ...user, contact_email: typedEmail }
}

async function createUser(trx: Trx, buyer: Buyer, now: Seconds, actor: string): Promise<UserRow> {
  const { aid, userRef, vouchedEmail, typedEmail } = buyer
  if (userRef !== undefined) await requireNobodysUid(trx, aid, userRef)
  const email = vouchedEmail ?? (userRef === undefined ? typedEmail : undefined)
  const user: UserRow = {
    aid,
    uid: newUid(),
    email: email ?? null,
    email_key: email === undefined ? null : emailKey(email),
    first_name: buyer.firstName,
    last_name: buyer.lastName,
    created: now,
    erased: null,
    contact_email: email === undefined ? (typedEmail ?? null) : null,
  }
  await trx.insertInto('users').values(user).execute()
  await recordHistory(trx, [{ aid, uid: user.uid, at: now, actor, action: 'user created' }])
  return user
}

/** One who has references is named by those only; see `findUidByRef`. */
async function requireNobodysUid(trx: Trx, aid: string, ref: string): Promise<void> {
  const taken = await trx
    .selectFrom('users')
    .select('uid')
    .where('aid', '=', aid)
    .where('uid', '=', ref)
    .executeTakeFirst()
  if (taken) throw fail('user_ref_is_uid')
}

/** Where mails to a user go; undefined where no address is known. */
export const addressOf = (user: UserRow): string | undefined =>
  user.email ?? user.contact_email ?? undefined
