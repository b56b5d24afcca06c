import type { WebResponse } from '../runtime.ts'

/** The headers of one response, of any server. */
interface ResponseHeaders {
  get(name: string): unknown
  set(name: string, value: string): unknown
}

/** A refusal names one reader's purchase link, and is out of date as soon as that reader has paid: a shared cache would
 * give it to others, and a browser would show it after the purchase. */
const REFUSED = 'private, no-store'

/** A browser may keep a page that its reader may see, but must ask before it shows it again: access may have ended, or
 * somebody else has signed in. */
const GRANTED = 'private, no-cache'

/** Where most sites find out who the reader is. It matters where the site itself allows a cache to keep a response: the
 * cache then keeps one for each reader. */
const READER_HEADERS = ['Cookie', 'Authorization']

/** The value of `Cache-Control` for a reader with access, or without. */
export const policyFor = (granted: boolean): string => (granted ? GRANTED : REFUSED)

/** Marks a response that is still to be made as for one reader alone. What the site has set for all of its pages does
 * not count behind the gate; what it sets afterwards does. */
export function makePrivate(headers: ResponseHeaders, granted: boolean): void {
  headers.set('Cache-Control', policyFor(granted))
  varyByReader(headers)
}

/** The same for a response that is there already: what it says about caches stays. */
export function makePrivateIfUnset(headers: ResponseHeaders, granted: boolean): void {
  if (!headers.get('Cache-Control')) headers.set('Cache-Control', policyFor(granted))
  varyByReader(headers)
}

/** The same for a `Response`. The headers of one that was fetched can't be changed, hence the copy. */
export function toPrivate(response: WebResponse, granted: boolean): WebResponse {
  const own = response as Response
  const copy = new Response(own.body, own)
  makePrivateIfUnset(copy.headers, granted)
  return copy
}

function varyByReader(headers: ResponseHeaders): void {
  const names = String(headers.get('Vary') ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const known = names.map((name) => name.toLowerCase())
  const missing = READER_HEADERS.filter((name) => !known.includes(name.toLowerCase()))
  if (!names.includes('*')) headers.set('Vary', [...names, ...missing].join(', '))
}
