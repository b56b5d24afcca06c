import { MAX_EMAIL, problemWithEmail } from '../../email-address.ts'
import { refined, text } from '../../fields.ts'
import { normalizeText } from '../../unicode.ts'

/** Addresses with the same key are the same person. Computed in code, so that both databases agree. */
export function emailKey(email: string): string {
  return normalizeText(email).toLowerCase()
}

export const email = refined(
  text(MAX_EMAIL, "The user's email address; names the user within your application."),
  problemWithEmail,
)
