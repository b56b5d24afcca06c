import type { Db, Trx } from '../../db/database.ts'
import { updateRows } from '../../db/queries/rows.ts'

/** Lists one person's deliveries under all of their uids, oldest first. */
export async function listDeliveriesOfUser(db: Db, aid: string, uids: readonly string[]) {
  return await db
    .selectFrom('deliveries')
    .select(['id', 'rid', 'at', 'answers', 'bytes', 'outcome'])
    .where('aid', '=', aid)
    .where('uid', 'in', uids)
    .orderBy('at')
    .orderBy('id')
    .execute()
}

export async function moveDeliveries(
  trx: Trx,
  aid: string,
  from: string,
  into: string,
): Promise<void> {
  await updateRows(trx, 'deliveries', { aid, uid: from }, { uid: into })
}
