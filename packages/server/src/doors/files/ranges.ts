import type { Span } from '../../downloads/storage.ts'

/** More parts than any player or download manager asks for at once. */
const MOST_SPANS = 32

/** Longer than so many parts can be: nobody means it. */
const LONGEST = 1_500

/** Less than what the head of a part takes: two spans this near are cheaper as one. */
const NEAR = 80

const SPEC = /^(?:(\d+)-(\d*)|-(\d+))$/

/**
 * The parts of a file that a `Range` header asks for, in its order. Undefined where the whole file is the
 * answer: there is no header, or none that we can make sense of (RFC 9110, 14.2). Empty where the file has
 * no such part.
 */
export function readRange(header: string | undefined, size: number): Span[] | undefined {
  if (header === undefined || header.length > LONGEST) return undefined
  const set = /^bytes=(.*)$/i.exec(header)?.[1]
  if (set === undefined) return undefined
  const specs = set
    .split(',')
    .map((spec) => spec.trim())
    .filter((spec) => spec !== '')
  if (specs.length === 0 || specs.length > MOST_SPANS) return undefined
  const spans: Span[] = []
  for (const spec of specs) {
    const span = spanOf(spec, size)
    if (span === undefined) return undefined
    if (span.first < size && span.last >= span.first) spans.push(span)
  }
  return joinNear(spans)
}

/** Past the end where there is nothing of it; undefined where it can't be read. */
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
  // Not an empty part but a mistake.
  if (Number(to) < first) return undefined
  return { first, last: Math.min(Number(to), Math.max(first, end)) }
}

/** Those that overlap or nearly touch become one: nobody gets more bytes than the file has. */
function joinNear(spans: readonly Span[]): Span[] {
  const sorted = [...spans].sort((a, b) => a.first - b.first)
  const joined: Span[] = []
  for (const span of sorted) {
    const before = joined.at(-1)
    if (before && span.first <= before.last + NEAR) before.last = Math.max(before.last, span.last)
    else joined.push({ ...span })
  }
  return joined.length === spans.length ? [...spans] : joined
}
