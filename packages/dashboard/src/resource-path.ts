/** Rids that can be part of a URL unchanged. Others, such as `..`, might be resolved by a browser or server. */
const PLAIN = /^[A-Za-z0-9][A-Za-z0-9._-]*$/

/** Encodes a rid as a path segment, for the app and for its API. */
export function ridToSegment(rid: string): string {
  if (PLAIN.test(rid)) return rid
  const bytes = String.fromCharCode(...new TextEncoder().encode(rid))
  return `~${btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`
}

/** Decodes the rid in a path segment. */
export function ridFromSegment(part: string): string {
  if (!part.startsWith('~')) return part
  try {
    const bytes = atob(part.slice(1).replaceAll('-', '+').replaceAll('_', '/'))
    return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)))
  } catch {
    return part
  }
}
