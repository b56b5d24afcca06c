import type { PersonItem } from '@gatehouse/server/dashboard-api'
import { texts } from '../../texts.ts'

export const fullNameOf = ({ first_name, last_name }: PersonItem): string =>
  `${first_name} ${last_name}`.trim()

/** The address for mails; empty if none is known. */
export const emailOf = ({ email, contact_email }: PersonItem): string => email || contact_email

/** The title of a person's page. */
export function personTitle(person: PersonItem): string {
  if (person.erased !== null) return texts.people.erasedName
  return fullNameOf(person) || emailOf(person) || texts.people.unnamed
}
