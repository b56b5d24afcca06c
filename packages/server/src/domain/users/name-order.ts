import { sql } from 'kysely'
import type { IndexColumns } from '../../db/queries/sort.ts'

/** What the line of the person `u` begins with, as the index `users_by_title` has it. */
export const titleSql = sql`lower(coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email, u.contact_email, ''))`

/** The rows of a table in the order of their people `u`, and of each person the newest first. */
export const nameIndex = (table: string): IndexColumns => [
  [titleSql, 'asc'],
  [sql.ref('u.uid'), 'asc'],
  [sql.ref(`${table}.created`), 'desc'],
  [sql.ref(`${table}.id`), 'asc'],
]

/** Whether a list is sorted by the names of people. */
export const isByName = (sort: string | undefined): boolean => sort === 'name' || sort === '-name'
