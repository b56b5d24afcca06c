import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Environment } from '../../../context.ts'
import type { OnceAnswer } from '../../../domain/idempotency/once.ts'
import { describeWrite, type WriteRequest } from '../../../domain/idempotency/write-request.ts'
import { invalid } from '../../../errors.ts'
import * as fields from '../../../fields.ts'
import { optional, parseForm, readParameters } from '../../../parameters.ts'
import { callOf } from './refused-calls.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a request to this route changes something. */
    isWrite?: boolean
  }
  interface FastifyRequest {
    /** Set for requests that change something. */
    write: WriteRequest
  }
}

/** How far the time of a request may be from ours. */
const MAX_TS_DIFFERENCE_S = 300

/** The parameters that every write takes. A retry has another `ts`, and is still the same request. */
export const writeParameters = {
  idempotency_key: optional(
    fields.text(
      255,
      'Your own name for this operation: a repeated request with the same key takes effect once, and ' +
        'is answered as the first one was. Kept for 7 days.',
    ),
  ),
  ts: optional(
    fields.described(
      'When the request was signed, in seconds since 1970: at most 300 s from the time of the service. ' +
        'Required if the application is set so; such a request then takes effect once.',
      fields.seconds,
    ),
  ),
}

/** Reads what identifies a write, and refuses one that is too old or has no time although it must. */
export function writeRequestHook(env: Environment, prefix: string) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (!request.routeOptions.config.isWrite) return
    const { aid, parameters, signature } = request.signed
    const { ts, idempotency_key: key } = readParameters(writeParameters, parameters)
    const isRequired = env.keyring.requiresTs(aid)
    if (ts !== undefined) requireRecent(ts, Math.floor(env.realTime() / 1000), reply)
    else if (isRequired) throw invalid('ts', 'required: the application refuses writes without it')
    const { method, route } = callOf(request, prefix)
    request.write = describeWrite({
      ...{ aid, owner: '', route: `${method} ${route}`, idempotencyKey: key },
      parameters: contentOf(parameters),
      signature: isRequired ? signature : undefined,
    })
  }
}

/** Compares with real time, also in the sandbox: the client knows no other. A client whose clock is wrong learns the
 * time from the response. */
function requireRecent(ts: number, now: number, reply: FastifyReply): void {
  const difference = ts - now
  if (Math.abs(difference) <= MAX_TS_DIFFERENCE_S) return
  reply.header('Gatehouse-Time', String(now))
  const direction = difference < 0 ? 'behind' : 'ahead of'
  throw invalid(
    'ts',
    `${Math.abs(difference)} s ${direction} the time of the service, which is ${now}; ` +
      `at most ${MAX_TS_DIFFERENCE_S} s are accepted`,
    'ts_out_of_range',
  )
}

/** Everything that was signed but what may differ in a retry. An empty value counts as absent. */
function contentOf(parameters: string): [name: string, value: string][] {
  return [...parseForm(parameters)].filter(
    ([name, value]) => value !== '' && !Object.hasOwn(writeParameters, name),
  )
}

/** Returns the body of an answer. A header tells a repeated answer from a new one. */
export function respondOnce(reply: FastifyReply, { body, isReplayed }: OnceAnswer): unknown {
  if (isReplayed) reply.header('Idempotent-Replayed', 'true')
  return body
}
