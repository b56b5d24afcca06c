import type { Times } from '../access/grant-wish.ts'
import type { EnvironmentDatabase } from '../db/database.ts'
import type { Millis, Seconds } from '../db/tables.ts'
import { fail } from '../errors.ts'
import type { Delivery } from '../outbox/outbox.ts'
import type { PaymentProvider } from './provider.ts'

/** What it takes to handle money: an environment is one. */
export interface Desk {
  database: EnvironmentDatabase
  provider: PaymentProvider | undefined
  delivery: Delivery
  clock(): Seconds
  wall(): Millis
}

export const timesOf = (desk: Desk): Times => ({ now: desk.clock(), wall: desk.wall() })

export function requireProvider({ provider }: Desk): PaymentProvider {
  if (!provider) throw fail('payments_not_set_up')
  return provider
}

/** The actor in the history of what happens by itself. */
export const WORKER = 'worker'

/** So long one process has to carry an order out before another may take it over. Longer than any call. */
export const LEASE_MS: Millis = 45_000

const SHORTEST_PAUSE_MS: Millis = 2_000
const LONGEST_PAUSE_MS: Millis = 3600_000

/**
 * How long to wait before the provider is asked again, with some jitter: a twentieth of the time that the
 * order has waited. So what became of it is known soon after a trouble is over, and a long one costs few
 * calls.
 */
export function pauseAfter(waited: Seconds, random = Math.random()): Millis {
  const pause = Math.min(Math.max((waited * 1000) / 20, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS)
  return Math.round(pause * (0.8 + 0.4 * random))
}
