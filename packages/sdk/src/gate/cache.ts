import type { AccessCheck } from '../types.ts'

/** An answer of the service, with the times (in milliseconds) until which it may be used. */
export interface KnownAnswer {
  readonly check: AccessCheck
  /** Until then it is used without asking. */
  readonly freshUntil: number
  /** Until then it is used if the service can't be reached. */
  readonly staleUntil: number
  /** The time until which the answer is used without asking again after a failed check: readers don't wait for a
   * service that can't be reached. */
  backoffUntil: number
}

/** A cache of the most recently used answers, with a maximum size. */
export class AnswerCache {
  readonly #entries = new Map<string, KnownAnswer>()
  readonly #maxEntries: number

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries
  }

  get size(): number {
    return this.#entries.size
  }

  find(key: string): KnownAnswer | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    // The order of a Map is that of insertion: the entry becomes the newest.
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry
  }

  store(key: string, entry: KnownAnswer): void {
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    if (this.#entries.size <= this.#maxEntries) return
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest)
      return
    }
  }

  forget(key: string): void {
    this.#entries.delete(key)
  }
}
