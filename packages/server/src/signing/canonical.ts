const SEGMENTS = /^(?:\/[A-Za-z0-9._~!$&'()*+,;=:@%-]*)+$/
const AMBIGUOUS_SEGMENT = /\/\/|\/\.\.?(?:\/|$)/
/** The only path segment that may contain escapes is a name that a caller chose: of a user or a resource. */
const ESCAPED_NAME = /^(.*\/(?:r2\/user|checkout\/[A-Za-z0-9]{10})\/)[^/]+$/
/** Dashboard requests are not signed, and names are part of URLs that people see, so escapes are allowed there. */
const DASHBOARD = /^(?:(?!\/r2\/)[^%])*?\/dashboard\//
const ESCAPED_CONTROL = /%(?:[01][0-9A-Fa-f]|7[Ff])/

/**
 * Whether a request target is written in the one form that we route. The signature covers the bytes as sent; a router
 * that resolved or decoded them would serve something other than what was signed.
 */
export function isCanonical(target: string): boolean {
  if (target.includes('#') || target.includes('\\')) return false
  const mark = target.indexOf('?')
  const path = mark === -1 ? target : target.slice(0, mark)
  if (!SEGMENTS.test(path) || AMBIGUOUS_SEGMENT.test(path)) return false
  if (!path.includes('%')) return true
  if (ESCAPED_CONTROL.test(path)) return false
  if (DASHBOARD.test(path)) return true
  const fixed = ESCAPED_NAME.exec(path)?.[1]
  return fixed !== undefined && !fixed.includes('%')
}
