const SEGMENTS = /^(?:\/[A-Za-z0-9._~!$&'()*+,;=:@%-]*)+$/
/** Segments that URL parsers resolve or drop; they resolve escaped dots like plain ones. */
const AMBIGUOUS_SEGMENT = /\/\/|\/(?:\.|%2[Ee]){1,2}(?:\/|$)/
/** The only segment of other paths that may contain escapes is a name that a caller chose: of a user or a resource. */
const ESCAPED_NAME = /^(.*\/(?:r2\/user|checkout\/[A-Za-z0-9]{10})\/)[^/]+$/
/** Requests to the dashboard and to the management API are not signed, and their paths have names that callers chose, so
 * escapes are allowed there. `hasEscapedFixedPart` allows them in the names alone. */
const UNSIGNED = /^(?:(?!\/r2\/)[^%])*?\/(?:dashboard|management\/v1)\//
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
  if (UNSIGNED.test(path)) return true
  const fixed = ESCAPED_NAME.exec(path)?.[1]
  return fixed !== undefined && !fixed.includes('%')
}
