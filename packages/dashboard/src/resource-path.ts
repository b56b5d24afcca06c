/** What an address can say as it is, and no server or browser resolves. */
const PLAIN = /^[A-Za-z0-9][A-Za-z0-9._-]*$/

/** A resource as a part of an address, of the app or of its API. */
export function ridPart(rid: string): string {
  if (PLAIN.test(rid)) return rid
  const bytes = String.fromCharCode(...new TextEncoder().encode(rid))
  return `~${btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`
}

/** The resource that a part of an address names. */
export function ridIn(part: string): string {
  if (!part.startsWith('~')) return part
  try {
    const bytes = atob(part.slice(1).replaceAll('-', '+').replaceAll('_', '/'))
    return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)))
  } catch {
    return part
  }
}
