import { refined, text } from '../kinds.ts'

const LONGEST_EMAIL = 254

/** One plain address: no display name, no comment, no quotes, nothing that could add a header or a
 * second recipient. Letters of any script are fine on both sides. */
const ADDRESS =
  /^[^\s\p{C}"(),:;<>@[\]\\.]+(?:\.[^\s\p{C}"(),:;<>@[\]\\.]+)*@[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?(?:\.[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?)*$/u

/** What is wrong with an address, or undefined if nothing is. */
function problemWithEmail(text: string): string | undefined {
  // Length first: the pattern never sees a long text.
  if ([...text].length > LONGEST_EMAIL) return `is longer than ${LONGEST_EMAIL} characters`
  return ADDRESS.test(text) ? undefined : 'is not a valid e-mail address'
}

/** Two addresses with one key are one person. Computed here, so that both databases agree. */
export function emailKey(email: string): string {
  return email.normalize('NFC').toLowerCase()
}

export const email = refined(
  text(254, "The user's e-mail address; names the user within your application."),
  problemWithEmail,
)
