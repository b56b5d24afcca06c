import type { Db } from '../../db/database.ts'
import type { Millis } from '../../db/tables.ts'
import { decryptKey, readKeysVersion } from './keys.ts'
import type { MasterKey } from './master-key.ts'

/** A revoked key must stop working everywhere within 5 s. This leaves time for a slow query. */
const FRESH_MS = 2_000

/** Older keys are refreshed in the background. Access checks would otherwise leave the fast path for as long as a refresh
 * takes, which is longest when there is most to do. */
const REFRESH_AFTER_MS = FRESH_MS / 2

/** The keys of one environment, decrypted in memory, so that a request is verified before any row is read. */
export interface Keyring {
  keysOf(aid: string): readonly string[]
  /** Whether writes of the application must carry a time. */
  requiresTs(aid: string): boolean
  /** Returns the id of a key that has just verified a request. */
  idOf(aid: string, privateKey: string): string | undefined
  /**
   * Returns an object that identifies the application's current keys: another one once they change,
   * undefined while one of them is scheduled to expire. If read before a signature is checked, it holds
   * for the keys used in that check.
   */
  stableKeys(aid: string): object | undefined
  /** Resolves when the keys are recent enough to trust. Undefined means that they are already; they may be refreshed in
   * the background all the same. */
  refreshIfStale(): Promise<void> | undefined
  /** Checks for changes regardless of age: a refused request may be signed with a key that was just created. */
  refresh(): Promise<void>
}

interface LoadedKeys {
  byAid: Map<string, LiveKey[]>
  /** The applications whose writes must carry a time. */
  requiringTs: Set<string>
}

interface LiveKey {
  id: string
  privateKey: string
  dies: Millis | null
}

/** Used for an unknown AID, so that looking up its keys takes as long as for a known one. */
const EXPIRED_KEYS: readonly LiveKey[] = [{ id: '', privateKey: '', dies: 0 }]

async function loadKeys(db: Db, masterKey: MasterKey): Promise<LoadedKeys> {
  const rows = await db
    .selectFrom('application_keys as k')
    .innerJoin('applications as a', 'a.aid', 'k.aid')
    .selectAll('k')
    .select('a.require_ts')
    .where('a.archived', 'is', null)
    // Newest first, because most requests are signed with it.
    .orderBy('k.created', 'desc')
    .execute()
  const byAid = new Map<string, LiveKey[]>()
  for (const row of rows) {
    const keys = byAid.get(row.aid) ?? []
    keys.push({ id: row.id, privateKey: decryptKey(masterKey, row), dies: row.dies })
    byAid.set(row.aid, keys)
  }
  const requiring = rows.filter((row) => row.require_ts === 1)
  return { byAid, requiringTs: new Set(requiring.map(({ aid }) => aid)) }
}

export function createKeyring(db: Db, masterKey: MasterKey, realTime: () => Millis): Keyring {
  let { byAid, requiringTs }: LoadedKeys = { byAid: new Map(), requiringTs: new Set() }
  let version: string | undefined
  // Monotonic, so that setting the clock back can't keep a revoked key alive.
  let checkedAt = Number.NEGATIVE_INFINITY
  let running: Promise<void> | undefined

  async function load(): Promise<void> {
    const startedAt = performance.now()
    const found = await readKeysVersion(db)
    if (found !== version) {
      const loaded = await loadKeys(db, masterKey)
      byAid = loaded.byAid
      requiringTs = loaded.requiringTs
      version = found
    }
    checkedAt = startedAt
  }

  function begin(): Promise<void> {
    if (!running) {
      running = load().finally(() => {
        running = undefined
      })
      // Not every caller awaits this promise; avoid an unhandled rejection.
      running.catch(() => {})
    }
    return running
  }

  async function refresh(): Promise<void> {
    // A load that is already running may have started before the key was created.
    if (running) await running
    await begin()
  }

  return {
    keysOf(aid) {
      const now = realTime()
      return (byAid.get(aid) ?? EXPIRED_KEYS)
        .filter(({ dies }) => dies === null || dies > now)
        .map((key) => key.privateKey)
    },
    requiresTs: (aid) => requiringTs.has(aid),
    idOf: (aid, privateKey) => byAid.get(aid)?.find((key) => key.privateKey === privateKey)?.id,
    stableKeys(aid) {
      const keys = byAid.get(aid)
      const now = realTime()
      const isLasting = (keys ?? EXPIRED_KEYS).every(({ dies }) => dies === null || dies <= now)
      return isLasting ? keys : undefined
    },
    refreshIfStale() {
      const age = performance.now() - checkedAt
      if (age < REFRESH_AFTER_MS) return undefined
      const refreshed = begin()
      return age < FRESH_MS ? undefined : refreshed
    },
    refresh,
  }
}
