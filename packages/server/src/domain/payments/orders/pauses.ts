import type { Db } from '../../../db/database.ts'
import type { Millis } from '../../../db/tables.ts'
import { growingPause, type PaymentContext } from '../context.ts'
import { doEventsArrive } from '../event-arrival.ts'

/** The longest pause before the provider is asked again about a charge or refund that it has not decided itself. Its event
 * comes first, if events arrive. */
const MAX_UNDECIDED_MS: Millis = 6 * 3_600_000
const FIRST_UNDECIDED_MS: Millis = 2_000
const MAX_UNDECIDED_WITHOUT_EVENTS_MS: Millis = 3_600_000

/** Pause before the provider is asked again about an order that it has taken, and not decided. */
export async function undecidedPause(
  db: Db,
  ctx: PaymentContext,
  attempts: number,
): Promise<Millis> {
  const isReported = await doEventsArrive(db, ctx)
  const max = isReported ? MAX_UNDECIDED_MS : MAX_UNDECIDED_WITHOUT_EVENTS_MS
  return growingPause(attempts, [FIRST_UNDECIDED_MS, max])
}
