import type { Trx } from '../../db/database.ts'
import { findAndLockRow, updateRows } from '../../db/queries/rows.ts'
import { fail, invalid } from '../../errors.ts'
import { recordHistory } from '../history/history.ts'
import {
  type Actor,
  type DownloadKey,
  type DownloadRow,
  type FilesKey,
  getDownload,
  listDownloadsOf,
} from './downloads.ts'

/** Puts all downloads of a resource into the given order. The API shows the first published one. */
export async function orderDownloads(
  trx: Trx,
  { aid, rid }: FilesKey,
  ids: readonly string[],
  { now, actor }: Actor,
): Promise<DownloadRow[]> {
  const before = await lockDownloadsOf(trx, { aid, rid })
  const isSame = ids.length === before.length && new Set(ids).size === ids.length
  if (!isSame || before.some(({ id }) => !ids.includes(id))) throw fail('downloads_changed')
  const old = before.map(({ id }) => id)
  if (ids.every((id, i) => id === old[i])) return before
  for (const [position, id] of ids.entries()) {
    await updateRows(trx, 'downloads', { aid, id }, { position })
  }
  const change = { before: { downloads: old }, after: { downloads: ids } }
  await recordHistory(trx, [{ aid, rid, at: now, actor, action: 'downloads ordered', ...change }])
  return await listDownloadsOf(trx, { aid, rid })
}

/** Moves one download to a place, counted from 1. */
export async function moveDownload(
  trx: Trx,
  key: DownloadKey,
  place: number,
  doing: Actor,
): Promise<DownloadRow[]> {
  const { aid, rid } = key
  const rows = await lockDownloadsOf(trx, { aid, rid })
  const { id } = await getDownload(trx, key)
  if (place < 1 || place > rows.length) {
    throw invalid('to', `must be from 1 to ${rows.length}`)
  }
  const others = rows.map((row) => row.id).filter((other) => other !== id)
  return await orderDownloads(trx, { aid, rid }, others.toSpliced(place - 1, 0, id), doing)
}

/** Adding and ordering lock the resource first, so that no two downloads get one position. */
async function lockDownloadsOf(trx: Trx, { aid, rid }: FilesKey): Promise<DownloadRow[]> {
  if (!(await findAndLockRow(trx, 'resources', { aid, rid }))) throw fail('resource_not_found')
  return await listDownloadsOf(trx, { aid, rid })
}
