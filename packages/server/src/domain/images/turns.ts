import { fail } from '../../errors.ts'

export interface TurnLimits {
  /** How much work of all applications may wait. Beyond it, an application may still have one piece that waits. */
  maxWaiting: number
  /** How much work of one application may wait. */
  maxWaitingForEach: number
}

type Start = () => void

/** Does one piece of work at a time. Applications take turns: an application whose work is slow, and more of it waits, keeps
 * each of the others waiting for one piece of it. */
export class TurnsByApplication {
  readonly #limits: TurnLimits
  /** Work that waits, by application; the application that is next is first. */
  readonly #waiting = new Map<string, Start[]>()
  #isBusy = false

  constructor(limits: TurnLimits) {
    this.#limits = limits
  }

  async run<R>(aid: string, work: () => Promise<R>): Promise<R> {
    if (this.#isBusy) await this.#wait(aid)
    this.#isBusy = true
    try {
      return await work()
    } finally {
      this.#startNext()
    }
  }

  #wait(aid: string): Promise<void> {
    const own = this.#waiting.get(aid) ?? []
    const all = [...this.#waiting.values()].reduce((sum, { length }) => sum + length, 0)
    const { maxWaiting, maxWaitingForEach } = this.#limits
    const isFull = own.length >= maxWaitingForEach || all >= maxWaiting
    if (own.length > 0 && isFull) throw fail('overloaded')
    this.#waiting.set(aid, own)
    return new Promise((resolve) => {
      own.push(resolve)
    })
  }

  /** It stays busy for the one that starts: nobody who comes meanwhile may start before. */
  #startNext(): void {
    const [next] = this.#waiting
    this.#isBusy = next !== undefined
    if (!next) return
    const [aid, [start, ...rest]] = next
    this.#waiting.delete(aid)
    if (rest.length > 0) this.#waiting.set(aid, rest)
    start?.()
  }
}
