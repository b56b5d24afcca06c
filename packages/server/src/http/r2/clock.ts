import type { FastifyInstance } from 'fastify'
import type { Environment } from '../../context.ts'
import { advanceClockOnce, MAX_CLOCK_STEP } from '../../domain/sandbox/clock.ts'
import * as fields from '../../fields.ts'
import { readParameters, required } from '../../parameters.ts'
import { Clock } from '../../records/clock.ts'
import { contract } from './contract.ts'
import { respondOnce } from './request/write-request.ts'

const advance = {
  seconds: required(
    fields.integer(
      0,
      MAX_CLOCK_STEP,
      'Number of seconds to move the clock forward; ten years at most.',
    ),
  ),
}

/** Registered in the sandbox only. */
export function clockRoutes(app: FastifyInstance, env: Environment): void {
  app.get(
    '/r2/clock',
    contract({
      id: 'getClock',
      summary: "The sandbox's time",
      description: 'Exists in the sandbox only.',
      parameters: {},
      response: Clock,
      sandboxOnly: true,
    }),
    async () => ({ time: env.clock() }),
  )
  app.post(
    '/r2/clock/advance',
    contract({
      id: 'advanceClock',
      summary: "Move the sandbox's clock forward",
      description:
        'Exists in the sandbox only, and moves the clock of all its applications. Everything that becomes ' +
        'due is done in order, before the response is sent.',
      parameters: advance,
      response: Clock,
      failures: ['clock_is_moving', 'clock_only_forward', 'on_hold', 'provider_unavailable'],
      isWrite: true,
      sandboxOnly: true,
    }),
    async (request, reply) => {
      const { seconds } = readParameters(advance, request.signed.parameters)
      return respondOnce(reply, await advanceClockOnce(env, seconds, request.write))
    },
  )
}
