const LONGEST = 2_000

/** What RFC 3986 lets an address be written with: no browser writes any of it otherwise, and there is no
 * white space, control character or backslash, which browsers skip or turn into something else. */
const WRITTEN = /^(?:[A-Za-z0-9._~:/?#[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+$/
/** A star is not among them: it would look as if it stood for something. */
const HOST = /^(?:[a-z0-9.-]+|\[[0-9a-f:]+\])$/
const OWN_MACHINE = /^(?:localhost|127\.0\.0\.1|\[::1\])$/

interface Place {
  origin: string
  path: string
  /** Query and fragment. */
  rest: string
}

/** An address that means the same to everybody who reads it; undefined for any other. */
function readPlace(text: string): Place | undefined {
  if (text.length > LONGEST || !WRITTEN.test(text) || !URL.canParse(text)) return undefined
  const { origin, protocol, hostname, pathname } = new URL(text)
  const isSafe = protocol === 'https:' || (protocol === 'http:' && OWN_MACHINE.test(hostname))
  // In so many letters at its start: no user before the host, no slash left out, no odd spelling.
  if (!isSafe || !HOST.test(hostname) || !text.startsWith(origin)) return undefined
  const behind = text.slice(origin.length)
  const [path = ''] = behind.split(/[?#]/, 1)
  if ((path || '/') !== pathname || hasOddStep(path)) return undefined
  return { origin, path: pathname, rest: behind.slice(path.length) }
}

/** Steps that a server may take otherwise than a browser does: out of the folder that is allowed. */
function hasOddStep(path: string): boolean {
  const plain = path.replace(/%2f|%5c/gi, '/').replace(/%2e/gi, '.')
  return /\/\/|\/\.{1,2}(?:[/;]|$)/.test(plain)
}

const withoutSlash = (path: string) => path.replace(/\/$/, '')

/** Whether a buyer may be sent there: an allowed entry is an origin, or an origin with a folder in it. */
export function isAllowedReturn(allowed: readonly string[], url: string): boolean {
  const place = readPlace(url)
  if (!place) return false
  return allowed.some((entry) => {
    if (problemWithReturnPrefix(entry) !== undefined) return false
    const { origin, path } = readPlace(entry) as Place
    const folder = withoutSlash(path)
    return origin === place.origin && (place.path === folder || place.path.startsWith(`${folder}/`))
  })
}

/** What is wrong with an entry of the allowed addresses, or undefined if nothing is. */
export function problemWithReturnPrefix(text: string): string | undefined {
  if (text.length > LONGEST) return `is longer than ${LONGEST} characters`
  const place = readPlace(text)
  if (!place) {
    return 'must be an address like https://example.com or https://example.com/shop, written plainly; http is for localhost alone'
  }
  return place.rest === '' ? undefined : 'must have no query and no fragment'
}
