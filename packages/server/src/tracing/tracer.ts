import { AsyncLocalStorage } from 'node:async_hooks'
import { newSpanId, newTraceId, type TraceContext } from './trace-context.ts'

export type Attributes = Record<string, string | number | boolean>

/** A finished part of a trace. Times are in milliseconds since 1970, with fractions. */
export interface Span {
  context: TraceContext
  parentId: string | undefined
  name: string
  kind: SpanKind
  began: number
  ended: number
  attributes: Attributes
  isFailed: boolean
}

export type SpanKind = 'internal' | 'server' | 'client'

export interface SpanInput {
  name: string
  kind: SpanKind
  /** Replaces the current context as its parent. */
  parent?: TraceContext | undefined
  requestId?: string | undefined
  attributes?: Attributes
}

export interface OpenSpan {
  readonly context: TraceContext
  set(attributes: Attributes): void
  fail(): void
  end(): void
}

export interface Sampler {
  /** Whether a trace that others began is recorded if they say so, whatever the ratio is. */
  isParentBased: boolean
  /** The share of the traces that begin here, from 0 to 1. */
  ratio: number
}

/** Follows what a request does, through all calls that it makes. */
export interface Tracer {
  /** The context of what is running now. */
  current(): TraceContext | undefined
  run<R>(context: TraceContext | undefined, fn: () => R): R
  start(input: SpanInput): OpenSpan
  /** Runs `fn` in a span of its own, which fails if it throws. */
  span<R>(input: SpanInput, fn: (span: OpenSpan) => Promise<R>): Promise<R>
  close(): Promise<void>
}

/** Takes finished spans. */
export interface SpanExporter {
  add(span: Span): void
  close(): Promise<void>
}

/**
 * Create one only if traces are wanted: in Node.js 20, an `AsyncLocalStorage` in use makes every `await` of the process
 * slower. Without an exporter nothing is recorded, and contexts are passed on as they came.
 */
export function createTracer(sampler: Sampler, exporter?: SpanExporter): Tracer {
  const storage = new AsyncLocalStorage<TraceContext | undefined>()
  const run: Tracer['run'] = (context, fn) => storage.run(context, fn)
  const start: Tracer['start'] = (input) =>
    openSpan(input, input.parent ?? storage.getStore(), sampler, exporter)
  return {
    current: () => storage.getStore(),
    run,
    start,
    async span(input, fn) {
      const span = start(input)
      try {
        return await run(span.context, () => fn(span))
      } catch (error) {
        // Only the kind: the message of an error may have personal data.
        span.set({ 'error.type': error instanceof Error ? error.name : typeof error })
        span.fail()
        throw error
      } finally {
        span.end()
      }
    },
    async close() {
      await exporter?.close()
    },
  }
}

function openSpan(
  { name, kind, requestId, attributes = {} }: SpanInput,
  parent: TraceContext | undefined,
  sampler: Sampler,
  exporter: SpanExporter | undefined,
): OpenSpan {
  const context: TraceContext = {
    traceId: parent?.traceId ?? newTraceId(),
    // Without an exporter, the ID of the caller is passed on: a span that nobody receives must not be the parent of others.
    spanId: exporter || !parent ? newSpanId() : parent.spanId,
    isSampled: false,
    requestId: requestId ?? parent?.requestId,
  }
  context.isSampled = exporter
    ? isSampled(sampler, context.traceId, parent)
    : (parent?.isSampled ?? false)
  const began = performance.timeOrigin + performance.now()
  const known = { ...attributes }
  let isFailed = false
  return {
    context,
    set: (more) => void Object.assign(known, more),
    fail() {
      isFailed = true
    },
    end() {
      if (!exporter || !context.isSampled) return
      const ended = performance.timeOrigin + performance.now()
      const parentId = parent?.spanId
      exporter.add({ context, parentId, name, kind, began, ended, attributes: known, isFailed })
    },
  }
}

/** Decides by the ID of the trace, as others with the same ratio do. */
function isSampled(
  { isParentBased, ratio }: Sampler,
  traceId: string,
  parent: TraceContext | undefined,
): boolean {
  if (parent && isParentBased) return parent.isSampled
  return Number.parseInt(traceId.slice(-8), 16) < ratio * 2 ** 32
}
