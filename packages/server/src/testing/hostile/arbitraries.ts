import fc from 'fast-check'
import { PIECES } from './pieces.ts'

const half = fc.integer({ min: 0xd800, max: 0xdfff }).map((unit) => String.fromCharCode(unit))

/** Texts with half a surrogate pair somewhere. */
export const halfPairs: fc.Arbitrary<string> = fc
  .tuple(fc.string({ unit: 'binary' }), half, fc.string({ unit: 'binary' }))
  .map((parts) => parts.join(''))
  .filter((text) => /\p{Cs}/u.test(text))

const piece = fc.oneof(fc.constantFrom(...PIECES), fc.string({ minLength: 1, maxLength: 6 }))
const end = fc.oneof(fc.constant(''), piece)

/** What a text of one repeated piece is made of: the piece, and the start and end around its repetitions. */
export const repetitions = fc.record({ start: end, piece, end })

/** Makes the text, up to a length. */
export function repeatedUpTo(
  maxLength: number,
  { start, piece, end }: { start: string; piece: string; end: string },
): string {
  const room = Math.max(0, maxLength - start.length - end.length)
  return start + piece.repeat(Math.floor(room / piece.length)) + end
}
