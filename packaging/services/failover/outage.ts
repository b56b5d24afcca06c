import { RECOVERY_MS } from '../../../packages/server/src/testing/postgres/restartable-postgres.ts'

const LOOK_MS = 100
/** A timer that is this late means that the machine had no time for us. */
const STALL_MS = 1_000
/** For how long after a stall requests may fail: connections that were not opened in time are refused with 503. */
const AFTER_STALL_MS = 10_000

/** The last failover, in times of `performance.now()`. */
export class Outage {
  /** How often this process, and so probably every other one, stood still. */
  stalls = 0
  #stalledAt = Number.NEGATIVE_INFINITY
  #lookedAt = performance.now()
  readonly #timer = setInterval(() => this.#look(), LOOK_MS)
  /** When none of the primary's processes was left. */
  killedAt = Number.POSITIVE_INFINITY
  #readyAt = Number.NEGATIVE_INFINITY
  #resumedAt = Number.NEGATIVE_INFINITY

  /** The primary is about to be killed. */
  begin(): void {
    this.#readyAt = Number.POSITIVE_INFINITY
    this.#resumedAt = Number.POSITIVE_INFINITY
  }

  /** The new primary takes connections. */
  end(): void {
    this.#readyAt = performance.now()
  }

  /** `gatehouse resume` has ended the hold. */
  noteResumed(): void {
    this.#resumedAt = performance.now()
  }

  /** Whether a request that began at this time may get 503 because the database was away. */
  mayFail(from: number): boolean {
    return from <= this.#readyAt + RECOVERY_MS || this.#isStalled(from)
  }

  /** Whether a purchase that began at this time may get 503, also because the installation was on hold. */
  mayPause(from: number): boolean {
    return from <= this.#resumedAt + RECOVERY_MS || this.#isStalled(from)
  }

  /** Ends the look-out for stalls. */
  close(): void {
    clearInterval(this.#timer)
  }

  #isStalled(from: number): boolean {
    this.#look()
    return from <= this.#stalledAt + AFTER_STALL_MS
  }

  #look(): void {
    const now = performance.now()
    if (now - this.#lookedAt > LOOK_MS + STALL_MS) {
      this.stalls++
      this.#stalledAt = now
    }
    this.#lookedAt = now
  }
}
