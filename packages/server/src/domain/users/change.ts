import type { Trx } from '../../db/database.ts'
import { updateRows } from '../../db/queries/rows.ts'
import type { Seconds } from '../../db/tables.ts'
import { fail, invalid } from '../../errors.ts'
import { recordHistory } from '../history/history.ts'
import { type AddressNotice, enqueueAddressMails } from './address-mails.ts'
import { mailAddressOf } from './buyer.ts'
import { emailKey } from './email.ts'
import { releaseFormerAddress } from './former-addresses.ts'
import { endLinks, takeMailsFromAddress } from './reader-links.ts'
import { findUserByCurrentEmail } from './user-email.ts'
import { requireNoUid } from './user-ref.ts'
import { lockUser, type UserRow } from './users.ts'

/** The user to change, and who changes it. */
export interface Subject {
  aid: string
  uid: string
  actor: string
}

/** What else follows from a change of the address. */
export interface AddressChange {
  /** The old and the new address get a mail, unless they differ in case alone. */
  notice?: AddressNotice | undefined
  /** The old address belongs to somebody else: the links that were sent there end, and unsent mails go to the new one. */
  neverTheirs?: boolean | undefined
}

/** Changes a user's email address. The uid, the references and all access stay. The new one may be a former address, also of
 * another user: it then names this user. */
export async function setEmail(
  trx: Trx,
  who: Subject,
  email: string,
  now: Seconds,
  { notice, neverTheirs = false }: AddressChange = {},
): Promise<UserRow> {
  const { aid, uid, actor } = who
  const user = await lockUser(trx, who)
  const holder = await findUserByCurrentEmail(trx, aid, email)
  if (holder && holder.uid !== uid) throw fail('email_taken')
  const address = { email, email_key: emailKey(email) }
  const isSame = emailKey(mailAddressOf(user) ?? '') === address.email_key
  if (neverTheirs && isSame) throw invalid('never_theirs', 'the address would stay the same')
  if (user.email === email) return user
  await updateRows(trx, 'users', { aid, uid }, address)
  await releaseFormerAddress(trx, aid, email)
  const keys =
    notice && !isSame ? await enqueueAddressMails(trx, user, email, notice, now) : undefined
  const change = { aid, uid, at: now, actor }
  await recordHistory(trx, [
    {
      ...{ ...change, action: 'e-mail changed', mailKey: keys?.added },
      told: { former: { email: user.email ?? '' } },
    },
    ...(keys?.removed === undefined
      ? []
      : [{ ...change, action: 'old address notified' as const, mailKey: keys.removed }]),
  ])
  if (neverTheirs) await disownAddress(trx, who, user, email, now)
  return { ...user, ...address }
}

/** Takes everything from an address that belongs to somebody else. `user` is the user who had it, before the change. */
async function disownAddress(
  trx: Trx,
  who: Subject,
  user: UserRow,
  email: string,
  now: Seconds,
): Promise<void> {
  const { aid, uid, contact_email } = user
  // A contact is used only while there is no other address, but a wrong one must not come back by a merge.
  if (contact_email !== null && emailKey(contact_email) === emailKey(mailAddressOf(user) ?? '')) {
    await updateRows(trx, 'users', { aid, uid }, { contact_email: null })
  }
  await takeMailsFromAddress(trx, user, email)
  await endLinks(trx, who, now)
}

/** Changes the first or the last name. Omitted ones stay. */
export async function setNames(
  trx: Trx,
  who: Subject,
  input: { first_name?: string; last_name?: string },
  now: Seconds,
): Promise<UserRow> {
  const { aid, uid, actor } = who
  const user = await lockUser(trx, who)
  const { first_name = user.first_name, last_name = user.last_name } = input
  if (first_name === user.first_name && last_name === user.last_name) return user
  await updateRows(trx, 'users', { aid, uid }, { first_name, last_name })
  const told = { former: { first_name: user.first_name, last_name: user.last_name } }
  await recordHistory(trx, [{ aid, uid, at: now, actor, action: 'user renamed', told }])
  return { ...user, first_name, last_name }
}

/** Adds a reference to a user, by the same rules as a grant. Returns false if the user has it already. */
export async function addReference(
  trx: Trx,
  who: Subject,
  ref: string,
  now: Seconds,
): Promise<boolean> {
  const { aid, uid, actor } = who
  await lockUser(trx, who)
  if (ref === uid) return false
  const owner = await findOwner(trx, aid, ref)
  if (owner === uid) return false
  if (owner !== undefined) throw fail('user_ref_taken')
  await requireNoUid(trx, aid, ref)
  await trx.insertInto('user_refs').values({ aid, uid, ref }).execute()
  await recordHistory(trx, [{ aid, uid, at: now, actor, action: 'reference added' }])
  return true
}

/** Returns the uid of the user who has this reference or alias. */
async function findOwner(trx: Trx, aid: string, ref: string): Promise<string | undefined> {
  const owner = await trx
    .selectFrom('user_refs')
    .select('uid')
    .where((eb) => eb.and({ aid, ref }))
    .executeTakeFirst()
  return owner?.uid
}
