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
  /** Whether orders to the provider have to wait, since the installation is on hold. */
  isOnHold(): Promise<boolean>
  clock(): Seconds
  /** Looks how far the clock was moved, where it can be. */
  refreshClock(): Promise<void>
  wall(): Millis
  /** A key of the environment itself, for links and for what is kept as a digest. Must be asked for before a
   * transaction begins: the first call may write it. */
  linkKey(): Promise<Buffer>
}

export const timesOf = (desk: Desk): Times => ({ now: desk.clock(), wall: desk.wall() })

export function requireProvider({ provider }: Desk): PaymentProvider {
  if (!provider) throw fail('payments_not_set_up')
  return provider
}

/** The actor in the history of what happens by itself. */
export const WORKER = 'worker'

/** So long one process has to carry an order out before another takes it over. Longer than nearly all; if
 * both do, it is still one order, since its key is one. What is true is written down whoever heard it. */
export const LEASE_MS: Millis = 45_000

const FIRST_PAUSE_MS: Millis = 2_000
const LONGEST_PAUSE_MS: Millis = 25_000

/** How long to wait before the provider is asked again: twice as long each time, with some jitter; and
 * never so long that the outcome is unknown for a minute once the provider answers again, even where a
 * call hangs for a while yet. */
export function pauseAfter(attempts: number, random = Math.random()): Millis {
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), LONGEST_PAUSE_MS)
  return Math.round(pause * (0.8 + 0.4 * random))
}
