import { problems, refined, text } from '../../fields.ts'
import { parseUrl } from '../../parse-url.ts'

const MAX_URL = 2_000

/** Returns what is wrong with the URL of a resource or a picture, or undefined. */
export function problemWithUrl(text: string): string | undefined {
  // Checked first, so that a stored URL from before this limit is judged the same way.
  if (text.length > MAX_URL) return problems.tooLong(MAX_URL)
  if (/[\s\p{Cc}]/u.test(text)) return 'must not contain white space or control characters'
  const protocol = parseUrl(text)?.protocol ?? ''
  // The URL becomes a link in mails: no script schemes, and a host is required.
  return /^https?:$/.test(protocol) && /^https?:\/\//i.test(text)
    ? undefined
    : 'must be a URL like https://example.com/page'
}

export const url = refined(text(MAX_URL, 'A URL.'), problemWithUrl)
