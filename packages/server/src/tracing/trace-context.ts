import { randomBytes } from 'node:crypto'

/** Where in a trace something happens (W3C Trace Context), and for which request. */
export interface TraceContext {
  traceId: string
  spanId: string
  /** Whether those who record spans should record this trace. */
  isSampled: boolean
  requestId?: string | undefined
}

const TRACEPARENT =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/

/** Reads a `traceparent` header; undefined if it is invalid. */
export function parseTraceparent(text: unknown): TraceContext | undefined {
  const found = typeof text === 'string' ? TRACEPARENT.exec(text) : null
  if (!found) return undefined
  const [, traceId = '', spanId = '', flags = ''] = found
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export const formatTraceparent = ({ traceId, spanId, isSampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`

export const newTraceId = (): string => randomBytes(16).toString('hex')
export const newSpanId = (): string => randomBytes(8).toString('hex')

/** The headers that continue a trace at whom we call. */
export const traceHeaders = (context: TraceContext): Record<string, string> => ({
  traceparent: formatTraceparent(context),
  ...(context.requestId === undefined ? {} : { 'x-request-id': context.requestId }),
})
