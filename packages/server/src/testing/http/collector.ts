import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A span as it arrives, with its attributes as an object. */
export interface ReceivedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Record<string, unknown>
  status: { code?: number }
}

/** A collector of traces that takes OTLP over HTTP, as JSON. */
export interface TestCollector {
  url: string
  spans: ReceivedSpan[]
  requests: { path: string; headers: IncomingHttpHeaders; body: string }[]
  /** The status of its answers. */
  status: number
  stop(): Promise<void>
}

interface OtlpAttribute {
  key: string
  value: { stringValue?: string; intValue?: string; boolValue?: boolean }
}

interface OtlpRequest {
  resourceSpans: {
    scopeSpans: { spans: (Omit<ReceivedSpan, 'attributes'> & { attributes: OtlpAttribute[] })[] }[]
  }[]
}

const readValue = ({ stringValue, intValue, boolValue }: OtlpAttribute['value']) =>
  stringValue ?? boolValue ?? Number(intValue)

export async function startCollector(): Promise<TestCollector> {
  const server = createServer(async (request, response) => {
    const body = await text(request)
    collector.requests.push({ path: request.url ?? '', headers: request.headers, body })
    const { resourceSpans } = JSON.parse(body) as OtlpRequest
    for (const { spans } of resourceSpans.flatMap(({ scopeSpans }) => scopeSpans)) {
      for (const { attributes, ...span } of spans) {
        const known = attributes.map(({ key, value }) => [key, readValue(value)])
        collector.spans.push({ ...span, attributes: Object.fromEntries(known) })
      }
    }
    response.writeHead(collector.status, { 'content-type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const collector: TestCollector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    requests: [],
    status: 200,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return collector
}
