/** Rids that can be part of a URL of the app unchanged. Others, such as `..`, might be resolved by a browser or a router. */
const PLAIN = /^[A-Za-z0-9][A-Za-z0-9._-]*$/

/** Encodes a rid as a path segment of the app. */
export function ridToSegment(rid: string): string {
  if (PLAIN.test(rid)) return rid
  const bytes = String.fromCharCode(...new TextEncoder().encode(rid))
  return `~${btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`
}

/** Decodes the rid in a path segment of the app. */
export function ridFromSegment(part: string): string {
  if (!part.startsWith('~')) return part
  try {
    const bytes = atob(part.slice(1).replaceAll('-', '+').replaceAll('_', '/'))
    return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)))
  } catch {
    return part
  }
}

/** Prepares a rid for a path of the API, where each segment is percent-encoded. URL parsers resolve `.` and `..`, also
 * escaped ones, so the API takes them with a space before. */
export const ridToApiSegment = (rid: string): string => (/^\.\.?$/.test(rid) ? ` ${rid}` : rid)
