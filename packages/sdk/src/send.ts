import { isTimeout, readAnswer } from './answers.ts'
import { ApiError, ConnectionError } from './errors.ts'
import { type Fetch, type FetchInit, type FetchResponse, isCloudflare } from './runtime.ts'

export interface SignedRequest {
  method: string
  url: string
  headers: Record<string, string>
  body?: string
  fetch: Fetch
  /** Milliseconds for everything: both attempts, the pause between them, and reading the response. */
  timeout: number
  /** Whether it may be sent a second time: a read, or a write with an idempotency key. */
  isRepeatable: boolean
}

/** Sends a request, and once more if it may be repeated and the failure looks temporary. */
export async function send<Answer>(request: SignedRequest): Promise<Answer> {
  const deadline = AbortSignal.timeout(request.timeout)
  try {
    return await sendOnce(request, deadline)
  } catch (error) {
    if (!request.isRepeatable || !isTemporary(error)) throw error
    await pause(deadline)
    if (deadline.aborted) throw error
    return await sendOnce(request, deadline)
  }
}

async function sendOnce<Answer>(request: SignedRequest, signal: AbortSignal): Promise<Answer> {
  const answer = await reach(request, signal)
  if (isRedirect(answer)) {
    throw new ConnectionError(
      'Gatehouse was not reached: the server at baseUrl redirects. Use the address that it redirects to.',
      { reason: 'redirected' },
    )
  }
  return await readAnswer<Answer>(answer)
}

async function reach(request: SignedRequest, signal: AbortSignal): Promise<FetchResponse> {
  const { fetch, url, method, headers, body } = request
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

const MAX_PAUSE_MS = 150

/** Waits for a moment, with jitter, or until the deadline. */
function pause(deadline: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, MAX_PAUSE_MS * (0.5 + Math.random() / 2))
    deadline.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
