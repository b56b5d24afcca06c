import type { Db } from '../../db/database.ts'
import { selectWindow, type Window } from '../../db/rows.ts'
import type { Seconds } from '../../db/tables.ts'
import { uidsWithPrefix } from '../users/prefix.ts'
import type { DeliveryRow } from './deliveries.ts'
import { type DownloadRow, selectDownloads } from './downloads.ts'

export interface DownloadFilter {
  aid: string
  isPublished?: boolean | undefined
  /** The id of the download or its resource, or a part of the title or file name. */
  text?: string | undefined
}

/** Returns a page of downloads, newest first, and the total count. */
export async function searchDownloads(
  db: Db,
  { aid, isPublished, text }: DownloadFilter,
  window: Window,
): Promise<{ rows: DownloadRow[]; total: number }> {
  let query = selectDownloads(db, aid)
  if (isPublished !== undefined) {
    query = query.where('d.published', isPublished ? 'is not' : 'is', null)
  }
  const all = await query.orderBy('d.created', 'desc').orderBy('d.id').execute()
  // Resources have few downloads, so the list is short. It is filtered here because neither database folds case
  // like JavaScript.
  const rows = text === undefined ? all : all.filter((row) => isAbout(row, text))
  return { rows: rows.slice(window.offset, window.offset + window.limit), total: rows.length }
}

function isAbout({ id, rid, title, file_name }: DownloadRow, text: string): boolean {
  const wanted = text.toLowerCase()
  return (
    [id, rid].includes(text) ||
    [title, file_name].some((name) => name.toLowerCase().includes(wanted))
  )
}

export interface DeliverySearch {
  aid: string
  rid?: string | undefined
  /** The id of a download. */
  download?: string | undefined
  uid?: string | undefined
  from?: Seconds | undefined
  to?: Seconds | undefined
  /** The beginning of an email, a user_ref or a name. */
  text?: string | undefined
}

/** Returns a page of deliveries, newest first, and the total count. */
export async function searchDeliveries(
  db: Db,
  { aid, rid, download, uid, from, to, text }: DeliverySearch,
  window: Window,
): Promise<{ rows: DeliveryRow[]; total: number }> {
  let query = db.selectFrom('deliveries').selectAll().where('aid', '=', aid)
  if (rid !== undefined) query = query.where('rid', '=', rid)
  if (download !== undefined) query = query.where('download_id', '=', download)
  if (uid !== undefined) query = query.where('uid', '=', uid)
  if (from !== undefined) query = query.where('at', '>=', from)
  if (to !== undefined) query = query.where('at', '<', to)
  if (text !== undefined) query = query.where('uid', 'in', uidsWithPrefix(aid, text))
  return await selectWindow(query.orderBy('at', 'desc').orderBy('id'), window)
}
