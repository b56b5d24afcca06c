import type { Seconds } from '../../../db/tables.ts'
import type { Keyring } from '../../../domain/apps/keyring.ts'
import { readParameters } from '../../../parameters.ts'
import { isCanonical } from '../../../signing/canonical.ts'
import { checkSignature } from '../../../signing/check.ts'
import { getAccessParameters } from '../access.ts'
import type { AccessJson } from './access-lookup.ts'
import { createRecentCache, createSeenFilter } from './recent-cache.ts'

/** A verified request for an access record, and what was found for it. */
export interface VerifiedAccessRequest {
  url: string
  aid: string
  key: readonly string[]
  showExpired: boolean
  /** The key that signed it, and the day on which its use was last recorded. */
  keyId: string
  usedOn: number | undefined
  /** The application's keys that it was verified with. */
  keys: object
  /** The database's version when `record` was looked up; undefined if it was not. */
  dataVersion: number | undefined
  /** When `record` was looked up. */
  lookedUp: Seconds
  record: AccessJson | undefined
}

export interface RequestVerifier {
  /** Returns undefined for a request that is not signed correctly or has unusual parameters: the route says why. */
  verify(url: string, authorization: string): VerifiedAccessRequest | undefined
}

/** Number of requests to cache. It can temporarily double: about 40 MB at most. */
const MAX_CACHED = 20_000
const MAX_CACHED_URL_LENGTH = 1_024

/** Verifies requests, and caches those that are repeated. `prefix` is the path before `/r2/`. */
export function createRequestVerifier(keyring: Keyring, prefix: string): RequestVerifier {
  const cache = createRecentCache<VerifiedAccessRequest>(MAX_CACHED)
  const seen = createSeenFilter()

  function verifyAnew(url: string, authorization: string): VerifiedAccessRequest | undefined {
    if (!isCanonical(url)) return undefined
    const target = url.slice(prefix.length)
    const received = { method: 'GET', target, authorization: [authorization], body: '' }
    const keys = keyring.stableKeys(authorization.slice(0, authorization.indexOf(':')))
    // Checked even if there are no keys: refusing an unknown AID must take as long as refusing a wrong signature.
    const result = checkSignature(keyring.keysOf, received)
    if (!result.ok || !keys) return undefined
    try {
      const input = readParameters(getAccessParameters, result.parameters)
      const key = [result.aid, input.rid, input.user_ref]
      const { aid } = result
      const keyId = keyring.idOf(aid, result.key)
      if (keyId === undefined) return undefined
      const nothing = { usedOn: undefined, dataVersion: undefined, lookedUp: 0, record: undefined }
      return { url, aid, key, showExpired: input.show_expired, keyId, keys, ...nothing }
    } catch {
      return undefined
    }
  }

  return {
    verify(url, authorization) {
      const known = cache.get(authorization)
      if (known?.url === url && known.keys === keyring.stableKeys(known.aid)) return known
      const check = verifyAnew(url, authorization)
      // Most requests are never repeated, so only a repeated one is cached.
      if (check && url.length <= MAX_CACHED_URL_LENGTH && seen.isSecond(authorization)) {
        cache.set(authorization, check)
      }
      return check
    },
  }
}
