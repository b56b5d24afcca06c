import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { seededRandom } from '../random.ts'

/** The secret part of every link that these servers give. */
export const TOKEN = 'a-very-secret-token'

/** Makes retries immediate. */
export const QUICK = { firstPause: 1 }

export function bytesOf(length: number, seed = 1): Buffer {
  const random = seededRandom(seed)
  return Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)))
}

export const sha256 = (bytes: Uint8Array, encoding: 'hex' | 'base64' = 'hex') =>
  createHash('sha256').update(bytes).digest(encoding)

export interface Reply {
  bytes: Buffer
  etag?: string | undefined
  /** Overrides the checksum, for tests that send a wrong one. */
  digest?: string | undefined
  /** How many bytes are sent before the connection breaks. */
  cutAfter?: number | undefined
  hasRanges?: boolean
}

/** Responds like a file server. */
export function sendFile(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
  const { bytes, etag = `"${sha256(bytes)}"`, hasRanges = true, cutAfter } = reply
  const asked = /^bytes=(\d+)-$/.exec(request.headers.range ?? '')
  const isSame = request.headers['if-range'] === etag
  const from = asked && hasRanges && isSame ? Number(asked[1]) : 0
  const body = bytes.subarray(from)
  response.writeHead(from > 0 ? 206 : 200, {
    'content-length': body.length,
    ...(etag === '' ? {} : { etag }),
    ...(reply.digest === '' ? {} : { 'repr-digest': reply.digest ?? digestOf(bytes) }),
    ...(from > 0 ? { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` } : {}),
  })
  if (cutAfter === undefined || cutAfter >= body.length) return void response.end(body)
  response.write(body.subarray(0, cutAfter), () => response.destroy())
  if (cutAfter === 0) response.destroy()
}

export const digestOf = (bytes: Buffer) =>
  `sha-512=:AAAA:, sha-256=:${sha256(bytes, 'base64')}:, unixsum=30637`
