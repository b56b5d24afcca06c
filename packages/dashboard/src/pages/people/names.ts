import type { PersonItem } from '../../../../server/src/doors/dashboard/shapes-people.ts'
import { texts } from '../../texts.ts'

export const fullNameOf = ({ first_name, last_name }: PersonItem): string =>
  `${first_name} ${last_name}`.trim()

/** Where mails go; empty where none is known. */
export const addressOf = ({ email, contact_email }: PersonItem): string => email || contact_email

/** What the page of a person is called. */
export function titleOf(person: PersonItem): string {
  if (person.erased !== null) return texts.people.erasedName
  return fullNameOf(person) || addressOf(person) || texts.people.unnamed
}
