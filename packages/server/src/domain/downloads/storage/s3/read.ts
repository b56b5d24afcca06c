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
import { inTime, type S3Location } from './client.ts'
import { isChanged, isMissingObject, isTooShort, toStoreError } from './errors.ts'

const isSame = (one: Span, other: Span) => one.first === other.first && one.last === other.last

/** One byte proves that the file exists and gives its size. A ranged GET, unlike HEAD, distinguishes a
 * missing file from a missing bucket. */
const LEAST: Span = { first: 0, last: 0 }

/** A response with some bytes of a file. */
interface Fetched {
  body: Readable
  etag: string | undefined
}

/**
 * Requests the bytes that will be sent first, so that one response both proves that the file exists and
 * delivers them. Without `first`, the response is only the proof.
 */
export async function openObject(
  location: S3Location,
  file: StoredFile,
  first?: Span,
): Promise<OpenFile> {
  let ready: { span: Span; fetched: Fetched } | undefined
  let isCanceled = false
  let current = await fetchSpan(location, file, first ?? LEAST)
  if (first) ready = { span: first, fetched: current }
  else current.body.resume()

  return {
    async send(span, write) {
      if (lengthOf(span) < 1) return
      const announced = ready && isSame(ready.span, span) ? ready.fetched : undefined
      if (announced) ready = undefined
      current = announced ?? (await fetchSpan(location, file, span))
      let { first } = span
      for (let resumes = 0; ; resumes++) {
        const sent = await sendBody(current.body, { ...span, first }, write, location.limits)
        if (!sent.problem) return
        // A server that sends nothing any more is not asked forever.
        const mayResume = resumes < location.limits.resumes && sent.bytes > 0
        if (isCanceled || !mayResume) throw sent.problem
        first += sent.bytes
        current = await fetchSpan(location, file, { ...span, first }, current.etag)
        if (isCanceled) current.body.destroy(notWanted())
      }
    },
    cancel() {
      isCanceled = true
      current.body.destroy(notWanted())
    },
    async close() {
      ready?.fetched.body.destroy()
    },
  }
}

/** Returns the response, after checking that it covers exactly this span, and comes from the object with this ETag. */
async function fetchSpan(
  location: S3Location,
  file: StoredFile,
  span: Span,
  etag?: string,
): Promise<Fetched> {
  const { bucket, keyOf, limits, reading } = location
  // An empty file has no valid range.
  const range = file.size === 0 ? {} : { Range: `bytes=${span.first}-${span.last}` }
  const input = { Bucket: bucket, Key: keyOf(file.id), IfMatch: etag, ...range }
  const answer = await inTime(limits, (abortSignal) =>
    reading.send(new GetObjectCommand(input), { abortSignal }),
  ).catch((error) => {
    if (isMissingObject(error)) throw new MissingFile(`S3: the file ${file.id} is not there`)
    if (isTooShort(error) || isChanged(error)) throw notTheSame(file)
    throw toStoreError(error, "a file can't be read", 's3:GetObject')
  })
  const { Body: body } = answer
  if (!(body instanceof Readable)) throw new StoreUnavailable('S3: an answer has no body')
  // The body may fail before anyone reads it; the later read reports the error.
  body.on('error', () => {})
  const objection = objectionTo(answer, file, span, etag)
  if (!objection) return { body, etag: answer.ETag }
  body.destroy()
  throw objection
}

const notWanted = () => new StoreUnavailable('S3: nobody wants the rest of a file')

const notTheSame = ({ id }: StoredFile) =>
  new MissingFile(`S3: the file ${id} is not the file that it was`)

function objectionTo(
  { ContentRange: range, ContentLength: length, ETag }: GetObjectCommandOutput,
  file: StoredFile,
  span: Span,
  etag: string | undefined,
): Error | undefined {
  // Some servers ignore `If-Match`.
  if (etag !== undefined && ETag !== etag) return notTheSame(file)
  // Some servers ignore `Range`, which makes no difference if the span is the whole file.
  const isWhole = range === undefined && (file.size === 0 || lengthOf(span) === file.size)
  const expected = isWhole ? file.size : lengthOf(span)
  const size = isWhole ? length : Number(/\/(\d+)$/.exec(range ?? '')?.[1] ?? file.size)
  if (size !== undefined && size !== file.size) return notTheSame(file)
  const isAsked = isWhole || range === `bytes ${span.first}-${span.last}/${file.size}`
  if (isAsked && (length === undefined || length === expected)) return undefined
  return new StoreUnavailable('S3: the server sends other bytes of a file than it was asked for')
}

/** Returns how many bytes were sent and, if they are not all, why the server's answer ended. */
async function sendBody(
  body: Readable,
  span: Span,
  write: Write,
  { silence }: Pick<S3Location['limits'], 'silence'>,
): Promise<{ bytes: number; problem?: Error }> {
  const wanted = lengthOf(span)
  let bytes = 0
  const pieces = piecesOf(body, silence)
  try {
    for (;;) {
      const next = await pieces.next().catch((error: Error) => error)
      if (next instanceof Error) return bytes === wanted ? { bytes } : { bytes, problem: next }
      if (next.done) break
      if (bytes + next.value.length > wanted) throw endsElsewhere()
      await write(next.value)
      bytes += next.value.length
    }
  } finally {
    body.destroy()
  }
  return bytes === wanted ? { bytes } : { bytes, problem: endsElsewhere() }
}

const endsElsewhere = () => new StoreUnavailable('S3: a file does not end where it should')

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
