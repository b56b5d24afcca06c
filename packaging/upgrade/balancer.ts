import { setTimeout as sleep } from 'node:timers/promises'

/** A stand-in for a proxy in front of several processes: if one fails, it asks the next, until one answers. */
export class Balancer {
  /** The processes that requests go to. */
  urls: string[]
  /** How many requests were answered. */
  answered = 0
  /** How many answers were a failure, or none, before another process was asked. */
  failures = 0
  /** The longest time from a request to its answer. */
  longestMs = 0
  readonly #maxMs: number
  #turn = 0

  constructor(urls: string[], maxMs: number) {
    this.urls = urls
    this.#maxMs = maxMs
  }

  /** Calls a process until one answers. Throws the last failure if none does in time. */
  async send<R>(call: (url: string) => Promise<R>): Promise<R> {
    const began = performance.now()
    for (;;) {
      const url = this.urls[this.#turn++ % this.urls.length] as string
      try {
        const answer = await call(url)
        this.answered++
        this.longestMs = Math.max(this.longestMs, Math.round(performance.now() - began))
        return answer
      } catch (error) {
        this.failures++
        if (performance.now() - began > this.#maxMs) throw error
        await sleep(50)
      }
    }
  }
}
