import { setTimeout as sleep } from 'node:timers/promises'
import type { Db, Trx } from '../db/database.ts'
import { readMeta, setMeta } from '../db/meta.ts'
import type { Seconds } from '../db/tables.ts'
import { fail } from '../errors.ts'
import type { Desk } from '../payments/desk.ts'
import { workDue } from '../payments/due.ts'
import { isAnyPending } from '../payments/orders.ts'
import { nextMoment } from '../payments/renewals.ts'

/** How far the sandbox's clock is ahead of real time. It goes on ticking from there. */
const OFFSET = 'clock_offset'

export async function readClockOffset(db: Db): Promise<Seconds> {
  return Number((await readMeta(db, OFFSET)) ?? 0)
}

/** Only forward, and only from where the one who moves it believes it to be. */
async function moveClock(trx: Trx, from: Seconds, to: Seconds): Promise<void> {
  // Waits for anybody who is moving it too, and then sees where it is.
  await setMeta(trx, 'clock_moved', String(to))
  if ((await readClockOffset(trx)) !== from) throw fail('clock_is_moving')
  await setMeta(trx, OFFSET, String(to))
}

/** Only where nothing is left that happened ahead of it. */
export async function returnToRealTime(trx: Trx): Promise<void> {
  await setMeta(trx, 'clock_moved', '0')
  await setMeta(trx, OFFSET, '0')
}

/** A desk whose clock can be moved. */
export interface MovableDesk extends Desk {
  /** How far it is ahead of real time, as far as this process knows. */
  clockOffset(): Seconds
}

const LONGEST_WAIT_MS = 60_000
const LOOK_AGAIN_MS = 100

/** Cards and ends of access are dated; far ahead, nothing means anything any more. */
const LAST_MOMENT: Seconds = Date.UTC(2090, 0, 1) / 1000
const CLOCK_ENDS =
  "The sandbox's clock ends with the year 2089. To begin again: gatehouse sandbox reset."

/**
 * Moves the clock forward, from one due moment to the next: what falls due at each is done, with its
 * mails, before the clock goes on. Returns the time that it is then.
 */
export async function advanceClock(desk: MovableDesk, by: Seconds): Promise<Seconds> {
  if (by < 0) throw fail('clock_only_forward')
  // What falls due on the way could not be charged, and the clock would have to wait for it.
  if (await desk.isOnHold()) throw fail('on_hold')
  await desk.refreshClock()
  const target = desk.clock() + by
  if (target > LAST_MOMENT) throw fail('clock_only_forward', CLOCK_ENDS)
  await finishDue(desk)
  for (;;) {
    const moment = await nextMoment(desk.database.read)
    if (moment === undefined || moment > target) break
    if (moment > desk.clock()) await moveTo(desk, moment)
    await finishDue(desk)
  }
  if (target > desk.clock()) await moveTo(desk, target)
  await finishDue(desk)
  return desk.clock()
}

async function moveTo(desk: MovableDesk, moment: Seconds): Promise<void> {
  const to = moment - Math.floor(desk.wall() / 1000)
  await desk.database.write((trx) => moveClock(trx, desk.clockOffset(), to))
  await desk.refreshClock()
}

/** Works, together with whoever else does, until nothing waits for this moment any more. */
async function finishDue(desk: MovableDesk): Promise<void> {
  const until = performance.now() + LONGEST_WAIT_MS
  while (performance.now() < until) {
    if ((await workDue(desk)) > 0) continue
    if (!(await isWaiting(desk))) return
    await sleep(LOOK_AGAIN_MS)
  }
  throw fail(
    'provider_unavailable',
    'A payment is still waiting for the provider; the clock waits.',
  )
}

/** For the provider's answer, or for a step that another process is taking. */
async function isWaiting(desk: Desk): Promise<boolean> {
  if (await isAnyPending(desk)) return true
  const next = await nextMoment(desk.database.read)
  return next !== undefined && next <= desk.clock()
}
