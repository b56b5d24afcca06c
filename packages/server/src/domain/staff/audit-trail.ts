import type { ControlDatabase } from '../../db/database.ts'
import type { AuditTable } from '../../db/tables.ts'
import type { ControlTrx } from './staff.ts'

/** From where an action is done. The session is its id, which is not its token. */
export type AuditOrigin = Pick<AuditTable, 'address' | 'agent' | 'session_id' | 'os_user'>

const NOWHERE: AuditOrigin = { address: null, agent: null, session_id: null, os_user: null }

/** An entry as it was written, or the part of it that changed. */
export type WrittenAudit = { seq: number } & Partial<Omit<AuditTable, 'seq'>>

interface Trail {
  origin: AuditOrigin
  written: WrittenAudit[]
}

/** The trail of each transaction; see `collectChanges` for why this is no `AsyncLocalStorage`. */
const trails = new WeakMap<ControlTrx, Trail>()

interface TrailOptions {
  /** The origin of all entries that are written through the database. */
  origin?: Partial<AuditOrigin>
  /** Called with each entry once it is committed. */
  onWritten?(entry: WrittenAudit): void
}

/** Returns the same database, whose transactions know from where they are asked for and tell which audit entries they have
 * written. Wrapping it twice adds up. */
export function withAuditTrail(
  control: ControlDatabase,
  { origin, onWritten }: TrailOptions,
): ControlDatabase {
  return {
    ...control,
    async write(fn, options) {
      let written: WrittenAudit[] = []
      const result = await control.write(async (trx) => {
        const outer = trails.get(trx)
        // Anew in each attempt: only what is committed in the end counts.
        written = []
        trails.set(trx, { origin: { ...NOWHERE, ...outer?.origin, ...origin }, written })
        try {
          return await fn(trx)
        } finally {
          outer?.written.push(...written)
          // On SQLite, one object stands for all transactions, one after the other.
          if (outer) trails.set(trx, outer)
          else trails.delete(trx)
        }
      }, options)
      if (onWritten) for (const entry of written) onWritten(entry)
      return result
    },
  }
}

export const originOf = (trx: ControlTrx): AuditOrigin => trails.get(trx)?.origin ?? NOWHERE

/** Says to which session the following entries of the transaction belong: it has just begun. */
export function setAuditSession(trx: ControlTrx, sessionId: string): void {
  const trail = trails.get(trx)
  if (trail) trail.origin = { ...trail.origin, session_id: sessionId }
}

export function reportWritten(trx: ControlTrx, entry: WrittenAudit): void {
  trails.get(trx)?.written.push(entry)
}

const MAX_AGENT = 300

/** The name that a browser or a program gives itself, cut and without control characters. */
export const cleanAgent = (agent: string): string =>
  agent.slice(0, MAX_AGENT).replace(/\p{Cc}+/gu, ' ')
