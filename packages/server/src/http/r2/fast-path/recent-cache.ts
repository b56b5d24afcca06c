/** A cache of recently used values. */
export interface RecentCache<V> {
  get(name: string): V | undefined
  set(name: string, value: V): void
}

/** Holds at least the `most` most recently used names, and at most twice as many: when the newer half is full, the
 * older one is dropped and the newer one takes its place. */
export function createRecentCache<V>(most: number): RecentCache<V> {
  let young = new Map<string, V>()
  let old = new Map<string, V>()

  function set(name: string, value: V): void {
    if (young.size >= most) {
      old = young
      young = new Map()
    }
    young.set(name, value)
  }

  return {
    get(name) {
      const found = young.get(name)
      if (found !== undefined) return found
      const older = old.get(name)
      if (older !== undefined) set(name, older)
      return older
    },
    set,
  }
}

/** Detects names that were seen before, not long ago. */
export interface SeenFilter {
  isSecond(name: string): boolean
}

const PLACES = 2 ** 16

/**
 * Identifies a name by a hash of its last characters, which are effectively random in a signature. Each hash has one
 * slot, and the next hash for that slot overwrites it. A mistake is harmless: something is cached needlessly, or a
 * little later.
 */
export function createSeenFilter(): SeenFilter {
  const seen = new Int32Array(PLACES)
  return {
    isSecond(name) {
      let hash = 1
      for (let i = name.length - 7; i < name.length; i++) {
        hash = (Math.imul(hash, 67) + name.charCodeAt(i)) | 0
      }
      const place = hash & (PLACES - 1)
      if (seen[place] === hash) return true
      seen[place] = hash
      return false
    },
  }
}
