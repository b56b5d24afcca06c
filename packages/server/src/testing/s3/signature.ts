import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export interface S3Keys {
  accessKeyId: string
  secretAccessKey: string
}

/** The faults that a request's signature (AWS Signature Version 4) can have, as S3 error codes. */
export type SignatureFault =
  | 'AccessDenied'
  | 'InvalidAccessKeyId'
  | 'SignatureDoesNotMatch'
  | 'RequestTimeTooSkewed'

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const SKEW_MS = 15 * 60_000

interface SignatureClaim {
  credential: string
  signedHeaders: string
  signature: string
  /** For example `20270303T090000Z`. */
  date: string
  payload: string
  /** How many milliseconds before its date the signature is valid. */
  early: number
  /** For how many milliseconds the signature is valid. */
  life: number
}

/** Reads the signature from the header or, in presigned URLs, from the query. */
function readClaim(request: IncomingMessage, query: URLSearchParams): SignatureClaim | undefined {
  const { authorization } = request.headers
  if (authorization === undefined) return claimInQuery(query)
  const match =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      authorization,
    )
  if (!match) return undefined
  const [, credential = '', signedHeaders = '', signature = ''] = match
  return {
    credential,
    signedHeaders,
    signature,
    date: String(request.headers['x-amz-date']),
    payload: String(request.headers['x-amz-content-sha256']),
    early: SKEW_MS,
    life: SKEW_MS,
  }
}

function claimInQuery(query: URLSearchParams): SignatureClaim | undefined {
  const get = (name: string) => query.get(`X-Amz-${name}`) ?? ''
  if (get('Algorithm') !== 'AWS4-HMAC-SHA256') return undefined
  return {
    credential: get('Credential'),
    signedHeaders: get('SignedHeaders'),
    signature: get('Signature'),
    date: get('Date'),
    payload: 'UNSIGNED-PAYLOAD',
    early: 0,
    life: Number(get('Expires')) * 1000,
  }
}

/** Checks a signature independently of the library that creates it. */
export function faultOfSignature(
  request: IncomingMessage,
  keys: S3Keys,
  now: number,
): SignatureFault | undefined {
  const [path = '', search = ''] = (request.url as string).split('?')
  const claim = readClaim(request, new URLSearchParams(search))
  if (!claim) return 'AccessDenied'
  const [accessKeyId, ...scope] = claim.credential.split('/')
  if (accessKeyId !== keys.accessKeyId) return 'InvalidAccessKeyId'
  const age = now - timeOf(claim.date)
  if (!(age >= -claim.early && age < claim.life))
    return search.includes('X-Amz-') ? 'AccessDenied' : 'RequestTimeTooSkewed'
  const toSign = [
    'AWS4-HMAC-SHA256',
    claim.date,
    scope.join('/'),
    sha256(canonical(request, path, search, claim)),
  ].join('\n')
  const signingKey = scope.reduce<string | Buffer>(hmac, `AWS4${keys.secretAccessKey}`)
  return hmac(signingKey, toSign).toString('hex') === claim.signature
    ? undefined
    : 'SignatureDoesNotMatch'
}

const timeOf = (date: string) =>
  Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))

function canonical(
  request: IncomingMessage,
  path: string,
  search: string,
  claim: SignatureClaim,
): string {
  const query = search
    .split('&')
    .filter((part) => part !== '' && !part.startsWith('X-Amz-Signature='))
    .map((part) => (part.includes('=') ? part : `${part}=`))
    .sort()
  const headers = claim.signedHeaders
    .split(';')
    .map((name) => `${name}:${String(request.headers[name]).trim()}\n`)
  return [
    request.method,
    path,
    query.join('&'),
    headers.join(''),
    claim.signedHeaders,
    claim.payload,
  ].join('\n')
}
