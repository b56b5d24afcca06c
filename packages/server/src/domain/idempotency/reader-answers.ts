import type { Trx } from '../../db/database.ts'
import { countAffected, updateRows } from '../../db/queries/rows.ts'

/** Removes the answers that are about a user. Their keys stay, so that a repeated request does not take effect again. */
export async function eraseAnswers(trx: Trx, aid: string, uid: string): Promise<number> {
  const answers = trx
    .updateTable('handled_requests')
    .set({ content: '', body: null, lease_until: null })
    .where((eb) => eb.and({ aid, uid }))
    .where('body', 'is not', null)
  return await countAffected(answers)
}

/** The answers stay as they were given; they are erased with the user who is left. */
export async function moveAnswers(
  trx: Trx,
  aid: string,
  from: string,
  into: string,
): Promise<void> {
  await updateRows(trx, 'handled_requests', { aid, uid: from }, { uid: into })
}
