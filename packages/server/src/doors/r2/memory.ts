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

/** Tells what was seen before, not long ago. */
export interface Sightings {
  isSecond(name: string): boolean
}

const PLACES = 2 ** 16

/**
 * Takes the end of a name for the whole of it, which is as good as random where that is a signature. Each
 * has one place, where the next one that falls on it takes over. A mistake does no harm: something is
 * remembered for nothing, or a little later.
 */
export function createSightings(): Sightings {
  const seen = new Int32Array(PLACES)
  return {
    isSecond(name) {
      let mark = 1
      for (let i = name.length - 7; i < name.length; i++) {
        mark = (Math.imul(mark, 67) + name.charCodeAt(i)) | 0
      }
      const place = mark & (PLACES - 1)
      if (seen[place] === mark) return true
      seen[place] = mark
      return false
    },
  }
}
