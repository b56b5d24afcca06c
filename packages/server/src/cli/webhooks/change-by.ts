import type { Environment } from '../../context.ts'
import type { EndpointChange } from '../../domain/webhooks/endpoints/endpoints.ts'
import { ACTOR } from '../context.ts'

/** A change by the command line, now. */
export const changeBy = (env: Environment): EndpointChange => ({
  ...{ actor: ACTOR, now: env.clock(), realTime: env.realTime() },
})
