/** A path within the app, such as `/production/AID/access?q=ann`. Anything that could lead elsewhere does not match. */
const INSIDE = /^\/(?!\/)[\w.~!$&'()*+,;=:@%/?-]*$/

/** Segments that a browser resolves, and double slashes, which start a host name. */
const LEADS_OUT = /\/\/|\/(\.|%2e){1,2}(\/|$)/i

/** Where to go after signing in: the given path if it is within the app, otherwise the start page. */
export function wayBack(wish: string | undefined): string {
  if (wish === undefined || !INSIDE.test(wish) || wish.startsWith('/sign-in')) return '/'
  if (LEADS_OUT.test(wish.split('?', 1)[0] ?? '')) return '/'
  return wish
}
