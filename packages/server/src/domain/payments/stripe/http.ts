import { once } from 'node:events'
import { Agent, type IncomingMessage, request as startHttp } from 'node:http'
import { request as startHttps, Agent as TlsAgent } from 'node:https'
import type Stripe from 'stripe'

/** Far more than nearly all of Stripe's responses. A list of disputes with much evidence can be larger. */
const MAX_BYTES = 4 * 1024 * 1024

const KEPT_HEADERS = [
  'request-id',
  'retry-after',
  'stripe-rate-limited-reason',
  'idempotent-replayed',
] as const

// Each call opens its own connection. Stripe may close an idle one just as an order is written to it, and then the
// outcome of the order is unknown.
const plainAgent = new Agent({ keepAlive: false })
const tlsAgent = new TlsAgent({ keepAlive: false })

/** Why there is no response. The message is safe to log: it contains nothing that was sent or received. */
export class NoResponse extends Error {
  override name = 'NoResponse'
}

export class TooLarge extends NoResponse {
  override name = 'TooLarge'
}

export interface HttpOptions {
  /** Returns headers that continue the current trace. */
  traceHeaders?: (() => Record<string, string>) | undefined
  /** Called with the method of each request that is sent. */
  onRequest?: ((method: string) => void) | undefined
}

interface RawResponse {
  status: number
  headers: Record<string, string>
  text: string
}

/**
 * The SDK's own HTTP client has no limit on size or total time, and takes an error without a body for success. This
 * one limits both and returns only JSON objects. Its errors have no `code`: the SDK repeats a call whose error has
 * the code of a closed connection, even with retries disabled.
 */
export function createBoundedHttp({
  traceHeaders = () => ({}),
  onRequest = () => {},
}: HttpOptions = {}): Stripe.HttpClient {
  return {
    getClientName: () => 'gatehouse',
    async makeRequest(host, port, path, method, headers, body, protocol, timeout) {
      const start = protocol === 'http' ? startHttp : startHttps
      const agent = protocol === 'http' ? plainAgent : tlsAgent
      const options = {
        host,
        port,
        path,
        method,
        headers: { ...(headers as Record<string, string>), ...traceHeaders() },
        agent,
      }
      onRequest(method)
      const answer = await exchange(start(options), body, timeout)
      const content = readContent(answer)
      return {
        getStatusCode: () => answer.status,
        getHeaders: () => answer.headers,
        getRawResponse: () => ({}),
        toStream: () => {
          throw new NoResponse('streams are not read')
        },
        toJSON: async () => content,
      }
    },
  }
}

async function exchange(
  request: ReturnType<typeof startHttp>,
  body: string,
  timeout: number,
): Promise<RawResponse> {
  let isLate = false
  const deadline = setTimeout(() => {
    isLate = true
    request.destroy()
  }, timeout)
  // Without a handler, a connection that breaks after the response would crash the process.
  request.on('error', () => {})
  try {
    request.end(body)
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    return await readResponse(response)
  } catch (error) {
    if (error instanceof NoResponse) throw error
    if (isLate) throw new NoResponse(`no whole answer within ${timeout} ms`)
    const { code } = error as NodeJS.ErrnoException
    throw new NoResponse(`the connection failed${code === undefined ? '' : ` (${code})`}`)
  } finally {
    clearTimeout(deadline)
    request.destroy()
  }
}

async function readResponse(response: IncomingMessage): Promise<RawResponse> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BYTES) throw new TooLarge(`the answer is larger than ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  // Node does not report every truncated response as an error.
  if (!response.complete) throw new NoResponse('the answer breaks off')
  return {
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(
      KEPT_HEADERS.flatMap((name) => {
        const value = response.headers[name]
        return typeof value === 'string' ? [[name, value]] : []
      }),
    ),
    text: Buffer.concat(chunks).toString('utf8'),
  }
}

const isObject = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns an object; for every status except 2xx, one with an `error`. */
function readContent({ status, text }: RawResponse): object {
  const isSuccess = status >= 200 && status < 300
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    content = undefined
  }
  if (isSuccess && isObject(content)) return content as object
  if (isSuccess) throw new NoResponse('the answer is not a JSON object')
  const error = (content as { error?: unknown } | null | undefined)?.error
  return { error: isObject(error) ? error : { type: 'unreadable' } }
}
