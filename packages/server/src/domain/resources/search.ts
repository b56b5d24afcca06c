import type { Db } from '../../db/database.ts'
import { listResources, type ResourceRow } from './resources.ts'

interface ResourceFilter {
  aid: string
  /** True lists only archived resources, false only the others. */
  archived: boolean
  /** A prefix of a rid or any part of a name, ignoring case. */
  q?: string | undefined
}

/** Lists a page of the resources, newest first, with their total. Filters in memory: resources are few, and the two
 * databases fold case differently. */
export async function searchResources(
  db: Db,
  filter: ResourceFilter,
  window: { offset: number; limit: number },
): Promise<{ rows: ResourceRow[]; total: number }> {
  const { aid, archived, q } = filter
  const all = (await listResources(db, aid)).filter(
    (row) => (row.archived !== null) === archived && (q === undefined || matches(row, fold(q))),
  )
  return { rows: all.slice(window.offset, window.offset + window.limit), total: all.length }
}

const fold = (text: string) => text.normalize('NFC').toLowerCase()

const matches = ({ rid, name }: ResourceRow, q: string) =>
  fold(rid).startsWith(q) || fold(name).includes(q)
