import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { type createObjects, S3Refusal } from './objects.ts'
import { faultOfSignature, type S3Keys } from './signature.ts'

export interface S3Request {
  /** Amazon's name for it, such as `GetObject` or `UploadPart`. */
  action: string
  key: string
}

/** A fault: an S3 error, no response at all, a connection dropped before or after the work is done, a body that fails
 * after so many bytes (`endAt`: it just ends, without an announced length; `lostAt`: it breaks off, without one), or the
 * wrong bytes. */
export type S3Fault =
  | { status: number; code: string }
  | 'stall'
  | 'drop_before'
  | 'drop_after'
  | { cutAt: number }
  | { stallAt: number }
  | { endAt: number }
  | { lostAt: number }
  | 'whole'
  | 'shifted'

/** The state of a running server that a test can inspect and change. */
export interface S3Rules {
  bucket: string
  keys: S3Keys
  requests: S3Request[]
  fault: (request: S3Request) => S3Fault | undefined
  /** The server's clock, in milliseconds. */
  now: () => number
  /** Headers that every answer has besides. */
  headers: Record<string, string>
}

/** Headers that Amazon has added over the years, and that many other servers don't support. */
const NEWER = ['x-amz-sdk-checksum-algorithm', 'x-amz-checksum-mode', 'x-amz-trailer', 'expect']

type Objects = ReturnType<typeof createObjects>

function actionOf(method: string, query: URLSearchParams, key: string): string {
  if (key === '') return query.has('uploads') ? 'ListMultipartUploads' : 'other'
  const isUpload = query.has('uploadId')
  if (method === 'POST') return isUpload ? 'CompleteMultipartUpload' : 'CreateMultipartUpload'
  if (method === 'PUT') return isUpload ? 'UploadPart' : 'PutObject'
  if (method === 'DELETE') return isUpload ? 'AbortMultipartUpload' : 'DeleteObject'
  return method === 'HEAD' ? 'HeadObject' : 'GetObject'
}

/** The bucket is in the host name or in the path. */
function placeOf(
  { bucket }: S3Rules,
  { headers }: IncomingMessage,
  { pathname }: URL,
): { bucket: string | undefined; key: string } {
  const [, ...parts] = pathname.split('/')
  const isInHost = headers.host?.startsWith(`${bucket}.`)
  const named = isInHost ? bucket : parts.shift()
  return { bucket: named, key: decodeURIComponent(parts.join('/')) }
}

export async function answerS3(
  s3: S3Rules,
  objects: Objects,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url as string, 'http://s3')
  const { bucket, key } = placeOf(s3, request, url)
  const action = actionOf(request.method as string, url.searchParams, key)
  s3.requests.push({ action, key })
  const fault = s3.fault({ action, key })
  response.setHeader('date', new Date(s3.now()).toUTCString())
  for (const [name, value] of Object.entries(s3.headers)) response.setHeader(name, value)
  try {
    if (fault === 'stall') return
    if (fault === 'drop_before') return void response.destroy()
    if (typeof fault === 'object' && 'status' in fault) {
      throw new S3Refusal(fault.status, fault.code)
    }
    const objection = faultOfSignature(request, s3.keys, s3.now())
    if (objection) throw new S3Refusal(403, objection)
    if (bucket !== s3.bucket) throw new S3Refusal(404, 'NoSuchBucket')
    if (NEWER.some((name) => name in request.headers)) throw new S3Refusal(501, 'NotImplemented')
    const visit: S3Exchange = { action, key, query: url.searchParams, request, response, fault }
    await serve(objects, visit)
  } catch (error) {
    if (!(error instanceof S3Refusal)) throw error
    refuse(s3, request, response, error)
  }
}

/** Repeats details of the request and the access key, as Amazon's own errors do. */
function refuse(
  { keys }: S3Rules,
  request: IncomingMessage,
  response: ServerResponse,
  { status, code }: S3Refusal,
): void {
  request.resume()
  const { authorization = '', host } = request.headers
  const about = `${keys.accessKeyId} ${host}${request.url} ${authorization}`.replaceAll(
    '&',
    '&amp;',
  )
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(
    `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${about}</Message>` +
      `<AWSAccessKeyId>${keys.accessKeyId}</AWSAccessKeyId></Error>`,
  )
}

interface S3Exchange extends S3Request {
  query: URLSearchParams
  request: IncomingMessage
  response: ServerResponse
  fault: S3Fault | undefined
}

