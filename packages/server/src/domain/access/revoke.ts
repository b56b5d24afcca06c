import { sql } from 'kysely'
import type { Trx } from '../../db/database.ts'
import type { Seconds } from '../../db/tables.ts'
import { recordHistory } from '../history/history.ts'
import { type AccessRow, getAccessById } from './details.ts'

/** The row may come from a machine whose clock is ahead of ours; its end must not precede its creation. */
const nowOrCreated = (now: Seconds) =>
  sql<Seconds>`case when created > ${now} then created else ${now} end`

/** Revokes an unrevoked access record and closes its open sources. */
export async function revokeAccess(
  trx: Trx,
  who: { aid: string; rid: string; uid: string; actor: string },
  now: Seconds,
): Promise<AccessRow | undefined> {
  const { aid, rid, uid, actor } = who
  // Only one of two concurrent revokes finds the row unrevoked.
  const revoked = await trx
    .updateTable('access')
    .set({ revoked: nowOrCreated(now) })
    .where((eb) => eb.and({ aid, rid, uid }))
    .where('revoked', 'is', null)
    .returning(['id', 'ends', 'revoked'])
    .executeTakeFirst()
  if (!revoked) return undefined
  await trx
    .updateTable('sources')
    .set({ closed: nowOrCreated(now) })
    .where((eb) => eb.and({ aid, access_id: revoked.id }))
    .where('closed', 'is', null)
    .execute()
  await recordHistory(trx, [
    {
      aid,
      uid,
      rid,
      accessId: revoked.id,
      at: now,
      actor,
      action: 'revoked',
      before: { ends: revoked.ends },
      after: { revoked: revoked.revoked },
    },
  ])
  return await getAccessById(trx, aid, revoked.id)
}
