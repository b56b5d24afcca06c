import type { UserRow } from '../domain/users/users.ts'
import type { UserRecord } from './schemas.ts'

/** A user as the API returns it. */
export function userRecord({ uid, email, first_name, last_name }: UserRow): UserRecord {
  return { uid, email: email ?? '', first_name, last_name }
}

/** The same for the dashboard. */
export const userItem = (row: UserRow) => ({
  ...userRecord(row),
  contact_email: row.contact_email ?? '',
  created: row.created,
  erased: row.erased,
})