async function serve(objects: Objects, visit: S3Exchange): Promise<void> {
  const { action, key, query, request } = visit
  const id = query.get('uploadId') ?? ''
  switch (action) {
    case 'PutObject':
      return reply(visit, 200, '', {
        etag: await objects.put(key, request, signedChecksum(request)),
      })
    case 'DeleteObject':
      await objects.remove(key)
      return reply(visit, 204)
    case 'CreateMultipartUpload':
      return reply(
        visit,
        200,
        `<InitiateMultipartUploadResult><UploadId>${objects.begin(key)}</UploadId></InitiateMultipartUploadResult>`,
      )
    case 'UploadPart': {
      const number = Number(query.get('partNumber'))
      const etag = await objects.putPart(key, id, number, request, signedChecksum(request))
      return reply(visit, 200, '', { etag })
    }
    case 'CompleteMultipartUpload': {
      await objects.complete(key, id, partsIn(await text(request)))
      return reply(
        visit,
        200,
        '<CompleteMultipartUploadResult><ETag>"done"</ETag></CompleteMultipartUploadResult>',
      )
    }
    case 'AbortMultipartUpload':
      await objects.abort(key, id)
      return reply(visit, 204)
    case 'ListMultipartUploads':
      return reply(visit, 200, listing(objects, query.get('prefix') ?? ''))
    case 'GetObject':
    case 'HeadObject':
      return await sendObject(objects, visit)
    default:
      throw new S3Refusal(501, 'NotImplemented')
  }
}

/** Accepts bodies with a signed checksum or with none; refuses bodies with signed chunks. */
function signedChecksum({ headers }: IncomingMessage): string | undefined {
  const checksum = String(headers['x-amz-content-sha256'])
  if (checksum === 'UNSIGNED-PAYLOAD') return undefined
  if (/^[0-9a-f]{64}$/.test(checksum)) return checksum
  throw new S3Refusal(501, 'NotImplemented')
}

function partsIn(xml: string): [number, string][] {
  return [...xml.matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = '']) => [
    Number(/<PartNumber>(\d+)</.exec(part)?.[1]),
    (/<ETag>(.*?)<\/ETag>/.exec(part)?.[1] ?? '').replaceAll('&quot;', '"'),
  ])
}

function listing(objects: Objects, prefix: string): string {
  const found = [...objects.uploads].filter(([, { key }]) => key.startsWith(prefix))
  const uploads = found.map(
    ([id, { key }]) => `<Upload><Key>${key}</Key><UploadId>${id}</UploadId></Upload>`,
  )
  return `<ListMultipartUploadsResult>${uploads.join('')}</ListMultipartUploadsResult>`
}

function reply(
  { response, fault }: S3Exchange,
  status: number,
  xml = '',
  headers: Record<string, string> = {},
): void {
  if (fault === 'drop_after') return void response.destroy()
  response.writeHead(status, { ...headers, ...(xml && { 'content-type': 'application/xml' }) })
  response.end(xml)
}

function limitOf(fault: S3Fault | undefined, name: string): number | undefined {
  return typeof fault === 'object'
    ? ((fault as Record<string, unknown>)[name] as number)
    : undefined
}

async function sendObject(objects: Objects, visit: S3Exchange): Promise<void> {
  const { key, query, request, response, fault } = visit
  const size = await objects.sizeOf(key)
  const etag = objects.etagOf(key)
  if (![undefined, etag].includes(request.headers['if-match'])) {
    throw new S3Refusal(412, 'PreconditionFailed')
  }
  const range =
    fault === 'whole' ? undefined : /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '')
  const shift = fault === 'shifted' ? 1 : 0
  const first = Number(range?.[1] ?? 0) + shift
  const last = Math.min(Number(range?.[2] || size - 1) + shift, size - 1)
  if (range && first > last) throw new S3Refusal(416, 'InvalidRange')
  response.writeHead(range ? 206 : 200, {
    'accept-ranges': 'bytes',
    etag,
    ...(!hasNoLength(fault) && { 'content-length': last - first + 1 }),
    'content-type': query.get('response-content-type') ?? 'binary/octet-stream',
    ...(range && { 'content-range': `bytes ${first}-${last}/${size}` }),
    ...(query.has('response-content-disposition') && {
      'content-disposition': query.get('response-content-disposition') as string,
    }),
  })
  if (visit.action === 'HeadObject' || size === 0) return void response.end()
  await sendBytes(objects, visit, first, last)
}

const hasNoLength = (fault: S3Fault | undefined) =>
  (limitOf(fault, 'endAt') ?? limitOf(fault, 'lostAt')) !== undefined

/** Sends all bytes, or as many as the fault allows. */
async function sendBytes(
  objects: Objects,
  { key, response, fault }: S3Exchange,
  first: number,
  last: number,
): Promise<void> {
  const cutAt = limitOf(fault, 'cutAt') ?? limitOf(fault, 'lostAt')
  const stallAt = limitOf(fault, 'stallAt')
  const limit = cutAt ?? stallAt ?? limitOf(fault, 'endAt')
  if (limit === undefined) return await pipeline(objects.read(key, first, last), response)
  response.flushHeaders()
  if (limit > 0) {
    for await (const chunk of objects.read(key, first, first + limit - 1)) {
      await new Promise((resolve) => response.write(chunk, resolve))
    }
  }
  if (cutAt !== undefined) response.destroy()
  else if (stallAt === undefined) response.end()
}
