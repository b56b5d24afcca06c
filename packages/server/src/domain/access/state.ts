import type { Db } from '../../db/database.ts'
import { FOREVER, type Seconds } from '../../db/tables.ts'
import { type AccessRow, selectAccess } from './details.ts'

/** Lists all records of a user on a resource: the unrevoked one first, then the revoked ones, latest first. */
export async function listAccessOfUser(
  db: Db,
  key: { aid: string; rid: string; uid: string },
): Promise<AccessRow[]> {
  const rows = await selectAccess(db)
    .where((eb) => eb.and({ 'a.aid': key.aid, 'a.rid': key.rid, 'a.uid': key.uid }))
    .orderBy('a.created', 'desc')
    .orderBy('a.id', 'desc')
    .execute()
  const end = (row: AccessRow) => row.revoked ?? FOREVER
  return rows.sort((a, b) => end(b) - end(a))
}

export type AccessState = 'live' | 'expired' | 'revoked'

export function accessStateOf(row: AccessRow, now: Seconds): AccessState {
  if (row.revoked !== null) return 'revoked'
  return now < row.ends ? 'live' : 'expired'
}
