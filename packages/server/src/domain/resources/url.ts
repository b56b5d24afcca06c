const MAX_URL = 2_000

/** Returns what is wrong with a resource's URL, or undefined. */
export function problemWithUrl(text: string): string | undefined {
  if (text.length > MAX_URL) return `is longer than ${MAX_URL} characters`
  if (/[\s\p{Cc}]/u.test(text)) return 'has white space or a control character in it'
  const protocol = URL.canParse(text) ? new URL(text).protocol : ''
  // The URL becomes a link in mails: no script schemes, and a host is required.
  return /^https?:$/.test(protocol) && /^https?:\/\//i.test(text)
    ? undefined
    : 'must be an address like https://example.com/page'
}
