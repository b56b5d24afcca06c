import type { components } from './api.ts'
import { WebhookError } from './errors.ts'

/** Something that happened, as Gatehouse sends it to a webhook. `type` says what `data` is. Types and fields may be added:
 * ignore what you don't know. */
export type WebhookEvent = components['schemas']['EventPage']['data'][number]

/** The headers of a request: those of `fetch` and of Node are both understood. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

export interface ReadEventOptions {
  /** How many seconds the time of the delivery may be from now; 300 unless set. */
  tolerance?: number
  /** Replaces `Date.now`; for tests. */
  now?: () => number
}

const DEFAULT_TOLERANCE_S = 300

/** Secrets of the standard have 24 to 64 bytes. */
const SECRET = /^whsec_([A-Za-z0-9+/]{32,86}={0,2})$/

const TIMESTAMP = /^\d{1,15}$/

/**
 * Verifies the signature of a webhook's request and returns its event. `rawBody` is the body as it arrived, text or
 * bytes. `secrets` is the endpoint's secret, or both of them during a rotation. Throws a `WebhookError`: answer the
 * request with 400 then.
 *
 * ```js
 * const event = await readEvent(await request.text(), request.headers, secret)
 * ```
 */
export async function readEvent(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { tolerance = DEFAULT_TOLERANCE_S, now = () => Date.now() }: ReadEventOptions = {},
): Promise<WebhookEvent> {
  const body = requireRaw(rawBody)
  const keys = readSecrets(secrets)
  const id = requireHeader(headers, 'webhook-id')
  const timestamp = requireHeader(headers, 'webhook-timestamp')
  const signatures = signaturesIn(requireHeader(headers, 'webhook-signature'))
  const signed = concatenate(new TextEncoder().encode(`${id}.${timestamp}.`), body)
  if (!(await isSigned(signed, signatures, keys))) throw new WebhookError('not_signed', NOT_SIGNED)
  // After the signature: a forged request must not learn whether its time was right.
  requireRecent(timestamp, tolerance, now())
  return parse(body)
}

const NOT_SIGNED =
  'No signature matches: the secret belongs to another endpoint, or the body was parsed and serialized again before it was verified.'

/** A framework that has parsed the body passes an object, or nothing: the bytes are gone then. */
function requireRaw(body: unknown): Uint8Array {
  if (typeof body === 'string' && body !== '[object Object]') return new TextEncoder().encode(body)
  if (body instanceof Uint8Array) return body
  throw new WebhookError(
    'body_parsed',
    'The body was parsed before it was verified: pass the raw body, as text or bytes (in Express: express.raw({ type: "application/json" })).',
  )
}

function readSecrets(secrets: string | readonly string[]): Uint8Array<ArrayBuffer>[] {
  const all = typeof secrets === 'string' ? [secrets] : (secrets ?? [])
  const texts = all.map((secret) => SECRET.exec(String(secret))?.[1])
  if (texts.length > 0 && texts.every((text) => text !== undefined)) return texts.map(bytesInBase64)
  throw new WebhookError(
    'bad_secret',
    'The secret has the wrong format: it must be "whsec_" and Base64, as the dashboard shows it, without spaces.',
  )
}

function requireHeader(headers: WebhookHeaders, name: string): string {
  const value =
    'get' in headers && typeof headers.get === 'function' ? headers.get(name) : undefined
  const given = value ?? (headers as Readonly<Record<string, unknown>>)[name]
  const text = Array.isArray(given) ? given[0] : given
  if (typeof text === 'string' && text !== '') return text
  throw new WebhookError(
    'header_missing',
    `The header ${name} is missing: this is not a webhook of Gatehouse.`,
  )
}

/** The header has one signature for each live secret, with spaces between them. Other versions are ignored. */
const signaturesIn = (header: string): Uint8Array<ArrayBuffer>[] =>
  header
    .split(' ')
    .filter((one) => one.startsWith('v1,'))
    .flatMap((one) => {
      try {
        return [bytesInBase64(one.slice('v1,'.length))]
      } catch {
        return []
      }
    })

/** Compares in constant time. */
async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  signatures: readonly Uint8Array<ArrayBuffer>[],
  keys: readonly Uint8Array<ArrayBuffer>[],
): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  for (const bytes of keys) {
    const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify'])
    for (const signature of signatures) {
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) return true
    }
  }
  return false
}

function requireRecent(timestamp: string, tolerance: number, now: number): void {
  const difference = Math.abs(Number(timestamp) - now / 1000)
  if (TIMESTAMP.test(timestamp) && difference <= tolerance) return
  throw new WebhookError(
    'too_old',
    `The delivery is ${Math.round(difference)} s from this machine's time; at most ${tolerance} s are accepted.`,
  )
}

function parse(body: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (error) {
    throw new WebhookError('unreadable', 'The body is not JSON.', { cause: error })
  }
}

const bytesInBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0))

function concatenate(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(one.length + other.length)
  all.set(one)
  all.set(other, one.length)
  return all
}
