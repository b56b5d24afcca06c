import type { FastifyInstance, FastifyRequest } from 'fastify'
import { parseTraceparent } from '../tracing/trace-context.ts'
import type { OpenSpan, Tracer } from '../tracing/tracer.ts'

/** Begins a span for each request, in the trace that it brings or in a new one. The span has the pattern of the route, never
 * the target, which may contain email addresses. The fast path has none: while there is a tracer, access checks with a `traceparent` take the route. */
export function traceRequests(app: FastifyInstance, tracer: Tracer): void {
  const spans = new WeakMap<FastifyRequest, OpenSpan>()
  app.addHook('onRequest', (request, _, done) => {
    if (request.isSelfRequest) return done()
    const { method, id: requestId, headers, routeOptions } = request
    const parent = parseTraceparent(headers.traceparent)
    const span = tracer.start({
      ...{ name: `${method} ${routeOptions.url ?? 'unknown'}`, kind: 'server', parent, requestId },
      attributes: {
        'http.request.method': method,
        'http.route': routeOptions.url ?? 'unknown',
        'gatehouse.request_id': requestId,
      },
    })
    spans.set(request, span)
    if (!parent) request.log = request.log.child({ trace_id: span.context.traceId })
    tracer.run(span.context, done)
  })
  // The body arrives with events of the connection, which know nothing of the request.
  app.addHook('preValidation', (request, _, done) => tracer.run(spans.get(request)?.context, done))
  app.addHook('onResponse', async (request, { statusCode }) => {
    const span = spans.get(request)
    span?.set({ 'http.response.status_code': statusCode })
    if (statusCode >= 500) span?.fail()
    span?.end()
  })
}
