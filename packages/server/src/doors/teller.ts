import { outageOf } from '../db/outage.ts'

/** As much of a logger as is needed to tell. */
export interface TellerLog {
  error(details: { err: unknown; trouble: string }, text: string): void
  info(details: { trouble: string }, text: string): void
}

/** Tells of a trouble when it begins, when it becomes another one, and when it is over. */
export function createTeller(log: TellerLog, worker: string) {
  let known: string | undefined
  return {
    trouble(error: unknown) {
      const kind = outageOf(error)?.code ?? 'failed'
      if (kind !== known) log.error({ err: error, trouble: kind }, `${worker} can’t go on`)
      known = kind
    },
    fine() {
      if (known !== undefined) log.info({ trouble: known }, `${worker} goes on`)
      known = undefined
    },
  }
}
