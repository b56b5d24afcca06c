import { toOutageFailure } from '../db/outage.ts'

/** The part of a logger that is needed here. */
export interface OutageLog {
  error(details: { err: unknown; trouble: string }, text: string): void
  info(details: object, text: string): void
}

/** Logs an outage when it begins, when its kind changes, and when it is over. */
export function createOutageLogger(log: OutageLog, worker: string) {
  let known: string | undefined
  return {
    trouble(error: unknown) {
      const kind = toOutageFailure(error)?.code ?? 'failed'
      if (kind !== known)
        log.error({ err: error, trouble: kind }, `${worker} failed and is retried`)
      known = kind
    },
    fine() {
      if (known !== undefined) log.info({ trouble: known }, `${worker} works again`)
      known = undefined
    },
  }
}
