import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { parseAuthorization, signedParameters, signedString } from '@gatehouse/sdk/signing'

/** A request as it arrived; strings have one character per byte. */
export interface ReceivedRequest {
  method: string
  /** The request target, starting at `/r2/`. */
  target: string
  /** Every `Authorization` header, in order. */
  authorization: readonly string[]
  contentType?: string | undefined
  body: string
}

export type SignatureRefusal =
  | 'authorization_missing'
  | 'authorization_repeated'
  | 'authorization_malformed'
  | 'application_unknown'
  | 'signature_wrong'

export type SignatureCheck =
  | {
      ok: true
      aid: string
      key: string
      signature: string
      parameters: string
      bodyType: 'none' | 'form' | 'other'
    }
  | { ok: false; reason: SignatureRefusal; aid?: string }

/** Returns the live private keys of an application; empty if it does not exist. */
export type FindKeys = (aid: string) => readonly string[]

/** The maximum number of live keys of an application; refusing a signature always costs this many MACs. */
export const MAX_KEYS = 2
const NO_KEYS = Array.from({ length: MAX_KEYS }, () => randomBytes(30).toString('base64url'))

function matches(key: string, text: string, signature: string): boolean {
  const expected = createHmac('sha256', key).update(text, 'latin1').digest('base64url')
  // Compared as text, because Node's base64 decoder is lenient and several texts decode to one MAC.
  return timingSafeEqual(Buffer.from(expected, 'latin1'), Buffer.from(signature, 'latin1'))
}

/** Refusing an unknown application takes as long as refusing a wrong signature: same steps, same MACs. */
function findSigner(keys: readonly string[], text: string, signature: string): string | undefined {
  const tried = [...keys, ...NO_KEYS].slice(0, MAX_KEYS)
  return tried.find((key, i) => matches(key, text, signature) && i < keys.length)
}

function bodyTypeOf({ body, contentType = '' }: ReceivedRequest): 'none' | 'form' | 'other' {
  if (body === '') return 'none'
  const type = contentType.split(';', 1)[0] as string
  return type.trim().toLowerCase() === 'application/x-www-form-urlencoded' ? 'form' : 'other'
}

/** The one form body accepted in place of the header: the only one that the official Ruby client sends. */
const AUTHORIZATION_FIELD =
  /^authorization=([A-Za-z0-9]{10})(?::|%3[Aa])([A-Za-z0-9_-]{43}(?:=|%3[Dd])?)$/

function authorizationField(request: ReceivedRequest): string | undefined {
  if (request.method !== 'POST' || bodyTypeOf(request) !== 'form') return undefined
  const match = AUTHORIZATION_FIELD.exec(request.body)
  return match ? `${match[1]}:${match[2]?.replace(/%3[Dd]$/, '=')}` : undefined
}

/** Checks whether a known application signed this request, and returns the parameters that the signature covers. */
export function checkSignature(keysOf: FindKeys, request: ReceivedRequest): SignatureCheck {
  if (request.authorization.length > 1) return { ok: false, reason: 'authorization_repeated' }
  const header = request.authorization[0]
  const field = header === undefined ? authorizationField(request) : undefined
  if (field !== undefined) {
    return check(keysOf, { ...request, body: '' }, field)
  }
  if (header === undefined) return { ok: false, reason: 'authorization_missing' }
  return check(keysOf, request, header)
}

function check(keysOf: FindKeys, request: ReceivedRequest, text: string): SignatureCheck {
  const authorization = parseAuthorization(text)
  if (!authorization) return { ok: false, reason: 'authorization_malformed' }
  const { aid, signature } = authorization
  const keys = keysOf(aid)
  const bodyType = bodyTypeOf(request)
  const signedBody = bodyType === 'form' ? request.body : ''
  const key = findSigner(keys, signedString(request.method, request.target, signedBody), signature)
  if (key === undefined) {
    return { ok: false, reason: keys.length > 0 ? 'signature_wrong' : 'application_unknown', aid }
  }
  const parameters = signedParameters(request.target, signedBody)
  return { ok: true, aid, key, signature, parameters, bodyType }
}
