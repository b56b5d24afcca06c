import { version } from '../version.ts'
import type { Attributes, Span, SpanExporter, SpanKind } from './tracer.ts'

/** Where spans are sent: a collector that takes OTLP over HTTP, as JSON. */
export interface OtlpSettings {
  url: string
  headers: Readonly<Record<string, string>>
  /** The attributes of this process, which are sent with all spans. */
  resource: Attributes
}

/** Called when an export fails, and when one works. */
interface ExportLog {
  trouble(error: unknown): void
  fine(): void
}

const EXPORT_INTERVAL_MS = 5_000
const EXPORT_TIMEOUT_MS = 10_000
const MAX_BATCH = 512
/** Spans that wait while the collector is away. Newer ones are dropped: requests must not wait, nor the memory fill. */
const MAX_WAITING = 2_048

/** Sends spans in batches, in the background. A batch that the collector doesn't take is dropped. */
export function createOtlpExporter(settings: OtlpSettings, log: ExportLog): SpanExporter {
  const waiting: Span[] = []
  let sending: Promise<void> | undefined
  let isClosing = false
  const flush = () => {
    sending ??= sendAll().finally(() => {
      sending = undefined
    })
    return sending
  }
  async function sendAll(): Promise<void> {
    while (waiting.length > 0) {
      try {
        await post(settings, waiting.splice(0, MAX_BATCH))
        log.fine()
      } catch (error) {
        log.trouble(error)
        // A collector that doesn't answer must not hold up the end of the process once per batch.
        if (isClosing) return
      }
    }
  }
  const timer = setInterval(flush, EXPORT_INTERVAL_MS)
  timer.unref()
  return {
    add(span) {
      if (waiting.length < MAX_WAITING) waiting.push(span)
      if (waiting.length >= MAX_BATCH) void flush()
    },
    async close() {
      clearInterval(timer)
      isClosing = true
      // Twice: a batch may be on its way that the last spans are not in.
      await flush()
      await flush()
    },
  }
}

async function post({ url, headers, resource }: OtlpSettings, spans: readonly Span[]) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(toRequest(resource, spans)),
    redirect: 'error',
    signal: AbortSignal.timeout(EXPORT_TIMEOUT_MS),
  })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`the collector answered with status ${response.status}`)
}

/** The numbers of the OTLP specification. */
const KINDS: Record<SpanKind, number> = { internal: 1, server: 2, client: 3 }
const STATUS_ERROR = 2
const IS_SAMPLED = 1

const toRequest = (resource: Attributes, spans: readonly Span[]) => ({
  resourceSpans: [
    {
      resource: { attributes: toAttributes(resource) },
      scopeSpans: [
        { scope: { name: 'gatehouse', version: version() }, spans: spans.map(toOtlpSpan) },
      ],
    },
  ],
})

const toOtlpSpan = (span: Span) => ({
  traceId: span.context.traceId,
  spanId: span.context.spanId,
  ...(span.parentId === undefined ? {} : { parentSpanId: span.parentId }),
  flags: IS_SAMPLED,
  name: span.name,
  kind: KINDS[span.kind],
  startTimeUnixNano: toNanoseconds(span.began),
  endTimeUnixNano: toNanoseconds(span.ended),
  attributes: toAttributes(span.attributes),
  status: span.isFailed ? { code: STATUS_ERROR } : {},
})

/** A string, as the specification wants 64-bit numbers: a JavaScript number has not enough digits. */
const toNanoseconds = (ms: number) => `${Math.round(ms * 1_000)}000`

const toAttributes = (attributes: Attributes) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: toValue(value) }))

function toValue(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
