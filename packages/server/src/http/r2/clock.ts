import type { FastifyInstance } from 'fastify'
import type { Environment } from '../../context.ts'
import { advanceClockOnce, MAX_CLOCK_STEP } from '../../domain/sandbox/clock.ts'
import * as fields from '../../fields.ts'
import { readParameters, required } from '../../parameters.ts'
import { Clock } from '../../records/clock.ts'
import { contract } from './contract.ts'
import { respondOnce } from './request/write-request.ts'

const advance = {
  seconds: required(fields.integer(0, MAX_CLOCK_STEP, 'How far, in seconds; ten years at most.')),
}

/** Registered in the sandbox only. */
export function clockRoutes(app: FastifyInstance, env: Environment): void {
  app.get(
    '/r2/clock',
    contract({
      id: 'getClock',
      summary: "The sandbox's time",
      description: 'In the sandbox only.',
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
        'In the sandbox only, and for all of its applications. Each moment at which something is ' +
        'due is visited in order; the answer comes when all is done.',
      parameters: advance,
      response: Clock,
      isWrite: true,
      sandboxOnly: true,
    }),
    async (request, reply) => {
      const { seconds } = readParameters(advance, request.signed.parameters)
      return respondOnce(reply, await advanceClockOnce(env, seconds, request.write))
    },
  )
}
