import { setTimeout as sleep } from 'node:timers/promises'
import { type Gatehouse, UnavailableError } from '@gatehouse/sdk'
import { expect } from 'vitest'
import type { Outage } from './outage.ts'

const PAUSE_MS = 100
const READER = 'probe'
/** As long as a request may take: one that began just before the new primary was ready may fail only then. */
const MAX_WAIT_MS = 30_000

/** Milliseconds from a kill until every server has answered a request that began after it. */
export interface Recovery {
  check: number
  write: number
}

/** One check and one grant at a time at every server, to see when they are answered again. */
export class Probes {
  /** The readers whose grants were answered. */
  readonly granted: string[] = []
  readonly #clients: Gatehouse[]
  readonly #rid: string
  readonly #outage: Outage
  readonly #ended: Promise<unknown>
  /** When each server first answered a request that began after the last kill, by kind. */
  #firsts = new Map<string, number>()
  #isOver = false

  constructor(clients: Gatehouse[], rid: string, outage: Outage) {
    this.#clients = clients
    this.#rid = rid
    this.#outage = outage
    this.#ended = Promise.all(
      clients.flatMap((client, n) => [this.#check(client, n), this.#grant(client, n)]),
    )
    // `stop` reports the failure.
    this.#ended.catch(() => {
      this.#isOver = true
    })
  }

  /** Creates the reader who is checked. */
  static async grantFirst(client: Gatehouse, rid: string): Promise<void> {
    await client.grantAccess(grantTo(rid, READER))
  }

  /** Forgets what was measured before. */
  reset(): void {
    this.#firsts.clear()
  }

  /** Resolves when every server has answered; fails if that takes too long after the new primary was ready. */
  async measure(): Promise<Recovery> {
    const readyAt = performance.now()
    while (this.#firsts.size < 2 * this.#clients.length && !this.#isOver) {
      const waited = performance.now() - readyAt
      expect(waited, `milliseconds; answered: ${[...this.#firsts.keys()]}`).toBeLessThan(
        MAX_WAIT_MS,
      )
      await sleep(5)
    }
    const last = (kind: string) => {
      const times = [...this.#firsts].filter(([name]) => name.startsWith(kind)).map(([, at]) => at)
      return Math.round(Math.max(...times) - this.#outage.killedAt)
    }
    return { check: last('check'), write: last('write') }
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await this.#ended
  }

  #check(client: Gatehouse, n: number): Promise<void> {
    return this.#repeat(`check ${n}`, async () => {
      expect(await client.hasAccess({ rid: this.#rid, user_ref: READER })).toBe(true)
    })
  }

  #grant(client: Gatehouse, n: number): Promise<void> {
    let turn = this.granted.length
    return this.#repeat(`write ${n}`, async () => {
      const reader = `${READER}-${n}-${Date.now()}-${turn++}`
      await client.grantAccess(grantTo(this.#rid, reader))
      this.granted.push(reader)
    })
  }

  async #repeat(name: string, ask: () => Promise<void>): Promise<void> {
    while (!this.#isOver) {
      const from = performance.now()
      try {
        await ask()
        if (from > this.#outage.killedAt && !this.#firsts.has(name)) {
          this.#firsts.set(name, performance.now())
        }
      } catch (error) {
        if (!(error instanceof UnavailableError) || !this.#outage.mayFail(from)) throw error
      }
      await sleep(PAUSE_MS)
    }
  }
}

const grantTo = (rid: string, user_ref: string) => ({
  ...{ rid, user_ref, email: `${user_ref}@example.com`, suppress_email: true },
})
