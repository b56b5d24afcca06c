/** A path within the app, such as `/production/AID/access?q=ann`. Anything that could lead elsewhere does not match. */
const INSIDE = /^\/(?!\/)[\w.~!$&'()*+,;=:@%/?-]*$/

/** Segments that a browser resolves, and double slashes, which start a host name. */
const LEADS_OUT = /\/\/|\/(\.|%2e){1,2}(\/|$)/i

/** Where to go after signing in: the given path if it is within the app, otherwise the start page. */
export function safeReturnPath(path: string | undefined): string {
  if (path === undefined || !INSIDE.test(path) || path.startsWith('/sign-in')) return '/'
  if (LEADS_OUT.test(path.split('?', 1)[0] ?? '')) return '/'
  return path
}
