import type { Span } from '../../domain/downloads/storage/storage.ts'

/** More ranges than any player or download manager requests together. */
const MAX_SPANS = 32

/** Maximum header length in characters, enough for the maximum number of ranges. */
const MAX_HEADER_LENGTH = 1_500

/** Bytes, fewer than a part's own headers take: ranges with a smaller gap are cheaper as one. */
const MAX_GAP_BYTES = 80

const SPEC = /^(?:(\d+)-(\d*)|-(\d+))$/

/**
 * Returns the ranges of a file that a `Range` header requests: in its order, or by offset if some were merged.
 * Returns undefined for the whole file, if the header is missing, invalid or excessive (RFC 9110, 14.2), and an
 * empty array if no range lies within the file.
 */
export function readRange(header: string | undefined, size: number): Span[] | undefined {
  if (header === undefined || header.length > MAX_HEADER_LENGTH) return undefined
  const set = /^bytes=(.*)$/i.exec(header)?.[1]
  if (set === undefined) return undefined
  const specs = set
    .split(',')
    .map((spec) => spec.trim())
    .filter((spec) => spec !== '')
  if (specs.length === 0 || specs.length > MAX_SPANS) return undefined
  const spans: Span[] = []
  for (const spec of specs) {
    const span = spanOf(spec, size)
    if (span === undefined) return undefined
    if (span.first < size && span.last >= span.first) spans.push(span)
  }
  return mergeNear(spans)
}

/** Returns a span that starts past the end if the file has no such bytes; undefined if the text is invalid. */
function spanOf(spec: string, size: number): Span | undefined {
  const match = SPEC.exec(spec)
  if (!match) return undefined
  const [, from, to, suffix] = match
  const end = size - 1
  if (suffix !== undefined) {
    const count = Math.min(Number(suffix), size)
    return { first: size - count, last: end }
  }
  const first = Number(from)
  if (to === '' || to === undefined) return { first, last: Math.max(first, end) }
  // A reversed range is invalid, not empty.
  if (Number(to) < first) return undefined
  return { first, last: Math.min(Number(to), Math.max(first, end)) }
}

/** Merges ranges that overlap or nearly touch, so that a response never repeats bytes of the file. */
function mergeNear(spans: readonly Span[]): Span[] {
  const sorted = [...spans].sort((a, b) => a.first - b.first)
  const joined: Span[] = []
  for (const span of sorted) {
    const before = joined.at(-1)
    if (before && span.first <= before.last + MAX_GAP_BYTES)
      before.last = Math.max(before.last, span.last)
    else joined.push({ ...span })
  }
  return joined.length === spans.length ? [...spans] : joined
}
