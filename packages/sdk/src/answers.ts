import { type ApiError, apiError, ConnectionError } from './errors.ts'
import type { FetchResponse } from './runtime.ts'

export async function readAnswer<Answer>(answer: FetchResponse): Promise<Answer> {
  const [retryAfter, time] = ['retry-after', 'gatehouse-time'].map((name) =>
    answer.headers.get(name),
  )
  let body: unknown
  try {
    body = await answer.json()
  } catch (error) {
    // A proxy in front of the service may return its own error page; the status is still valid.
    if (!answer.ok) throw failureIn(answer.status, retryAfter, undefined)
    throw new ConnectionError(`An answer with status ${answer.status} could not be read.`, {
      cause: error,
      reason: isTimeout(error) ? 'timeout' : 'unreadable',
    })
  }
  if (answer.ok) return body as Answer
  throw failureIn(answer.status, retryAfter, body, time)
}

/** Whether an `AbortSignal.timeout` ended the work. */
export const isTimeout = (error: unknown): boolean =>
  error instanceof Error && error.name === 'TimeoutError'

export function failureIn(
  status: number,
  retryAfter: string | null | undefined,
  body: unknown,
  time?: string | null,
): ApiError {
  const error = (
    body as
      | { error?: Partial<Record<'message' | 'code' | 'parameter' | 'request_id', string>> }
      | null
      | undefined
  )?.error
  return apiError({
    status,
    message: error?.message ?? `The service answered with status ${status}.`,
    code: error?.code ?? 'unknown',
    requestId: error?.request_id ?? '',
    parameter: error?.parameter,
    retryAfter: numberIn(retryAfter),
    serviceTime: numberIn(time),
  })
}

function numberIn(text: string | null | undefined): number | undefined {
  const number = Number(text ?? Number.NaN)
  return Number.isFinite(number) ? number : undefined
}
