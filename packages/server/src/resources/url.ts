const LONGEST_URL = 2_000

/** What is wrong with the address of a resource, or undefined if nothing is. */
export function problemWithUrl(text: string): string | undefined {
  if (text.length > LONGEST_URL) return `is longer than ${LONGEST_URL} characters`
  if (/[\s\p{Cc}]/u.test(text)) return 'has white space or a control character in it'
  const protocol = URL.canParse(text) ? new URL(text).protocol : ''
  // It becomes a link in mails: nothing that runs, nothing without a host.
  return /^https?:$/.test(protocol) && /^https?:\/\//i.test(text)
    ? undefined
    : 'must be an address like https://example.com/page'
}
