import { Readable } from 'node:stream'
import { GetObjectCommand, type GetObjectCommandOutput } from '@aws-sdk/client-s3'
import {
  lengthOf,
  MissingFile,
  type OpenFile,
  type Span,
  type StoredFile,
  StoreUnavailable,
  type Write,
} from '../storage.ts'
import type { S3Location } from './client.ts'
import { isMissingObject, isTooShort, toStoreError } from './errors.ts'

const isSame = (one: Span, other: Span) => one.first === other.first && one.last === other.last

/** Allows for the backoff between attempts. */
const GRACE_MS = 1_000

/** One byte proves that the file exists and gives its size. A ranged GET, unlike HEAD, distinguishes a
 * missing file from a missing bucket. */
const LEAST: Span = { first: 0, last: 0 }

/**
 * Requests the bytes that will be sent first, so that one response both proves that the file exists and
 * delivers them. Without `first`, the response is only the proof.
 */
export async function openObject(
  location: S3Location,
  file: StoredFile,
  first?: Span,
): Promise<OpenFile> {
  let ready: { span: Span; body: Readable } | undefined
  let current = await fetchSpan(location, file, first ?? LEAST)
  if (first) ready = { span: first, body: current }
  else current.resume()

  return {
    async send(span, write) {
      if (lengthOf(span) < 1) return
      const fetched = ready && isSame(ready.span, span) ? ready.body : undefined
      if (fetched) ready = undefined
      current = fetched ?? (await fetchSpan(location, file, span))
      await sendBody(current, span, write, location.limits)
    },
    cancel() {
      current.destroy(new StoreUnavailable('S3: nobody wants the rest of a file'))
    },
    async close() {
      ready?.body.destroy()
    },
  }
}

/** Returns the response body, after checking that it covers exactly this span. */
async function fetchSpan(location: S3Location, file: StoredFile, span: Span): Promise<Readable> {
  const { bucket, keyOf, reading } = location
  // An empty file has no valid range.
  const range = file.size === 0 ? {} : { Range: `bytes=${span.first}-${span.last}` }
  const command = new GetObjectCommand({ Bucket: bucket, Key: keyOf(file.id), ...range })
  const answer = await inTime(location.limits, (abortSignal) =>
    reading.send(command, { abortSignal }),
  ).catch((error) => {
    if (isMissingObject(error)) throw new MissingFile(`S3: the file ${file.id} is not there`)
    if (isTooShort(error)) throw notTheSame(file)
    throw toStoreError(error, "a file can't be read", 's3:GetObject')
  })
  const { Body: body } = answer
  if (!(body instanceof Readable)) throw new StoreUnavailable('S3: an answer has no body')
  // The body may fail before anyone reads it; the later read reports the error.
  body.on('error', () => {})
  const objection = objectionTo(answer, file, span)
  if (!objection) return body
  body.destroy()
  throw objection
}

/** Limits the time until the response is known, since the body of an error response may never end. */
async function inTime<R>(
  { answer, readingTries }: S3Location['limits'],
  ask: (signal: AbortSignal) => Promise<R>,
): Promise<R> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), answer * readingTries + GRACE_MS)
  return await ask(late.signal).finally(() => clearTimeout(timer))
}

const notTheSame = ({ id }: StoredFile) =>
  new MissingFile(`S3: the file ${id} is not the file that it was`)

function objectionTo(
  { ContentRange: range, ContentLength: length }: GetObjectCommandOutput,
  file: StoredFile,
  span: Span,
): Error | undefined {
  // Some servers ignore `Range`, which makes no difference if the span is the whole file.
  const isWhole = range === undefined && (file.size === 0 || lengthOf(span) === file.size)
  const expected = isWhole ? file.size : lengthOf(span)
  const size = isWhole ? length : Number(/\/(\d+)$/.exec(range ?? '')?.[1] ?? file.size)
  if (size !== undefined && size !== file.size) return notTheSame(file)
  const isAsked = isWhole || range === `bytes ${span.first}-${span.last}/${file.size}`
  if (isAsked && (length === undefined || length === expected)) return undefined
  return new StoreUnavailable('S3: the server sends other bytes of a file than it was asked for')
}

async function sendBody(
  body: Readable,
  span: Span,
  write: Write,
  { silence }: Pick<S3Location['limits'], 'silence'>,
): Promise<void> {
  let left = lengthOf(span)
  try {
    for await (const piece of piecesOf(body, silence)) {
      left -= piece.length
      if (left < 0) break
      await write(piece)
    }
  } finally {
    body.destroy()
  }
  if (left !== 0) throw new StoreUnavailable('S3: a file does not end where it should')
}

/** Times only the waits for the server, never the reader. */
async function* piecesOf(body: Readable, silence: number): AsyncGenerator<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]()
  for (;;) {
    const timer = setTimeout(() => body.destroy(fellSilent()), silence)
    try {
      const { done, value } = await pieces.next()
      if (done) return
      clearTimeout(timer)
      yield value
    } catch (error) {
      throw toStoreError(error, "a file can't be read to its end", 's3:GetObject')
    } finally {
      clearTimeout(timer)
    }
  }
}

const fellSilent = () => new StoreUnavailable('S3: the server fell silent in the middle of a file')
