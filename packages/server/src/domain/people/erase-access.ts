import type { Trx } from '../../db/database.ts'
import { foldTagsOf } from '../access/counts/counting.ts'

/** Removes references, tags and message digests from a user's records, because applications put arbitrary text there.
 * Call after the records are revoked. Returns how many records had a reference or tags. */
export async function eraseAccess(trx: Trx, aid: string, uid: string): Promise<number> {
  const own = trx.selectFrom('access').select('id').where('aid', '=', aid).where('uid', '=', uid)
  await trx.deleteFrom('access_tags').where('aid', '=', aid).where('access_id', 'in', own).execute()
  const changed = await trx
    .updateTable('access')
    .set({ user_ref: null, tags: '[]' })
    .where((eb) => eb.and({ aid, uid }))
    .where((eb) => eb.or([eb('user_ref', 'is not', null), eb('tags', '<>', '[]')]))
    .returning('id')
    .execute()
  await trx
    .updateTable('sources')
    .set({ message_digest: '' })
    .where('aid', '=', aid)
    .where('access_id', 'in', own)
    .execute()
  await foldTagsOf(trx, aid, uid)
  return changed.length
}
