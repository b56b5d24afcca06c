import { MAX_EMAIL, problemWithEmail } from '../../email-address.ts'
import { refined, text } from '../../fields.ts'

/** Addresses with the same key are the same person. Computed in code, so that both databases agree. */
export function emailKey(email: string): string {
  return email.normalize('NFC').toLowerCase()
}

export const email = refined(
  text(MAX_EMAIL, "The user's email address; names the user within your application."),
  problemWithEmail,
)
