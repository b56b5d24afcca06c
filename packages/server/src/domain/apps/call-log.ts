import type { ControlDatabase } from '../../db/database.ts'
import type { Millis } from '../../db/tables.ts'
import { newOrderedId } from '../../ids.ts'
import { type RefusedCall, recordKeyUses, recordRefusedCalls } from './calls.ts'

const DAY_MS = 86_400_000

/** How long entries are collected before they are written as a batch. */
const PAUSE_MS = 2_000

/** Maximum refused calls held in memory while the database is down or a client sends only bad requests. */
const MAX_QUEUED = 2_000

/** Records key uses and refused API calls. Entries are buffered in memory, so that a request costs no write, and then
 * written to the control database, which all processes share. */
export interface CallLog {
  /** The current day in real time, as days since 1970. */
  today(): number
  /** Records that a key has signed a request today. */
  used(keyId: string): void
  refused(call: Omit<RefusedCall, 'id' | 'at'>): void
  /** Writes the buffered entries. */
  flush(): Promise<void>
}

export function createCallLog(
  control: ControlDatabase,
  environment: string,
  realTime: () => Millis,
): CallLog {
  const lastUse = new Map<string, number>()
  let uses = new Map<string, number>()
  let refusals: RefusedCall[] = []
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()

  const today = () => Math.floor(realTime() / DAY_MS)

  async function writeAll(): Promise<void> {
    const used = uses
    const refused = refusals
    if (used.size + refused.length === 0) return
    uses = new Map()
    refusals = []
    try {
      await control.write(async (trx) => {
        await recordRefusedCalls(trx, environment, refused)
        await recordKeyUses(trx, used)
      })
    } catch {
      // The outage is reported by code that needs the database. Keep the entries and retry later.
      uses = new Map([...used, ...uses])
      refusals = [...refused, ...refusals].slice(-MAX_QUEUED)
      wake()
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(writeAll)
    return writing
  }

  function wake(): void {
    timer ??= setTimeout(flush, PAUSE_MS).unref()
  }

  return {
    today,
    used(keyId) {
      const day = today()
      if (lastUse.get(keyId) === day) return
      lastUse.set(keyId, day)
      uses.set(keyId, day)
      wake()
    },
    refused(call) {
      refusals.push({ ...call, id: newOrderedId(), at: realTime() })
      if (refusals.length > MAX_QUEUED) dropOne(refusals)
      wake()
    },
    flush,
  }
}

/** Drops the oldest unsigned call, since anybody can send those; without one, the oldest call. */
function dropOne(calls: RefusedCall[]): void {
  const unsigned = calls.findIndex(({ key_id }) => key_id === null)
  calls.splice(Math.max(0, unsigned), 1)
}
