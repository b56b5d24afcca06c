import { OptionsError } from './errors.ts'
import type { components, operations } from './management-api.ts'
import { OPERATIONS } from './management-operations.ts'
import { checkConnection } from './options.ts'
import type { Fetch } from './runtime.ts'
import { MAX_READ_ATTEMPTS, MAX_WRITE_ATTEMPTS, send } from './send.ts'
import { encodeText } from './signing.ts'
import { requireFiltersSet } from './unset.ts'

export { ApiError, ConnectionError, GatehouseError, OptionsError } from './errors.ts'

export interface ManagementOptions {
  /** The URL of the service, without an environment: `https://access.example.com`. */
  baseUrl: string
  /** A management token, which begins with `ghm_`. */
  token: string
  environment: 'production' | 'sandbox'
  /** The id of the application. */
  aid: string
  /** Milliseconds to wait for a response, retries included; defaults to 30 seconds. */
  timeout?: number
  /** Replaces the global `fetch`. */
  fetch?: Fetch
}

/** The name of an operation, such as `createResource`. Operations whose request or response is a file are not here. */
export type ManagementOperation = keyof typeof OPERATIONS & keyof operations

/** The records of the management API, by name. */
export type ManagementRecords = components['schemas']

type Parameters<K extends ManagementOperation> = operations[K]['parameters']
type OwnPath<K extends ManagementOperation> =
  Parameters<K> extends { path: infer P } ? Omit<P, 'environment' | 'aid'> : object

type PathInput<K extends ManagementOperation> = keyof OwnPath<K> extends never
  ? { path?: undefined }
  : { path: OwnPath<K> }
type QueryInput<K extends ManagementOperation> =
  Parameters<K> extends { query: infer Q }
    ? { query: Q }
    : Parameters<K> extends { query?: infer Q }
      ? { query?: Exclude<Q, undefined> }
      : { query?: undefined }
type BodyInput<K extends ManagementOperation> = operations[K] extends {
  requestBody: { content: { 'application/json': infer B } }
}
  ? { body: B }
  : { body?: undefined }

interface KeyInput {
  /** Your own name for a change, which then takes effect once, however often you call it. A random one by default. */
  idempotencyKey?: string
}

/** The input of an operation: the ids in its path, its query parameters, its body and an optional idempotency key. */
export type ManagementInput<K extends ManagementOperation> = PathInput<K> &
  QueryInput<K> &
  BodyInput<K> &
  KeyInput

/** The result of an operation. */
export type ManagementResult<K extends ManagementOperation> = operations[K] extends {
  responses: { 200: { content: { 'application/json': infer R } } }
}
  ? R
  : undefined

type Rest<K extends ManagementOperation> =
  object extends ManagementInput<K> ? [input?: ManagementInput<K>] : [input: ManagementInput<K>]

/** A client of the management API for one application. For programs on a server: a token must never reach a browser. */
export class GatehouseManagement {
  readonly #base: string
  readonly #aid: string
  readonly #token: string
  readonly #timeout: number
  readonly #fetch: Fetch

  constructor(options: ManagementOptions) {
    const { baseUrl, timeout, fetch } = checkConnection(options, ['baseUrl', 'token', 'aid'])
    const { environment, token, aid } = options
    if (environment !== 'production' && environment !== 'sandbox') {
      throw new OptionsError(['environment must be production or sandbox'])
    }
    this.#base = `${baseUrl}/management/v1/${environment}`
    this.#aid = aid
    this.#token = token
    this.#timeout = timeout
    this.#fetch = fetch
  }

  /** Calls an operation: `call('createResource', { body: { rid: 'winter', name: 'Winter issue' } })`. */
  async call<K extends ManagementOperation>(
    name: K,
    ...[input]: Rest<K>
  ): Promise<ManagementResult<K>> {
    const [method, path] = OPERATIONS[name]
    const { path: ids = {}, query = {}, body, idempotencyKey } = (input ?? {}) as LooseInput
    const isRead = method === 'GET'
    const request = {
      method,
      url: this.#base + fillPath(path, { ...ids, aid: this.#aid }) + writeQuery(query),
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(isRead ? {} : { 'idempotency-key': idempotencyKey ?? crypto.randomUUID() }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }
    return await send<ManagementResult<K>>({
      sign: async () => request,
      fetch: this.#fetch,
      timeout: this.#timeout,
      maxAttempts: isRead ? MAX_READ_ATTEMPTS : MAX_WRITE_ATTEMPTS,
    })
  }
}

type Value = string | number | boolean

interface LooseInput {
  path?: Record<string, Value>
  query?: Record<string, Value | readonly Value[] | null | undefined>
  body?: unknown
  idempotencyKey?: string
}

const fillPath = (path: string, ids: Readonly<Record<string, Value>>) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => toSegment(name, String(ids[name] ?? '')))

/** `fetch` would resolve `.` and `..`, also escaped ones, so the service takes them with a space before. */
const toSegment = (name: string, id: string) => encodeText(name, /^\.\.?$/.test(id) ? ` ${id}` : id)

function writeQuery(query: NonNullable<LooseInput['query']>): string {
  requireFiltersSet(query)
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === null
      ? []
      : [value].flat().map((one): [string, string] => [name, String(one)]),
  )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}
