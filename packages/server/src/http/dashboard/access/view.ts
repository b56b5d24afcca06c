import type { Db } from '../../../db/database.ts'
import { FOREVER, type Seconds } from '../../../db/tables.ts'
import type { AccessRow } from '../../../domain/access/details.ts'
import { ENDING_SOON_S } from '../../../domain/access/list-for-staff.ts'
import { findRenewalTimes } from '../../../domain/access/renewals.ts'
import { accessStateOf } from '../../../domain/access/state.ts'
import { findResources } from '../../../domain/resources/resources.ts'
import { listUsers } from '../../../domain/users/find.ts'
import { accessItem } from '../../../records/access.ts'
import type { AccessItem, AccessState } from './schemas.ts'

function shownState(row: AccessRow, isRenewed: boolean, now: Seconds): AccessState {
  const state = accessStateOf(row, now)
  return state === 'live' && !isRenewed && row.ends <= now + ENDING_SOON_S ? 'ending' : state
}

export const nameOf = (user: { first_name: string; last_name: string }): string =>
  `${user.first_name} ${user.last_name}`.trim()

/** Converts access records for the API, adding the names of their readers and resources. */
export async function toAccessItems(
  db: Db,
  aid: string,
  rows: readonly AccessRow[],
  now: Seconds,
): Promise<AccessItem[]> {
  const users = await listUsers(
    db,
    aid,
    rows.map(({ uid }) => uid),
  )
  const resources = await findResources(db, aid, [...new Set(rows.map(({ rid }) => rid))])
  const live = rows.filter((row) => accessStateOf(row, now) === 'live')
  const renewals = await findRenewalTimes(
    db,
    aid,
    live.map(({ id }) => id),
  )
  const names = new Map(users.map((user) => [user.uid, nameOf(user)]))
  const titles = new Map(resources.map(({ rid, name }) => [rid, name]))
  return rows.map((row) => ({
    ...accessItem(row),
    resource_name: titles.get(row.rid) ?? row.rid,
    name: names.get(row.uid) ?? '',
    renews: row.ends === FOREVER ? null : (renewals.get(row.id) ?? null),
    state: shownState(row, renewals.has(row.id), now),
  }))
}

export async function toAccessItem(
  db: Db,
  aid: string,
  row: AccessRow,
  now: Seconds,
): Promise<AccessItem> {
  const [item] = await toAccessItems(db, aid, [row], now)
  return item as AccessItem
}
