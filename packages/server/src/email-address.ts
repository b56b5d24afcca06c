import { problems } from './fields.ts'
import { hasManyMarks } from './unicode.ts'

/** In characters. */
export const MAX_EMAIL = 254

/** A single plain address: no display name, comment or quotes, nothing that could add a header or a second recipient.
 * Letters of any script are allowed on both sides. */
const ADDRESS =
  /^[^\s\p{C}"(),:;<>@[\]\\.]+(?:\.[^\s\p{C}"(),:;<>@[\]\\.]+)*@[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?(?:\.[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?)*$/u

/** Returns what is wrong with an address, or undefined. */
export function problemWithEmail(text: string): string | undefined {
  // Checked first, so that the pattern never runs on a long text.
  if ([...text].length > MAX_EMAIL) return problems.tooLong(MAX_EMAIL)
  return ADDRESS.test(text) && !hasManyMarks(text) ? undefined : 'not a valid email address'
}
