import type { EnvironmentDatabase } from '../../db/database.ts'
import type { Millis, Seconds } from '../../db/tables.ts'
import { fail } from '../../errors.ts'
import type { Clocks } from '../access/grants/input.ts'
import type { Delivery } from '../mail/outbox.ts'
import type { PaymentProvider } from './provider.ts'

/** Everything needed to handle payments; an `Environment` provides it. */
export interface PaymentContext {
  database: EnvironmentDatabase
  provider: PaymentProvider | undefined
  delivery: Delivery
  /** Whether orders to the provider have to wait because the installation is on hold. */
  isOnHold(): Promise<boolean>
  clock(): Seconds
  /** Reloads the clock's offset. Only the sandbox's clock can be moved. */
  refreshClock(): Promise<void>
  realTime(): Millis
  /** The key of the digests that show who has had a trial. Must be called before a transaction begins: the first
   * call may write the key. */
  trialKey(): Promise<Buffer>
}

export const clocksOf = (ctx: PaymentContext): Clocks => ({
  now: ctx.clock(),
  realTime: ctx.realTime(),
})

export function requireProvider({ provider }: PaymentContext): PaymentProvider {
  if (!provider) throw fail('payments_not_set_up')
  return provider
}

/** The actor in the history of automatic changes. */
export const WORKER_ACTOR = 'worker'

/** How long one process may work on an order before another takes it over; longer than nearly all orders take. If
 * both carry it out, the idempotency key makes it one order, and either may store the outcome. */
export const LEASE_MS: Millis = 45_000

const FIRST_PAUSE_MS: Millis = 2_000
const MAX_PAUSE_MS: Millis = 25_000

/** Pause before the provider is asked again: exponential backoff with jitter. The cap keeps the outcome from
 * staying unknown for more than a minute once the provider answers again, even if one more call times out. */
export const backoffAfter = (attempts: number, random?: number): Millis =>
  growingPause(attempts, [FIRST_PAUSE_MS, MAX_PAUSE_MS], random)

/** Longer than any call takes: what was sent under the refused key can't be carried out later. */
const FIRST_REFUSED_PAUSE_MS: Millis = 60_000
export const MAX_REFUSED_PAUSE_MS: Millis = 6 * 3_600_000

/** Pause after the provider has refused an order. Somebody has to do something first, which takes hours or days. */
export const refusedBackoffAfter = (refusals: number, random?: number): Millis =>
  growingPause(refusals, [FIRST_REFUSED_PAUSE_MS, MAX_REFUSED_PAUSE_MS], random)

/** A pause that doubles each time up to `max`, with jitter. */
export function growingPause(
  times: number,
  [first, max]: [Millis, Millis],
  random = Math.random(),
): Millis {
  return Math.round(Math.min(first * 2 ** (times - 1), max) * (0.8 + 0.4 * random))
}
