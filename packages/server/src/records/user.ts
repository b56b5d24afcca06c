import { type Static, Type } from 'typebox'
import type { UserRow } from '../domain/users/users.ts'
import { declareRecord } from './declare.ts'

/** An address that nobody has verified. */
export const contact_email = Type.String({
  description:
    'The email address that the user typed when paying, where mail goes. Anybody can type any address, so it identifies nobody. Empty if there is a verified one, or none.',
})

export const toContactEmail = (row: Pick<UserRow, 'email' | 'contact_email'>): string =>
  row.email === null ? (row.contact_email ?? '') : ''

export const User = declareRecord('User', {
  uid: Type.String({ description: "Gatehouse's ID of the user, which never changes." }),
  email: Type.String({ description: "The user's verified email address; empty if there is none." }),
  first_name: Type.String({ description: "The user's first name; empty if unknown." }),
  last_name: Type.String({ description: "The user's last name; empty if unknown." }),
  contact_email,
})

export type UserRecord = Static<typeof User>

/** A user as the API returns it. */
export function userRecord(
  row: Pick<UserRow, 'uid' | 'email' | 'first_name' | 'last_name' | 'contact_email'>,
): UserRecord {
  const { uid, email, first_name, last_name } = row
  return { uid, email: email ?? '', first_name, last_name, contact_email: toContactEmail(row) }
}

/** The same for the dashboard. */
export const userItem = (row: UserRow) => ({
  ...userRecord(row),
  contact_email: row.contact_email ?? '',
  created: row.created,
  erased: row.erased,
})
