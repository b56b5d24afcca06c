import type { Db } from '../../db/database.ts'
import { type Sort, sortRows } from '../../db/queries/sort.ts'
import { foldCase } from '../../unicode.ts'
import { listResources, type ResourceRow } from './resources.ts'

/** The columns that a list of resources can be sorted by. */
export const RESOURCE_COLUMNS = ['name', 'created'] as const

const SORTED_BY = {
  name: ({ name }: ResourceRow) => name,
  created: ({ created }: ResourceRow) => created,
}

interface ResourceFilter {
  aid: string
  /** Newest first by default. */
  sort?: Sort<(typeof RESOURCE_COLUMNS)[number]> | undefined
  /** True lists only archived resources, false only the others. */
  archived: boolean
  /** A prefix of a rid or any part of a name, ignoring case. */
  q?: string | undefined
}

/** Lists a page of the resources, with their total. Filters and sorts in memory: resources are few, and the two
 * databases fold case differently. */
export async function searchResources(
  db: Db,
  filter: ResourceFilter,
  window: { offset: number; limit: number },
): Promise<{ rows: ResourceRow[]; total: number }> {
  const { aid, archived, sort } = filter
  const q = filter.q === undefined ? undefined : foldCase(filter.q)
  const found = (await listResources(db, aid)).filter(
    (row) => (row.archived !== null) === archived && (q === undefined || matches(row, q)),
  )
  const all = sort === undefined ? found : sortRows(found, sort, SORTED_BY)
  return { rows: all.slice(window.offset, window.offset + window.limit), total: all.length }
}

const matches = ({ rid, name }: ResourceRow, q: string) =>
  foldCase(rid).startsWith(q) || foldCase(name).includes(q)
