import { type Static, Type } from 'typebox'
import type { UserRow } from '../domain/users/users.ts'
import { declareRecord } from './declare.ts'

export const User = declareRecord('User', {
  uid: Type.String({ description: "The service's user ID." }),
  email: Type.String({ description: "The user's email address." }),
  first_name: Type.String({ description: 'Empty if it is not known.' }),
  last_name: Type.String({ description: 'Empty if it is not known.' }),
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
