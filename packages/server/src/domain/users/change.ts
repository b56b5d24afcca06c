import type { Trx } from '../../db/database.ts'
import { updateRows } from '../../db/queries/rows.ts'
import type { Seconds } from '../../db/tables.ts'
import { fail } from '../../errors.ts'
import { recordHistory } from '../history/history.ts'
import { type AddressNotice, enqueueAddressMails } from './address-mails.ts'
import { mailAddressOf } from './buyer.ts'
import { emailKey } from './email.ts'
import { releaseFormerAddress } from './former-addresses.ts'
import { findUserByCurrentEmail } from './user-email.ts'
import { requireNoUid } from './user-ref.ts'
import { lockUser, type UserRow } from './users.ts'

/** The user to change, and who changes it. */
export interface Subject {
  aid: string
  uid: string
  actor: string
}

/** Changes a user's email address. The uid, the references and all access stay. The new one may be a former address, also of
 * another user: it then names this user. With a notice, the old and the new address get a mail, unless they differ in case
 * alone. */
export async function setEmail(
  trx: Trx,
  who: Subject,
  email: string,
  now: Seconds,
  notice?: AddressNotice,
): Promise<UserRow> {
  const { aid, uid, actor } = who
  const user = await lockUser(trx, who)
  const holder = await findUserByCurrentEmail(trx, aid, email)
  if (holder && holder.uid !== uid) throw fail('email_taken')
  if (user.email === email) return user
  const address = { email, email_key: emailKey(email) }
  await updateRows(trx, 'users', { aid, uid }, address)
  await releaseFormerAddress(trx, aid, email)
  const isSame = emailKey(mailAddressOf(user) ?? '') === address.email_key
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
  return { ...user, ...address }
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
