import type { Db } from '../db/database.ts'
import type { Millis } from '../db/tables.ts'
import { keysVersion, openKey } from './keys.ts'
import type { MasterKey } from './master-key.ts'

/** A revoked key must be dead everywhere within 5 s; this leaves room for a slow query. */
const FRESH_MS = 2_000

/** The live keys of one environment, in memory: a request is checked before any row is read. */
export interface Keyring {
  keysOf(aid: string): readonly string[]
  /** Names a key that has just signed something. */
  idOf(aid: string, privateKey: string): string | undefined
  /** Names the keys of an application as they are; another object once they have changed, and none while
   * one of them is about to die. Asked before a signature is checked, it holds for what was checked. */
  lasting(aid: string): object | undefined
  /** Resolves when the keys are recent enough to trust; undefined means that they are now. */
  refreshIfStale(): Promise<void> | undefined
  /** Looks again whatever the age: a refused request may be signed with a key made a moment ago. */
  refresh(): Promise<void>
}

interface LiveKey {
  id: string
  privateKey: string
  dies: Millis | null
}

/** The keys of an AID that there is not: looked at like those of any other, so that both take as long. */
const DEAD_KEYS: readonly LiveKey[] = [{ id: '', privateKey: '', dies: 0 }]

async function loadKeys(db: Db, masterKey: MasterKey): Promise<Map<string, LiveKey[]>> {
  const rows = await db
    .selectFrom('application_keys as k')
    .innerJoin('applications as a', 'a.aid', 'k.aid')
    .selectAll('k')
    .where('a.archived', 'is', null)
    // The newest first: most requests are signed with it.
    .orderBy('k.created', 'desc')
    .execute()
  const byAid = new Map<string, LiveKey[]>()
  for (const row of rows) {
    const keys = byAid.get(row.aid) ?? []
    keys.push({ id: row.id, privateKey: openKey(masterKey, row), dies: row.dies })
    byAid.set(row.aid, keys)
  }
  return byAid
}

export function createKeyring(db: Db, masterKey: MasterKey, wall: () => Millis): Keyring {
  let byAid = new Map<string, LiveKey[]>()
  let version: string | undefined
  // Monotonic: a clock that is set back must not keep a revoked key alive.
  let checkedAt = Number.NEGATIVE_INFINITY
  let running: Promise<void> | undefined

  async function load(): Promise<void> {
    const startedAt = performance.now()
    const found = await keysVersion(db)
    if (found !== version) {
      byAid = await loadKeys(db, masterKey)
      version = found
    }
    checkedAt = startedAt
  }

  function begin(): Promise<void> {
    if (!running) {
      running = load().finally(() => {
        running = undefined
      })
      // Not everybody who asks for it waits for it.
      running.catch(() => {})
    }
    return running
  }

  async function refresh(): Promise<void> {
    // One that is under way may have looked just before the key was made.
    if (running) await running
    await begin()
  }

  return {
    keysOf(aid) {
      const now = wall()
      return (byAid.get(aid) ?? DEAD_KEYS)
        .filter(({ dies }) => dies === null || dies > now)
        .map((key) => key.privateKey)
    },
    idOf: (aid, privateKey) => byAid.get(aid)?.find((key) => key.privateKey === privateKey)?.id,
    lasting(aid) {
      const keys = byAid.get(aid)
      const now = wall()
      const isLasting = (keys ?? DEAD_KEYS).every(({ dies }) => dies === null || dies <= now)
      return isLasting ? keys : undefined
    },
    refreshIfStale: () => (performance.now() - checkedAt < FRESH_MS ? undefined : begin()),
    refresh,
  }
}
