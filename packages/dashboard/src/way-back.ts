/** Somewhere in the app, as in `/production/AID/access?q=ann`. Whatever could lead elsewhere is not. */
const INSIDE = /^\/(?![/\\])[\w.~!$&'()*+,;=:@%/?-]*$/

/** Where to go after signing in: `wish` where it is a path of ours, else the start. */
export function wayBack(wish: string | undefined): string {
  if (wish === undefined || !INSIDE.test(wish) || wish.startsWith('/sign-in')) return '/'
  return wish
}
