/**
 * Downloads a file by its link, on Node. An interrupted download resumes where it stopped, even in another process. A
 * file at its final path is always complete.
 */
import { lstat } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { fileExists, Part, type Version } from './download/part.ts'
import { type Answer, ask, createWatch } from './download/request.ts'
import { ApiError, ConnectionError, DownloadError } from './errors.ts'
import { parseUrl } from './parse-url.ts'
import type { Signal, UrlLike } from './runtime.ts'

export interface DownloadProgress {
  /** Bytes received so far. */
  received: number
  /** Size of the whole file in bytes; undefined if the server does not say. */
  total: number | undefined
}

export interface DownloadOptions {
  /** Replaces an existing file. */
  overwrite?: boolean
  onProgress?: (progress: DownloadProgress) => void
  /** Stops the download; what has arrived is kept for the next one. */
  signal?: Signal
  /** Milliseconds without data after which a connection is dropped; defaults to 30 seconds, `Infinity` means never. */
  idleTimeout?: number
  /** How many times in a row to retry without progress; defaults to 8. */
  retries?: number
  /** Milliseconds before the first retry, doubled for each further one, with jitter; defaults to 500. */
  firstPause?: number
}

export interface DownloadedFile {
  path: string
  size: number
  /** Hexadecimal. */
  sha256: string
  /** Whether the service sent a checksum, which then matched this one. */
  verified: boolean
}

const IDLE_TIMEOUT = 30_000
const MAX_PAUSE = 30_000
/** If the service asks for a longer wait than this, the caller decides. */
const MAX_WAIT = 5 * 60_000

/** Downloads the file to `path`. Until it is complete and verified, it is at `path` + `.part`. */
export async function downloadFile(
  url: string | UrlLike,
  path: string,
  options: DownloadOptions = {},
): Promise<DownloadedFile> {
  const { overwrite = false, signal, idleTimeout = IDLE_TIMEOUT } = options
  signal?.throwIfAborted()
  const address = parseAddress(url)
  if (!(idleTimeout > 0))
    throw new RangeError('Within an idleTimeout of 0 or less nothing can come.')
  if (!overwrite && (await isThere(path))) throw fileExists(path)
  const part = await Part.open(path)
  try {
    const { sha256, verified } = await fetchWhole(address, part, options)
    const size = part.length
    await part.moveTo(path, overwrite)
    return { path, size, sha256, verified }
  } finally {
    await part.close()
  }
}

/** The platform's own errors would repeat the URL, and a link is a secret. */
function parseAddress(url: string | UrlLike): URL {
  const text = typeof url === 'string' ? url : url.href
  const address = parseUrl(text)
  if (address && /^https?:$/.test(address.protocol)) return address
  throw new TypeError('The link is not an http or https address.')
}

const isThere = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  )

/** A file that arrived damaged is discarded and downloaded once more from the start. */
async function fetchWhole(address: URL, part: Part, options: DownloadOptions) {
  for (const isLast of [false, true]) {
    await fetchRest(address, part, options)
    const sha256 = await part.sha256(options.signal)
    const { digest } = part.version
    const verified = digest !== undefined
    if (!verified || digest === sha256.toString('base64')) {
      return { sha256: sha256.toString('hex'), verified }
    }
    await part.clear()
    if (isLast) break
  }
  throw new DownloadError('damaged', 'What arrived is not the file: its checksum is another.')
}

/** Retries as long as each attempt makes progress, and a few times more. */
async function fetchRest(address: URL, part: Part, options: DownloadOptions): Promise<void> {
  const { retries = 8, firstPause = 500, signal } = options
  for (let tries = 0; ; tries++) {
    try {
      return await fetchOnce(address, part, options)
    } catch (error) {
      if (!mayPass(error)) throw error
      if (part.hasGained()) tries = 0
      if (tries >= retries) throw error
      const growing = Math.min(firstPause * 2 ** tries, MAX_PAUSE) * (0.5 + Math.random() / 2)
      await pauseFor(Math.max(growing, askedToWait(error)), signal)
    }
  }
}

const askedToWait = (error: unknown) =>
  error instanceof ApiError ? (error.retryAfter ?? 0) * 1000 : 0

function mayPass(error: unknown): boolean {
  if (error instanceof ConnectionError) return true
  if (!(error instanceof ApiError) || askedToWait(error) > MAX_WAIT) return false
  return error.status === 429 || error.status >= 500
}

async function pauseFor(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await pause(milliseconds, undefined, signal ? { signal } : {}).catch(() => {})
  signal?.throwIfAborted()
}

async function fetchOnce(address: URL, part: Part, options: DownloadOptions): Promise<void> {
  const { idleTimeout = IDLE_TIMEOUT, signal, onProgress } = options
  const watch = createWatch(idleTimeout, signal)
  const report = () => onProgress?.({ received: part.length, total: part.version.total })
  try {
    const from = part.resumesAt
    const response = await ask(address, from > 0 ? rangeFrom(from, part.version) : {}, watch)
    await accept(response, part, from)
    report()
    for await (const chunk of response.chunks) {
      await part.write(chunk)
      report()
    }
    const { total = part.length } = part.version
    if (part.length !== total) throw new ConnectionError('The file ended before its end.')
  } finally {
    watch.end()
  }
}

/** Asks for the rest, or for the whole file if it has changed. */
const rangeFrom = (from: number, { etag = '' }: Version) => ({
  range: `bytes=${from}-`,
  'if-range': etag,
})

/** Prepares the part for the bytes of a response. */
async function accept(response: Answer, part: Part, from: number): Promise<void> {
  if (response.status === 200) return await part.begin(versionOf(response))
  if (response.status === 206 && from > 0 && isSequel(response, part.version, from)) {
    return part.continueAt(from)
  }
  // The part is unusable for some reason: discard it, so that the next attempt starts over.
  await part.clear()
  throw new ConnectionError(`The service answered with status ${response.status}, and no file.`)
}

const STRONG = /^"[^"]*"$/

function versionOf({ headers, digest }: Answer): Version {
  const { etag = '', 'content-length': length } = headers
  return {
    etag: STRONG.test(etag) ? etag : undefined,
    total: length === undefined ? undefined : Number(length),
    digest,
  }
}

function isSequel({ headers }: Answer, { etag, total }: Version, from: number): boolean {
  const range = headers['content-range'] ?? ''
  const [, first, whole] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(range) ?? []
  const isSame = (headers.etag ?? etag) === etag
  const isAsLong = whole === '*' || total === undefined || Number(whole) === total
  return isSame && isAsLong && Number(first) === from
}
