import type { Db } from '../../db/database.ts'
import { selectWindow, type Window } from '../../db/queries/rows.ts'
import {
  newestByIdIndex,
  orderBy,
  type Sort,
  type SortedFilter,
  sortRows,
} from '../../db/queries/sort.ts'
import type { Seconds } from '../../db/tables.ts'
import { uidsWithPrefix } from '../users/prefix.ts'
import type { DeliveryRow } from './deliveries.ts'
import { type DownloadRow, selectDownloads } from './downloads.ts'

/** The columns that a list of downloads can be sorted by. */
export const DOWNLOAD_COLUMNS = ['title', 'size', 'modified'] as const

const SORTED_BY = {
  title: ({ title }: DownloadRow) => title,
  size: ({ size }: DownloadRow) => size,
  modified: ({ modified }: DownloadRow) => modified,
}

export interface DownloadFilter {
  aid: string
  /** Newest first by default. */
  sort?: Sort<(typeof DOWNLOAD_COLUMNS)[number]> | undefined
  rid?: string | undefined
  isPublished?: boolean | undefined
  /** The id of the download or its resource, or a part of the title or file name. */
  text?: string | undefined
}

/** Returns a page of downloads, and the total count. */
export async function searchDownloads(
  db: Db,
  { aid, rid, isPublished, text, sort }: DownloadFilter,
  window: Window,
): Promise<{ rows: DownloadRow[]; total: number }> {
  let query = selectDownloads(db, aid)
  if (isPublished !== undefined) {
    query = query.where('d.published', isPublished ? 'is not' : 'is', null)
  }
  if (rid !== undefined) query = query.where('d.rid', '=', rid)
  const all = await query.orderBy('d.created', 'desc').orderBy('d.id').execute()
  // Resources have few downloads, so the list is short. It is filtered and sorted here because neither database folds
  // case like JavaScript.
  const found = text === undefined ? all : all.filter((row) => isAbout(row, text))
  const rows = sort === undefined ? found : sortRows(found, sort, SORTED_BY)
  return { rows: rows.slice(window.offset, window.offset + window.limit), total: rows.length }
}

function isAbout({ id, rid, title, file_name }: DownloadRow, text: string): boolean {
  const wanted = text.toLowerCase()
  return (
    [id, rid].includes(text) ||
    [title, file_name].some((name) => name.toLowerCase().includes(wanted))
  )
}

/** The columns that a list of deliveries can be sorted by. */
export const DELIVERY_COLUMNS = ['at'] as const
const DELIVERY_INDEXES = { at: newestByIdIndex('at', 'id') }

export interface DeliverySearch extends SortedFilter<typeof DELIVERY_INDEXES> {
  rid?: string | undefined
  /** The id of a download. */
  download?: string | undefined
  uid?: string | undefined
  from?: Seconds | undefined
  to?: Seconds | undefined
  /** The beginning of an email, a user_ref or a name. */
  text?: string | undefined
}

/** Returns a page of deliveries, and the total count. */
export async function searchDeliveries(
  db: Db,
  { aid, rid, download, uid, from, to, text, sort = '-at' }: DeliverySearch,
  window: Window,
): Promise<{ rows: DeliveryRow[]; total: number }> {
  let query = db.selectFrom('deliveries').selectAll().where('aid', '=', aid)
  if (rid !== undefined) query = query.where('rid', '=', rid)
  if (download !== undefined) query = query.where('download_id', '=', download)
  if (uid !== undefined) query = query.where('uid', '=', uid)
  if (from !== undefined) query = query.where('at', '>=', from)
  if (to !== undefined) query = query.where('at', '<', to)
  if (text !== undefined) query = query.where('uid', 'in', uidsWithPrefix(aid, text))
  return await selectWindow(query.orderBy(orderBy(sort, DELIVERY_INDEXES)), window)
}
