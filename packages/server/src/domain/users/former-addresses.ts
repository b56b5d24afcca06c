import type { Db, Trx } from '../../db/database.ts'
import { deleteRows, listRows, updateRows } from '../../db/queries/rows.ts'
import { emailKey } from './email.ts'
import type { UserRow } from './users.ts'

/** Makes the addresses of a merged user former addresses of the user who is left. `gone` and `kept` are the users before
 * the merge: a user without an address takes over that of the other one. */
export async function moveAddresses(trx: Trx, gone: UserRow, kept: UserRow): Promise<void> {
  const { aid, uid } = kept
  await updateRows(trx, 'former_addresses', { aid, uid: gone.uid }, { uid })
  const { email, email_key } = gone
  if (email !== null && email_key !== null) {
    await trx
      .insertInto('former_addresses')
      .values({ aid, email_key, email, uid })
      .onConflict((oc) => oc.columns(['aid', 'email_key']).doUpdateSet({ email, uid }))
      .execute()
  }
  const own = kept.email_key ?? email_key
  if (own !== null) await deleteRows(trx, 'former_addresses', { aid, email_key: own, uid })
}

/** Makes an address that a user has from now on nobody's former address. */
export async function releaseFormerAddress(trx: Trx, aid: string, email: string): Promise<void> {
  await deleteRows(trx, 'former_addresses', { aid, email_key: emailKey(email) })
}

/** Removes the former addresses of an erased user. Returns how many there were. */
export const eraseFormerAddresses = async (trx: Trx, aid: string, uid: string): Promise<number> =>
  await deleteRows(trx, 'former_addresses', { aid, uid })

/** Lists the former addresses of a user, as they were spelled. */
export async function listFormerAddresses(db: Db, aid: string, uid: string): Promise<string[]> {
  const rows = await listRows(db, 'former_addresses', { aid, uid })
  return rows.map(({ email }) => email).sort()
}
