/** Somewhere in the app, as in `/production/AID/access?q=ann`. Whatever could lead elsewhere is not. */
const INSIDE = /^\/(?!\/)[\w.~!$&'()*+,;=:@%/?-]*$/

/** Parts that a browser resolves, and two slashes, which begin the name of a host. */
const LEADS_OUT = /\/\/|\/(\.|%2e){1,2}(\/|$)/i

/** Where to go after signing in: `wish` where it is a path of ours, else the start. */
export function wayBack(wish: string | undefined): string {
  if (wish === undefined || !INSIDE.test(wish) || wish.startsWith('/sign-in')) return '/'
  if (LEADS_OUT.test(wish.split('?', 1)[0] ?? '')) return '/'
  return wish
}
