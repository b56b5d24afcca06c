import { parseUrl } from '../parse-url.ts'

const MAX_URL_LENGTH = 2_000

/** Characters that RFC 3986 allows in a URL. Browsers rewrite none of them; whitespace, control characters and
 * backslashes, which browsers drop or convert, are excluded. */
const URL_CHARACTERS = /^(?:[A-Za-z0-9._~:/?#[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+$/
/** An asterisk is not allowed: it would look like a wildcard. */
const HOST = /^(?:[a-z0-9.-]+|\[[0-9a-f:]+\])$/
const LOCALHOST = /^(?:localhost|127\.0\.0\.1|\[::1\])$/

interface StrictUrl {
  origin: string
  path: string
  /** Query and fragment. */
  rest: string
}

/** Parses a URL that every reader interprets in the same way; undefined for any other. */
function parseStrictUrl(text: string): StrictUrl | undefined {
  if (text.length > MAX_URL_LENGTH || !URL_CHARACTERS.test(text)) return undefined
  const url = parseUrl(text)
  if (!url) return undefined
  const { origin, protocol, hostname, pathname } = url
  const isSafe = protocol === 'https:' || (protocol === 'http:' && LOCALHOST.test(hostname))
  // `URL` normalizes the origin. A text that does not start with the normalized origin has a user name, a missing slash
  // or an unusual spelling, which other readers of the URL may understand differently.
  if (!isSafe || !HOST.test(hostname) || !text.startsWith(origin)) return undefined
  const behind = text.slice(origin.length)
  const [path = ''] = behind.split(/[?#]/, 1)
  if ((path || '/') !== pathname || hasAmbiguousSegment(path)) return undefined
  return { origin, path: pathname, rest: behind.slice(path.length) }
}

/** Finds path segments that a server may resolve differently from a browser, and so leave the allowed folder. */
function hasAmbiguousSegment(path: string): boolean {
  const plain = path.replace(/%2f|%5c/gi, '/').replace(/%2e/gi, '.')
  return /\/\/|\/\.{1,2}(?:[/;]|$)/.test(plain)
}

const withoutSlash = (path: string) => path.replace(/\/$/, '')

/** Whether a buyer may be sent to `url`. An allowed entry is an origin, optionally with a folder. */
export function isAllowedReturn(allowed: readonly string[], url: string): boolean {
  const place = parseStrictUrl(url)
  if (!place) return false
  return allowed.some((entry) => {
    if (problemWithReturnPrefix(entry) !== undefined) return false
    const { origin, path } = parseStrictUrl(entry) as StrictUrl
    const folder = withoutSlash(path)
    return origin === place.origin && (place.path === folder || place.path.startsWith(`${folder}/`))
  })
}

/** Returns what is wrong with an allowed entry; undefined if it is valid. */
export function problemWithReturnPrefix(text: string): string | undefined {
  if (text.length > MAX_URL_LENGTH) return `must have at most ${MAX_URL_LENGTH} characters`
  const place = parseStrictUrl(text)
  if (!place) {
    return 'must be a plain URL like https://example.com or https://example.com/shop; http is allowed for localhost only'
  }
  return place.rest === '' ? undefined : 'must not have a query or a fragment'
}
