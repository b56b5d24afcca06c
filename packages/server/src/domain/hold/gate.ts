import type { ControlDatabase } from '../../db/database.ts'
import type { Millis } from '../../db/tables.ts'
import { requestResync } from '../events/resync.ts'
import {
  acceptAndResume,
  advanceGenerations,
  compareServer,
  type InstallationHost,
} from '../installation/generations.ts'
import { type Hold, type HoldState, putOnHold, readHoldState } from '../installation/hold.ts'
import { findServerHoldCause } from '../installation/hold-cause.ts'
import { OnHold } from './on-hold.ts'

/** How often the generations are advanced while something is sent out. A database restored to an earlier time is
 * recognized by its lower generation. */
const COUNT_EVERY_MS: Millis = 60_000

/** Guards every call that sends something out. */
export interface Gate {
  /** Compares the databases with the data folder and advances the generations, as at start-up. */
  check(): Promise<Hold | undefined>
  state(): Promise<HoldState>
  /** Whether orders to the provider and mails have to wait. */
  isOnHold(): Promise<boolean>
  /** Throws `OnHold` if nothing may be sent out; otherwise records that something is being sent. */
  requireOpen(): Promise<void>
  /** Ends the hold, accepts the current databases as the installation, and has sites told everything again. */
  resume(): Promise<void>
  close(): Promise<void>
}

interface Options {
  host: InstallationHost
  realTime(): Millis
  /** Whether this process was built for a detached copy and so has no real provider and no mailer. */
  isDetached: boolean
  /** Called with errors of background work that no caller awaits. */
  onTrouble(error: unknown): void
}

export function createGate({ host, realTime, isDetached, onTrouble }: Options): Gate {
  const { control } = host
  let countedAt = Number.NEGATIVE_INFINITY
  let counting: Promise<Hold | undefined> | undefined
  let hasSent = false
  let timer: NodeJS.Timeout | undefined

  const state = () => readHoldState(control.read)
  const isClosed = ({ hold, detached }: HoldState) =>
    hold !== undefined || (detached !== undefined && !isDetached)

  function count(): Promise<Hold | undefined> {
    counting ??= advanceGenerations(host, realTime())
      .then((hold) => {
        countedAt = performance.now()
        return hold
      })
      .finally(() => {
        counting = undefined
      })
    return counting
  }

  function noteSent(): void {
    hasSent = true
    timer ??= setTimeout(countSent, COUNT_EVERY_MS).unref()
  }

  /** Advances the generations if something was sent since the last time. */
  async function countSent(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (!hasSent) return
    hasSent = false
    await count().catch(onTrouble)
  }

  async function requireOpen(): Promise<void> {
    if (isClosed(await state())) throw new OnHold()
    if (performance.now() - countedAt >= COUNT_EVERY_MS && (await count())) throw new OnHold()
    await requireSameServer(control, realTime())
    noteSent()
  }

  return {
    check: count,
    state,
    isOnHold: async () => isClosed(await state()),
    requireOpen,
    async resume() {
      // Before the hold ends: sites must hear of it, even if this process is killed in between.
      await requestResync(host.production, realTime())
      await requestResync(host.sandbox, realTime())
      await acceptAndResume(host)
    },
    close: countSent,
  }
}

/** Puts the installation on hold if the server has been replaced since the last connection, for example by a promoted
 * standby. */
async function requireSameServer(control: ControlDatabase, now: Millis): Promise<void> {
  if (control.engine !== 'postgres') return
  const cause = findServerHoldCause(await compareServer(control))
  if (cause === undefined) return
  await control.write((trx) => putOnHold(trx, { cause, since: now }))
  throw new OnHold()
}
