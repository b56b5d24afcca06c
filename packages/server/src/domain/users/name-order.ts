import { sql } from 'kysely'
import type { IndexColumns } from '../../db/queries/sort.ts'

/** The sort key of a person `u`: the name, or else an address. The index `users_by_title` has the same expression. */
export const titleSql = sql`lower(coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email, u.contact_email, ''))`

/** The rows of a table in the order of their people `u`, and of each person the newest first. */
export const nameIndex = (table: string): IndexColumns => [
  [titleSql, 'asc'],
  [sql.ref('u.uid'), 'asc'],
  [sql.ref(`${table}.created`), 'desc'],
  [sql.ref(`${table}.id`), 'desc'],
]

/** Whether a list is sorted by the names of people. */
export const isByName = (sort: string | undefined): boolean => sort === 'name' || sort === '-name'
