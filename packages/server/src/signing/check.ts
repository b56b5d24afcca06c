import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { parseAuthorization, signedParameters, signedString } from '@gatehouse/sdk/signing'

/** A request as it arrived; texts have one character for each byte. */
export interface ReceivedRequest {
  method: string
  /** The request target from `/r2/` on. */
  target: string
  /** Every `Authorization` header, in order. */
  authorization: readonly string[]
  contentType?: string | undefined
  body: string
}

export type Refusal =
  | 'authorization_missing'
  | 'authorization_repeated'
  | 'authorization_malformed'
  | 'application_unknown'
  | 'signature_wrong'

export type SignatureCheck =
  | { ok: true; aid: string; key: string; parameters: string; bodyType: 'none' | 'form' | 'other' }
  | { ok: false; reason: Refusal; aid?: string }

/** The live private keys of an application; none if there is no such application. */
export type KeysOf = (aid: string) => readonly string[]

/** An application has at most this many live keys, and a refusal always costs this many MACs. */
export const MOST_KEYS = 2
const NO_KEYS = Array.from({ length: MOST_KEYS }, () => randomBytes(30).toString('base64url'))

function matches(key: string, text: string, signature: string): boolean {
  const expected = createHmac('sha256', key).update(text, 'latin1').digest('base64url')
  // As text: Node's decoder is loose, and several texts decode to one MAC.
  return timingSafeEqual(Buffer.from(expected, 'latin1'), Buffer.from(signature, 'latin1'))
}

/** An unknown application must take as long to refuse as a wrong signature: same steps, same MACs. */
function findSigner(keys: readonly string[], text: string, signature: string): string | undefined {
  const tried = [...keys, ...NO_KEYS].slice(0, MOST_KEYS)
  return tried.find((key, i) => matches(key, text, signature) && i < keys.length)
}

function bodyTypeOf({ body, contentType = '' }: ReceivedRequest): 'none' | 'form' | 'other' {
  if (body === '') return 'none'
  const type = contentType.split(';', 1)[0] as string
  return type.trim().toLowerCase() === 'application/x-www-form-urlencoded' ? 'form' : 'other'
}

/** The one form body that stands in for the header: the official Ruby client sends no other. */
const AUTHORIZATION_FIELD =
  /^authorization=([A-Za-z0-9]{10})(?::|%3[Aa])([A-Za-z0-9_-]{43}(?:=|%3[Dd])?)$/

function authorizationField(request: ReceivedRequest): string | undefined {
  if (request.method !== 'POST' || bodyTypeOf(request) !== 'form') return undefined
  const match = AUTHORIZATION_FIELD.exec(request.body)
  return match ? `${match[1]}:${match[2]?.replace(/%3[Dd]$/, '=')}` : undefined
}

/** Is this request signed by an application that we know, and which parameters does that cover? */
export function checkSignature(keysOf: KeysOf, request: ReceivedRequest): SignatureCheck {
  if (request.authorization.length > 1) return { ok: false, reason: 'authorization_repeated' }
  const header = request.authorization[0]
  const field = header === undefined ? authorizationField(request) : undefined
  if (field !== undefined) {
    return check(keysOf, { ...request, body: '' }, field)
  }
  if (header === undefined) return { ok: false, reason: 'authorization_missing' }
  return check(keysOf, request, header)
}

function check(keysOf: KeysOf, request: ReceivedRequest, text: string): SignatureCheck {
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
  return { ok: true, aid, key, parameters, bodyType }
}
