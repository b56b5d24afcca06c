import type { ControlDatabase } from '../db/database.ts'
import type { Millis } from '../db/tables.ts'
import { newOrderedId } from '../ids.ts'
import { type RefusedCall, recordKeyUses, recordRefusedCalls } from './calls.ts'

const DAY_MS = 86_400_000

/** So long what happened may wait for more, to be written down with it. */
const PAUSE_MS = 2_000

/** While the database is away, or while somebody sends nothing but bad requests. The oldest go first. */
const MOST_WAITING = 2_000

/** What is noted of requests to the API, after they have their answer: in memory first, so that a request
 * costs no write, then in the database beside the environments', where all processes meet. */
export interface CallLog {
  /** The day in real time, counted from 1970. */
  today(): number
  /** A key has signed something today. */
  used(keyId: string): void
  refused(call: Omit<RefusedCall, 'id' | 'at'>): void
  /** Writes down what waits. */
  flush(): Promise<void>
}

export function createCallLog(
  control: ControlDatabase,
  environment: string,
  wall: () => Millis,
): CallLog {
  const lastUse = new Map<string, number>()
  let uses = new Map<string, number>()
  let refusals: RefusedCall[] = []
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()

  const today = () => Math.floor(wall() / DAY_MS)

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
      // Whoever needs the database says that it is away; this can wait.
      uses = new Map([...used, ...uses])
      refusals = [...refused, ...refusals].slice(-MOST_WAITING)
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
      refusals.push({ ...call, id: newOrderedId(), at: wall() })
      if (refusals.length > MOST_WAITING) {
        // What anybody can send goes first.
        const unsigned = refusals.findIndex(({ key_id }) => key_id === null)
        refusals.splice(Math.max(0, unsigned), 1)
      }
      wake()
    },
    flush,
  }
}
