/** Remembers what was asked for lately. */
export interface Memory<V> {
  get(name: string): V | undefined
  set(name: string, value: V): void
}

/** Holds at least the `most` names that were used last, and at most twice as many: when the young half is
 * full, the old one is forgotten and they change places. */
export function createMemory<V>(most: number): Memory<V> {
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
