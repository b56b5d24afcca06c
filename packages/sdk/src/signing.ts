/**
 * The request signature of the /r2/ API, as pure functions over text: what is signed, the format of a signature, and
 * the encoding of parameters. Server and client share this file.
 *
 * Texts are "binary strings": one character for each byte on the wire.
 */

import { ParameterError } from './errors.ts'

/** `AID:SIGNATURE`. One trailing `=` is accepted, nothing else. */
const AUTHORIZATION = /^([A-Za-z0-9]{10}):([A-Za-z0-9_-]{43})=?$/

export interface Authorization {
  aid: string
  /** 43 characters of url-safe Base64, without padding. */
  signature: string
}

export function parseAuthorization(text: string): Authorization | undefined {
  const match = AUTHORIZATION.exec(text)
  return match ? { aid: match[1] as string, signature: match[2] as string } : undefined
}

/**
 * Returns the text to sign: method, space, and the request target from `/r2/` on, byte for byte. A form body counts as
 * part of the query.
 */
export function signedString(method: string, target: string, body = ''): string {
  return `${method} ${withBody(target, body)}`
}

function withBody(target: string, body: string): string {
  if (body === '') return target
  const mark = target.indexOf('?')
  if (mark === -1) return `${target}?${body}`
  return mark === target.length - 1 ? target + body : `${target}&${body}`
}

/** Returns the parameters that the signature covers, still encoded. */
export function signedParameters(target: string, body = ''): string {
  const whole = withBody(target, body)
  const mark = whole.indexOf('?')
  return mark === -1 ? '' : whole.slice(mark + 1)
}

export type ParameterValue = string | number | boolean | undefined

/** Form-encodes parameters; undefined ones are left out. Throws `ParameterError` for a text that no encoding has. */
export function encodeParameters(parameters: Readonly<Record<string, ParameterValue>>): string {
  return Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encodeText(name, name)}=${encodeText(name, String(value))}`)
    .join('&')
}

/** Half of a character that takes two units of UTF-16. */
export const HALF_PAIR = /\p{Cs}/u

/** Encodes the text of a parameter. Also escapes the single quote, which `fetch` would otherwise escape after signing. */
export function encodeText(parameter: string, text: string): string {
  if (HALF_PAIR.test(text)) throw new ParameterError(parameter)
  return encodeURIComponent(text).replaceAll("'", '%27')
}

/** Computes the HMAC-SHA-256 of a text with WebCrypto; returns url-safe Base64 without padding. */
export async function sign(privateKey: string, text: string): Promise<string> {
  const key = await crypto.subtle.importKey(
    'raw',
    bytesOf(privateKey),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  )
  const mac = await crypto.subtle.sign('HMAC', key, bytesOf(text))
  return btoa(String.fromCharCode(...new Uint8Array(mac)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

const bytesOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))
