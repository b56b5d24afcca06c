import { once } from 'node:events'
import { Agent, type IncomingMessage, request as startHttp } from 'node:http'
import { request as startHttps, Agent as TlsAgent } from 'node:https'
import type Stripe from 'stripe'

/** Stripe's largest answers, lists of a hundred, are far below. */
const MOST_BYTES = 4 * 1024 * 1024

// A connection for each call: one kept open may be closed from afar just as an order is written to it,
// and then nobody knows what became of the order.
const plainAgent = new Agent({ keepAlive: false })
const tlsAgent = new TlsAgent({ keepAlive: false })

/** Why there is no answer, in words that can be shown: they hold nothing of what was sent or received. */
export class NoAnswer extends Error {
  override name = 'NoAnswer'
}

interface Answer {
  status: number
  headers: Record<string, string>
  text: string
}

/**
 * The SDK's own way to talk HTTP waits for as much as is sent, for as long as something comes, and takes
 * an error without a body for success. This one has a limit for size, one for the whole exchange, and
 * hands on only JSON objects. Its errors have no code, since the SDK repeats a call that broke off.
 */
export function createBoundedHttp(): Stripe.HttpClient {
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
        headers: headers as Record<string, string>,
        agent,
      }
      const answer = await exchange(start(options), body, timeout)
      const content = readContent(answer)
      return {
        getStatusCode: () => answer.status,
        getHeaders: () => answer.headers,
        getRawResponse: () => ({}),
        toStream: () => {
          throw new NoAnswer('streams are not read')
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
): Promise<Answer> {
  let isLate = false
  const deadline = setTimeout(() => {
    isLate = true
    request.destroy()
  }, timeout)
  // One that breaks after its answer has come would end the process otherwise.
  request.on('error', () => {})
  try {
    request.end(body)
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    return await readAnswer(response)
  } catch (error) {
    if (error instanceof NoAnswer) throw error
    if (isLate) throw new NoAnswer(`no whole answer within ${timeout} ms`)
    const { code } = error as NodeJS.ErrnoException
    throw new NoAnswer(`the connection failed${code === undefined ? '' : ` (${code})`}`)
  } finally {
    clearTimeout(deadline)
    request.destroy()
  }
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MOST_BYTES) throw new NoAnswer(`the answer is larger than ${MOST_BYTES} bytes`)
    chunks.push(chunk)
  }
  // Not every connection that breaks off in the middle is an error to Node.
  if (!response.complete) throw new NoAnswer('the answer breaks off')
  const { 'request-id': requestId, 'retry-after': retryAfter } = response.headers
  return {
    status: response.statusCode ?? 0,
    headers: {
      ...(typeof requestId === 'string' ? { 'request-id': requestId } : {}),
      ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
    },
    text: Buffer.concat(chunks).toString('utf8'),
  }
}

const isObject = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An object, and for every status but 2xx one that has an error in it. */
function readContent({ status, text }: Answer): object {
  const isFine = status >= 200 && status < 300
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    content = undefined
  }
  if (isFine && isObject(content)) return content as object
  if (isFine) throw new NoAnswer('the answer is not a JSON object')
  const error = (content as { error?: unknown } | null | undefined)?.error
  return { error: isObject(error) ? error : { type: 'unreadable' } }
}
