import http from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { checkedLookup, createReachCheck } from '../../../network-addresses.ts'
import { parseUrl } from '../../../parse-url.ts'
import { type CallProblem, callProblemOf, WebhookCallError } from './problems.ts'
import { createResolver, type Resolve } from './resolve-host.ts'

/** Maximum duration of one call: the lookup, the connection, the request and the response. */
export const MAX_CALL_MS = 15_000

/** How much of a response is read and kept. */
const MAX_RESPONSE_BYTES = 2_048

/** Idle connections are kept for the next event of the same endpoint. */
const AGENT = { keepAlive: true, maxFreeSockets: 64, scheduling: 'lifo' as const, timeout: 30_000 }

export interface WebhookCall {
  url: string
  headers: Readonly<Record<string, string>>
  body: string
  /** Ends the call early, when the service stops. */
  stop?: AbortSignal | undefined
}

export interface WebhookResponse {
  status: number
  /** The `Retry-After` header. */
  retryAfter: string | undefined
  /** The beginning of the body. */
  body: string
}

/** Sends webhooks. It never connects to an address inside the operator's network, unless the operator allows it. */
export interface WebhookClient {
  /** Returns any response, redirects and errors included; throws a `WebhookCallError` if there is none. */
  post(call: WebhookCall): Promise<WebhookResponse>
  close(): void
}

interface Options {
  /** The networks of `GATEHOUSE_WEBHOOK_ALLOW`: calls to them are allowed, even over plain http. */
  allow: readonly string[]
  /** Replaced by tests. */
  resolve?: Resolve
  /** A certificate that tests trust. */
  ca?: string | Buffer
}

export function createWebhookClient({ allow, resolve, ca }: Options): WebhookClient {
  const requireAllowed = createAddressCheck(allow)
  const find = resolve ?? createResolver()
  const lookupFor = (protocol: string) =>
    checkedLookup(find, (addresses) => {
      for (const address of addresses) requireAllowed(protocol, address)
    })
  const transports = {
    'http:': {
      ...{ request: http.request, agent: new http.Agent(AGENT), lookup: lookupFor('http:') },
    },
    'https:': {
      ...{ request: https.request, agent: new https.Agent({ ...AGENT, ca }) },
      lookup: lookupFor('https:'),
    },
  }
  return {
    async post(call) {
      const url = parseUrl(call.url)
      const transport = transports[url?.protocol as keyof typeof transports]
      if (!url || !transport || url.username || url.password)
        throw new WebhookCallError('url_refused')
      // Node looks up names only, so an address is checked here. A URL writes all forms of it alike.
      const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
      if (isIP(host) > 0) requireAllowed(url.protocol, host)
      return await withTimeout(call.stop, (signal) => callOnce(transport, url, { ...call, signal }))
    },
    close() {
      for (const { agent } of Object.values(transports)) agent.destroy()
    },
  }
}

/** Returns a function that throws if an address must not be called. */
export function createAddressCheck(
  allow: readonly string[],
): (protocol: string, address: string) => void {
  const reachOf = createReachCheck(allow)
  return (protocol, address) => {
    const reach = reachOf(address)
    if (reach === 'allowed') return
    if (reach === 'refused') throw new WebhookCallError('address_refused')
    if (protocol !== 'https:') throw new WebhookCallError('http_refused')
  }
}

/** Gives up after the maximum duration, and when the service stops. */
async function withTimeout<T>(
  stop: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ended = new AbortController()
  const end = (problem: CallProblem) => ended.abort(new WebhookCallError(problem))
  const onStop = () => end('stopped')
  const timer = setTimeout(() => end('timeout'), MAX_CALL_MS)
  stop?.addEventListener('abort', onStop)
  if (stop?.aborted) onStop()
  try {
    return await work(ended.signal)
  } catch (error) {
    // The library's error says only that it was aborted.
    throw ended.signal.aborted ? ended.signal.reason : error
  } finally {
    clearTimeout(timer)
    stop?.removeEventListener('abort', onStop)
  }
}

interface Transport {
  request: typeof http.request
  agent: http.Agent
  lookup: LookupFunction
}

type RunningCall = WebhookCall & { signal: AbortSignal }

async function callOnce(
  transport: Transport,
  url: URL,
  call: RunningCall,
): Promise<WebhookResponse> {
  const { request, agent, lookup } = transport
  const { signal } = call
  signal.throwIfAborted()
  const body = Buffer.from(call.body)
  const headers = { ...call.headers, 'content-length': body.length }
  const sent = request(url, { method: 'POST', agent, lookup, signal, headers })
  try {
    const response = await responseTo(sent, body)
    return {
      status: response.statusCode ?? 0,
      retryAfter: response.headers['retry-after'],
      body: await readBeginning(response),
    }
  } catch (error) {
    // The other side has closed an idle connection just now: nothing was read of this request.
    const isStale = sent.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET'
    if (isStale && !signal.aborted) return await callOnce(transport, url, call)
    throw error instanceof WebhookCallError ? error : new WebhookCallError(...callProblemOf(error))
  }
}

function responseTo(sent: http.ClientRequest, body: Buffer): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.once('response', resolve)
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Reads no more than is kept; the connection of a longer response is closed. */
async function readBeginning(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= MAX_RESPONSE_BYTES) break
  }
  const text = Buffer.concat(chunks).subarray(0, MAX_RESPONSE_BYTES).toString()
  // PostgreSQL can't store NUL.
  return text.replaceAll('\u0000', '\uFFFD')
}
