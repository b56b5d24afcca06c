import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { newId } from '../ids.ts'
import { parseTraceparent } from '../tracing/trace-context.ts'

const REQUEST_ID = /^[\w.:-]{8,128}$/

/** The ID that a proxy or client gave to the request, if it is harmless in a log; otherwise a new one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : newId()
}

/** Answers with the request's ID if the request brought one or is part of a trace, and adds the trace to its log lines.
 * Other responses stay as they are. The fast path does the same. */
export async function followTrace(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { 'x-request-id': given, traceparent } = request.headers
  if (given === undefined && traceparent === undefined) return
  reply.header('x-request-id', request.id)
  const trace = parseTraceparent(traceparent)
  if (trace) request.log = request.log.child({ trace_id: trace.traceId })
}
