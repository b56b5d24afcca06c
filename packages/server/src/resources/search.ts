import type { Db } from '../db/database.ts'
import { listResources, type ResourceRow } from './resources.ts'

interface ResourceFilter {
  aid: string
  /** Archived ones, instead of the others. */
  archived: boolean
  /** The beginning of a rid, or part of a name, in whatever case. */
  q?: string | undefined
}

/** A stretch of the resources, newest first, and the count of all. They are few, and compared here: the
 * two databases don't agree on what is the same letter in another case. */
export async function searchResources(
  db: Db,
  filter: ResourceFilter,
  window: { offset: number; limit: number },
): Promise<{ rows: ResourceRow[]; total: number }> {
  const { aid, archived, q } = filter
  const all = (await listResources(db, aid)).filter(
    (row) => (row.archived !== null) === archived && (q === undefined || isMeant(row, fold(q))),
  )
  return { rows: all.slice(window.offset, window.offset + window.limit), total: all.length }
}

const fold = (text: string) => text.normalize('NFC').toLowerCase()

const isMeant = ({ rid, name }: ResourceRow, q: string) =>
  fold(rid).startsWith(q) || fold(name).includes(q)
