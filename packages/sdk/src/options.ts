import { OptionsError } from './errors.ts'
import type { Fetch } from './runtime.ts'

export interface GatehouseOptions {
  /** The URL of the environment: `https://access.example.com`, or the same with `/sandbox`. */
  baseUrl: string
  aid: string
  privateKey: string
  /** Milliseconds to wait for a response, retries included; defaults to 30 seconds. */
  timeout?: number
  /** Replaces the global `fetch`. */
  fetch?: Fetch
  /** Replaces `Date.now`, by which writes are dated; for tests. */
  now?: () => number
}

export interface CheckedOptions extends Required<GatehouseOptions> {}

const DEFAULT_TIMEOUT_MS = 30_000

/** Returns the options with their defaults; throws an `OptionsError` that names every one that is missing or wrong. */
export function checkOptions(options: GatehouseOptions): CheckedOptions {
  const connection = checkConnection(options, ['baseUrl', 'aid', 'privateKey'])
  const { aid, privateKey, now = () => Date.now() } = options
  return { ...connection, aid, privateKey, now }
}

interface ConnectionOptions {
  baseUrl: string
  timeout?: number
  fetch?: Fetch
}

/** Checks what every client needs, and that the named options are texts; throws everything that is wrong at once. */
export function checkConnection<O extends ConnectionOptions>(
  options: O,
  texts: readonly (keyof O & string)[],
): Required<ConnectionOptions> {
  const given: Partial<O> = options ?? {}
  const { timeout = DEFAULT_TIMEOUT_MS, fetch = defaultFetch() } = given
  const problems = [
    ...texts.flatMap((name) => problemWithText(name, given[name])),
    ...problemWithUrl(given.baseUrl),
    ...(isDuration(timeout) ? [] : ['timeout must be a number of milliseconds above 0']),
    ...(typeof fetch === 'function' ? [] : ['fetch is missing: this runtime has none']),
  ]
  if (problems.length > 0) throw new OptionsError(problems)
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  return { baseUrl, timeout, fetch: fetch as Fetch }
}

const isDuration = (value: unknown): value is number => typeof value === 'number' && value > 0

/** Never quotes the value, which may be a private key. */
function problemWithText(name: string, value: unknown): string[] {
  if (value === undefined || value === null || value === '') return [`${name} is missing`]
  if (typeof value !== 'string') return [`${name} must be a string`]
  // A key that was read from a file often ends with a line break.
  return /\s/.test(value) ? [`${name} has white space in it`] : []
}

function problemWithUrl(baseUrl: unknown): string[] {
  if (typeof baseUrl !== 'string' || baseUrl === '' || /\s/.test(baseUrl)) return []
  return /^https?:\/\/[^/?#]+[^?#]*$/.test(baseUrl)
    ? []
    : ['baseUrl must begin with https:// or http://, and have no query']
}

/** Looks the global function up at each call, so that one that is replaced later, as tests do, is used. It must not be
 * called as a method of another object. */
function defaultFetch(): Fetch | undefined {
  if (typeof globalThis.fetch !== 'function') return undefined
  return (url, init) => globalThis.fetch(url, init)
}
