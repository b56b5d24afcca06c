import type { Db } from '../../db/database.ts'
import { readMeta, setMeta } from '../../db/meta.ts'
import type { Millis } from '../../db/tables.ts'
import type { PaymentContext } from './context.ts'

const LAST_EVENT_KEY = 'provider_event_at'
const EXPECTED_KEY = 'provider_event_expected_at'

/** Both times are written at most this often. So an event up to this long before something was settled may be the one that
 * reported it. */
const WRITE_EVERY_MS: Millis = 60_000
/** How late an event may be before it counts as missing. */
const MAX_DELAY_MS: Millis = 600_000

/**
 * Whether the provider's events reach us. Whatever is settled is reported by an event, so the time of the last event is
 * compared with that of the last settlement, and not with the current time: in a quiet shop no event comes for days.
 */
export interface EventArrival {
  /** When the last event with a valid signature came, to the minute; undefined if none ever has. */
  last: Millis | undefined
  /** When the first thing was settled that no event has been seen for; undefined if there is none. */
  missingSince: Millis | undefined
}

export async function readEventArrival(db: Db): Promise<EventArrival> {
  const last = await readTime(db, LAST_EVENT_KEY)
  const expected = await readTime(db, EXPECTED_KEY)
  const isMissing = expected !== undefined && expected - (last ?? 0) > WRITE_EVERY_MS
  return { last, missingSince: isMissing ? expected : undefined }
}

async function readTime(db: Db, key: string): Promise<Millis | undefined> {
  const value = await readMeta(db, key)
  return value === undefined ? undefined : Number(value)
}

/** Whether an event has been missing for so long that none seems to arrive. */
export const isEventOverdue = ({ missingSince }: EventArrival, realTime: Millis): boolean =>
  missingSince !== undefined && realTime >= missingSince + MAX_DELAY_MS

/** Whether events can be relied on: one has come, and none is overdue. */
export async function doEventsArrive(db: Db, { realTime }: PaymentContext): Promise<boolean> {
  const arrival = await readEventArrival(db)
  return arrival.last !== undefined && !isEventOverdue(arrival, realTime())
}

/** Records that an event with a valid signature has come. */
export async function recordEvent({ database, realTime }: PaymentContext): Promise<void> {
  const { last } = await readEventArrival(database.read)
  if (last !== undefined && Math.abs(realTime() - last) < WRITE_EVERY_MS) return
  await database.write((trx) => setMeta(trx, LAST_EVENT_KEY, String(realTime())))
}

/** Records that something was settled at the provider, which reports it by an event: before or soon after this. */
export async function expectEvent(ctx: PaymentContext): Promise<void> {
  const { database, provider, realTime } = ctx
  // A provider in our own database sends no events.
  if (!provider?.ledger) return
  const { missingSince } = await readEventArrival(database.read)
  const before = missingSince ?? (await readTime(database.read, EXPECTED_KEY))
  const isRecent = before !== undefined && Math.abs(realTime() - before) < WRITE_EVERY_MS
  if (missingSince !== undefined || isRecent) return
  await database.write((trx) => setMeta(trx, EXPECTED_KEY, String(realTime())))
}
