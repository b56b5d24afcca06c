import { isTimeout, readAnswer } from './answers.ts'
import { ApiError, ConnectionError } from './errors.ts'
import { type Fetch, type FetchInit, type FetchResponse, isCloudflare } from './runtime.ts'

export interface SignedRequest {
  method: string
  url: string
  headers: Record<string, string>
  body?: string
}

export interface Sending {
  /** Signs the request. Called for each attempt, since the time of a write is part of what is signed. */
  sign(): Promise<SignedRequest>
  fetch: Fetch
  /** Milliseconds for everything: all attempts, the pauses between them, and reading the response. */
  timeout: number
  /** How often it may be sent: once unless it is a read, or a write with an idempotency key. */
  maxAttempts: number
}

/** How often a read is sent at most. */
export const MAX_READ_ATTEMPTS = 2

/** How often a write with an idempotency key is sent at most. */
export const MAX_WRITE_ATTEMPTS = 4

/** Sends a request, and again if it may be repeated and the failure looks temporary. */
export async function send<Answer>(sending: Sending): Promise<Answer> {
  const deadline = AbortSignal.timeout(sending.timeout)
  for (let attempt = 1; ; attempt++) {
    try {
      return await sendOnce(await sending.sign(), sending.fetch, deadline)
    } catch (error) {
      if (attempt >= sending.maxAttempts || !isTemporary(error)) throw error
      await pause(attempt, error, deadline)
      if (deadline.aborted) throw error
    }
  }
}

async function sendOnce<Answer>(
  request: SignedRequest,
  fetch: Fetch,
  signal: AbortSignal,
): Promise<Answer> {
  const answer = await reach(request, fetch, signal)
  if (isRedirect(answer)) {
    throw new ConnectionError(
      'Gatehouse was not reached: the server at baseUrl redirects. Use the address that it redirects to.',
      { reason: 'redirected' },
    )
  }
  return await readAnswer<Answer>(answer)
}

async function reach(
  { url, method, headers, body }: SignedRequest,
  fetch: Fetch,
  signal: AbortSignal,
): Promise<FetchResponse> {
  const init: FetchInit = {
    ...{ method, headers, signal },
    // A redirect is never followed: the signature would go to a stranger. 'error' would say it best, but Cloudflare's
    // runtime doesn't know it.
    redirect: 'manual',
    // Next.js may otherwise store responses and use them again.
    ...(isCloudflare() ? {} : { cache: 'no-store' }),
    ...(body === undefined ? {} : { body }),
  }
  try {
    return await fetch(url, init)
  } catch (error) {
    if (isFrameworkSignal(error)) throw error
    const reason = isTimeout(error) ? 'timeout' : 'unreachable'
    throw new ConnectionError('Gatehouse could not be reached.', { cause: error, reason })
  }
}

/** Next.js leaves a page that it can't render in advance by an error that must reach it as it is. */
const isFrameworkSignal = (error: unknown): boolean =>
  error instanceof Error && 'digest' in error && error.digest === 'DYNAMIC_SERVER_USAGE'

/** Browsers and Deno hide the status of a redirect that isn't followed. */
const isRedirect = ({ type, status }: FetchResponse): boolean =>
  type === 'opaqueredirect' || (status >= 300 && status < 400)

/** Failures that a moment later may be over. Other responses would be the same again. */
function isTemporary(error: unknown): boolean {
  if (error instanceof ConnectionError) {
    return error.reason === 'unreachable' || error.reason === 'unreadable'
  }
  if (!(error instanceof ApiError)) return false
  return [502, 503, 504].includes(error.status) && (error.retryAfter ?? 0) <= 1
}

const FIRST_PAUSE_MS = 150

/** Waits for a moment, longer each time and with jitter, or until the deadline. A write that is still being handled
 * needs the time that the service asks for. */
function pause(attempt: number, error: unknown, deadline: AbortSignal): Promise<void> {
  const isRunning = error instanceof ApiError && error.code === 'request_running'
  const least = isRunning ? (error.retryAfter ?? 0) * 1_000 : 0
  const backoff = FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2)
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, Math.max(least, backoff))
    deadline.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
