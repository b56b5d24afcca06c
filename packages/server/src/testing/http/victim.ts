import fc from 'fast-check'

/** A request that must be refused, with the statuses that are allowed. */
export interface BadRequest {
  kind: string
  bytes: string
  statuses: readonly number[]
}

/** The application that signs, and its data that must not change. */
export interface Victim {
  aid: string
  privateKey: string
  /** The path before `/r2/`. */
  prefix: string
  rid: string
  userRef: string
  email: string
}

/** Requests that would be answered with 200; three of them change data. */
export function goodCalls({
  rid,
  userRef,
  email,
}: Victim): fc.Arbitrary<{ method: string; target: string }> {
  return fc.constantFrom(
    { method: 'GET', target: `/r2/access?rid=${rid}&user_ref=${userRef}` },
    { method: 'GET', target: '/r2/access/search' },
    { method: 'POST', target: `/r2/access/grant?rid=${rid}&email=new@example.com` },
    { method: 'POST', target: `/r2/access/grant?rid=${rid}&email=${email}&expiration=1` },
    { method: 'POST', target: `/r2/access/revoke?rid=${rid}&user_ref=${userRef}` },
  )
}

/** Replaces some characters of a text; `at` may be any number. */
export function splice(text: string, at: number, removed: number, inserted: string): string {
  const start = at % (text.length + 1)
  return text.slice(0, start) + inserted + text.slice(start + removed)
}
