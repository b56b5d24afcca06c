import { type Static, Type } from 'typebox'
import type { UserRow } from '../domain/users/users.ts'
import { declareRecord } from './declare.ts'

export const User = declareRecord('User', {
  uid: Type.String({ description: "Gatehouse's ID of the user, which never changes." }),
  email: Type.String({ description: "The user's verified email address; empty if there is none." }),
  first_name: Type.String({ description: "The user's first name; empty if unknown." }),
  last_name: Type.String({ description: "The user's last name; empty if unknown." }),
})

export type UserRecord = Static<typeof User>

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
