import type { FastifyBaseLogger } from 'fastify'
import { outageOf } from '../db/outage.ts'

/** Tells of a trouble when it begins, when it becomes another one, and when it is over. */
export function createTeller(log: Pick<FastifyBaseLogger, 'error' | 'info'>, worker: string) {
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
