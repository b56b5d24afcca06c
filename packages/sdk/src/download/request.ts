/** Requests a file and reads the response. It avoids `fetch`, which discards bytes that have already arrived when the
 * connection breaks. */
import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { failureIn } from '../answers.ts'
import { type ApiError, ConnectionError, DownloadError } from '../errors.ts'
import { parseUrl } from '../parse-url.ts'

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  /** SHA-256 of the whole file in Base64, if the server sends it. */
  digest: string | undefined
  /** The body as it arrives. If the connection breaks, rejects only after yielding everything that has arrived. */
  chunks: AsyncIterable<Uint8Array>
}

/** Aborts a request when no data arrives, or when the caller aborts. */
export interface Watch {
  signal: AbortSignal
  /** Call this when data arrives. */
  touch(): void
  /** Closes the connection. */
  end(): void
  /** The error to report for a failed request. */
  failure(cause: unknown): unknown
}

/** The largest delay that a timer supports. */
const MAX_TIMER = 2 ** 31 - 1

export function createWatch(idleTimeout: number, outer: AbortSignal | undefined): Watch {
  const own = new AbortController()
  const giveUp = () => own.abort(new Error(`Nothing has come for ${idleTimeout} milliseconds.`))
  const timer = setTimeout(giveUp, Math.min(idleTimeout, MAX_TIMER))
  return {
    signal: outer ? AbortSignal.any([outer, own.signal]) : own.signal,
    touch: () => timer.refresh(),
    end() {
      clearTimeout(timer)
      own.abort()
    },
    failure(error) {
      if (outer?.aborted) return outer.reason
      const cause = own.signal.aborted ? own.signal.reason : error
      return new ConnectionError('The connection broke.', { cause })
    },
  }
}

type Headers = Readonly<Record<string, string>>

const MAX_REDIRECTS = 5
const REDIRECTS = [301, 302, 303, 307, 308]

/** Requests the file or a part of it, following redirects; throws `ApiError` for an error response. If the final server
 * sends no checksum, the one from the service's own redirect applies, never one from a server in between. */
export async function ask(address: URL, headers: Headers, watch: Watch): Promise<Answer> {
  let at = address
  let isService = true
  let digest: string | undefined
  for (let steps = 0; steps <= MAX_REDIRECTS; steps++) {
    const response = await send(at, headers, watch)
    if (!REDIRECTS.includes(response.status)) {
      return await requireFile({ ...response, digest: response.digest ?? digest })
    }
    if (isService) digest = response.digest ?? digest
    at = targetOf(response, at)
    isService &&= at.host === address.host
  }
  throw new DownloadError('bad_answer', 'The service leads on and on, and nowhere.')
}

function send(at: URL, headers: Headers, watch: Watch): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { request } = at.protocol === 'https:' ? https : http
    const options = {
      headers: { accept: '*/*', 'accept-encoding': 'identity', ...headers },
      signal: watch.signal,
      // Uses a separate connection, which closes with the request.
      agent: false,
    }
    request(at, options, (message) => {
      watch.touch()
      const { statusCode: status = 0, headers } = message
      resolve({ status, headers, digest: digestIn(headers), chunks: bufferBody(message, watch) })
    })
      .on('error', (error) => reject(watch.failure(error)))
      .end()
  })
}

const SHA256 = /(?:^|[\s,])sha-256=:([A-Za-z0-9+/]{43}=):/

const digestIn = (headers: IncomingHttpHeaders) => SHA256.exec(String(headers['repr-digest']))?.[1]

function targetOf({ headers: { location = '' } }: Answer, from: URL): URL {
  const target = location === '' ? undefined : parseUrl(location, from)
  const isAsSafe = target?.protocol === 'https:' || target?.protocol === from.protocol
  if (target && isAsSafe) return target
  throw new DownloadError('bad_answer', 'The service leads to where no file can be fetched.')
}

async function requireFile(response: Answer): Promise<Answer> {
  // The caller handles 416: the requested range does not exist.
  if (response.status >= 400 && response.status !== 416) throw await failureOf(response)
  const encoding = response.headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') {
    throw new DownloadError('bad_answer', `The file came in an encoding, ${encoding}.`)
  }
  return response
}

/** Longer than any error response of the service. */
const MAX_FAILURE = 64 * 1024

async function failureOf(response: Answer): Promise<ApiError> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.chunks) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > MAX_FAILURE) break
  }
  return failureIn(response.status, response.headers['retry-after'], parse(text))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** How many bytes may wait to be written before the server has to wait. */
const MAX_WAITING = 1024 * 1024

/** Takes bytes from the connection as they arrive, not only when the consumer asks: everything that arrived before the
 * connection broke counts. */
function bufferBody(message: IncomingMessage, watch: Watch): AsyncIterable<Uint8Array> {
  const waiting: Buffer[] = []
  let bytes = 0
  let state: 'open' | 'whole' | 'broken' = 'open'
  let problem: unknown
  let wake = () => {}
  message.on('data', (chunk: Buffer) => {
    watch.touch()
    waiting.push(chunk)
    bytes += chunk.length
    if (bytes >= MAX_WAITING) message.pause()
    wake()
  })
  message.on('error', (error) => {
    problem = error
  })
  message.on('end', () => {
    state = 'whole'
  })
  message.on('close', () => {
    if (state === 'open') state = 'broken'
    wake()
  })
  return (async function* () {
    while (state === 'open' || waiting.length > 0) {
      yield* waiting.splice(0)
      bytes = 0
      message.resume()
      if (state === 'open' && waiting.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    }
    if (state === 'broken') throw watch.failure(problem)
  })()
}
