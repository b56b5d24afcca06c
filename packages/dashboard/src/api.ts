import { BASE_PATH } from './base-path.ts'
import { noteResponseTime } from './server-clock.ts'
import { texts } from './texts.ts'

/** Problems with a field come as phrases: `must be a whole number`. */
export const toSentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? '' : '.'}`

/** The server refused a request, or could not be reached (status 0). */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  /** The form field that is wrong, if the error is about one. The message does not repeat its name. */
  readonly field: string | undefined
  /** In seconds. */
  readonly retryAfter: number | undefined

  constructor(
    status: number,
    code: string,
    message: string,
    { retryAfter, field }: { retryAfter?: number | undefined; field?: string | undefined } = {},
  ) {
    super(toSentence(message))
    this.status = status
    this.code = code
    this.field = field
    this.retryAfter = retryAfter
  }
}

/** An error in a response of the dashboard's API. */
interface ErrorBody {
  error: { code: string; message: string; parameter?: string; problem?: string }
}

/** Returns an error that is shown at a form field. */
export const fieldError = (status: number, field: string, message: string): ApiError =>
  new ApiError(status, 'invalid_parameter', message, { field })

let confirmIdentity: () => Promise<boolean> = async () => false

/** Registers what asks the member for a proof of identity, where the server wants one again. It resolves to whether the
 * member gave it. */
export function onConfirmationRequired(listener: () => Promise<boolean>): void {
  confirmIdentity = listener
}

export type Parameters = Readonly<Record<string, string | number | boolean | undefined>>

let signedOut: () => void = () => {}

/** Registers the function to call when a response says that nobody is signed in any more. */
export function onSignedOut(listener: () => void): void {
  signedOut = listener
}

/** Builds the URL of an API route; parameters without a value are left out. */
export function apiUrl(path: string, parameters: Parameters = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== '') search.set(name, String(value))
  }
  const text = search.toString()
  return `${BASE_PATH}/api${path}${text === '' ? '' : `?${text}`}`
}

async function failureOf(response: Response): Promise<ApiError> {
  const wait = Number.parseInt(response.headers.get('retry-after') ?? '', 10)
  const retryAfter = Number.isNaN(wait) ? undefined : wait
  try {
    const { code, message, parameter, problem } = ((await response.json()) as ErrorBody).error
    const about = { retryAfter, field: parameter }
    return new ApiError(response.status, code, problem ?? message, about)
  } catch {
    return new ApiError(response.status, 'unreadable', texts.errors.unreadable, { retryAfter })
  }
}

async function read<T>(response: Response): Promise<T> {
  if (!response.ok) {
    const failure = await failureOf(response)
    if (failure.code === 'not_signed_in') signedOut()
    throw failure
  }
  if (response.status === 204) return undefined as T
  return (await response.json()) as T
}

const OWN_ORIGIN = { credentials: 'same-origin', redirect: 'error' } as const

/** Sends a request, and sends it again once the member has confirmed who they are, if the server asks for that. */
async function ask<T>(url: string, init: RequestInit): Promise<T> {
  try {
    return await askOnce<T>(url, init)
  } catch (error) {
    const mustConfirm = error instanceof ApiError && error.code === 'confirmation_required'
    if (!mustConfirm || !(await confirmIdentity())) throw error
    return await askOnce<T>(url, init)
  }
}

/** Sends a request, and sends it again if its session is unknown: a confirmation, maybe in another tab, may have replaced
 * the cookie while the request was under way. */
async function askOnce<T>(url: string, init: RequestInit): Promise<T> {
  const response = await respond(url, init)
  if (response.status !== 401) return read<T>(response)
  const { code } = await failureOf(response.clone())
  return read<T>(code === 'not_signed_in' ? await respond(url, init) : response)
}

async function respond(url: string, init: RequestInit): Promise<Response> {
  let response: Response
  try {
    response = await fetch(url, { ...init, ...OWN_ORIGIN })
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw new ApiError(0, 'unreachable', texts.errors.unreachable)
  }
  noteResponseTime(response.headers)
  return response
}

export function get<T>(path: string, parameters?: Parameters, signal?: AbortSignal): Promise<T> {
  return ask<T>(apiUrl(path, parameters), signal === undefined ? {} : { signal })
}

type Sending = 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Sends a request that changes something; the body is optional. */
export function send<T = unknown>(method: Sending, path: string, body?: object): Promise<T> {
  if (body === undefined) return ask<T>(apiUrl(path), { method })
  return ask<T>(apiUrl(path), {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

/** Uploads a file unchanged and reports the progress (0 to 1). */
export function sendFile<T>(
  method: 'PUT' | 'POST',
  path: string,
  parameters: Parameters,
  file: Blob,
  { onProgress, signal }: { onProgress: (part: number) => void; signal?: AbortSignal },
): Promise<T> {
  // fetch can't report upload progress.
  const request = new XMLHttpRequest()
  const answer = new Promise<T>((resolve, reject) => {
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    request.onload = () => {
      const { status, response } = request
      resolve(read<T>(new Response(status === 204 ? null : response, { status })))
    }
    request.onerror = () => reject(new ApiError(0, 'unreachable', texts.errors.unreachable))
    request.onabort = () => reject(new ApiError(0, 'stopped', texts.errors.stopped))
  })
  request.responseType = 'blob'
  request.open(method, apiUrl(path, parameters))
  request.setRequestHeader('content-type', 'application/octet-stream')
  signal?.addEventListener('abort', () => request.abort())
  request.send(file)
  return answer
}

interface Streaming<T> {
  onLine: (line: T) => void
  signal: AbortSignal
}

/** Uploads a file and reads the response line by line, while the server works on it. Each line is a JSON value. */
export function streamFile<T>(
  path: string,
  parameters: Parameters,
  file: Blob,
  streaming: Streaming<T>,
): Promise<void> {
  const headers = { 'content-type': 'application/octet-stream' }
  return stream(apiUrl(path, parameters), { headers, body: file }, streaming)
}

/** Sends a request whose response is read line by line, in the same way. */
export function streamJson<T>(path: string, body: object, streaming: Streaming<T>): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  return stream(apiUrl(path), { headers, body: JSON.stringify(body) }, streaming)
}

async function stream<T>(
  url: string,
  init: Pick<RequestInit, 'headers' | 'body'>,
  { onLine, signal }: Streaming<T>,
): Promise<void> {
  let rest = ''
  try {
    const response = await fetch(url, { method: 'POST', ...init, signal, ...OWN_ORIGIN })
    if (!response.ok || !response.body) return await read<never>(response)
    const decoder = new TextDecoder()
    const reader = response.body.getReader()
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const lines = (rest + decoder.decode(part.value, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) onLine(JSON.parse(line) as T)
    }
  } catch (error) {
    if (error instanceof ApiError || signal.aborted) throw error
    throw new ApiError(0, 'unreachable', texts.errors.unreachable)
  }
}

/** Query keys. All keys of an application share a prefix, so that they can be invalidated together. */
export const keys = {
  me: ['me'] as const,
  of: (environment: string, aid: string, ...rest: readonly unknown[]) =>
    ['app', environment, aid, ...rest] as const,
  staff: (...rest: readonly unknown[]) => ['staff', ...rest] as const,
}
