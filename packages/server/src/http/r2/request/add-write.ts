import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { OnceAnswer } from '../../../domain/idempotency/once.ts'
import { type Parameters, readParameters, type Values } from '../../../parameters.ts'
import { contract, type Endpoint } from '../contract.ts'
import { respondOnce, writeParameters } from './write-request.ts'

type Write<P> = Omit<Endpoint, 'isWrite' | 'parameters'> & { parameters: P }

/** Adds an endpoint that changes something. */
export function addWrite<P extends Parameters>(
  app: FastifyInstance,
  path: string,
  endpoint: Write<P>,
  handle: (
    input: Values<P & typeof writeParameters>,
    request: FastifyRequest,
  ) => Promise<OnceAnswer>,
): void {
  const parameters = { ...endpoint.parameters, ...writeParameters }
  const options = contract({ ...endpoint, isWrite: true })
  app.post(path, options, async (request, reply) => {
    const input = readParameters(parameters, request.signed.parameters)
    return respondOnce(reply, await handle(input, request))
  })
}
