// Recognizes what kind of image a file is, within the process that converts it. Plain JavaScript, because Node starts that
// process as it is.

/** As much of a drawing as is looked at for its first element. */
const MAX_SVG_START = 4096

const startsWith = (bytes, text, at = 0) =>
  bytes.subarray(at, at + text.length).equals(Buffer.from(text, 'latin1'))

/** Returns the format by the first bytes, or undefined if it is none of those that are known. What the client says about the
 * type is ignored. */
export function imageFormatOf(bytes) {
  if (bytes.length < 12) return undefined
  if (startsWith(bytes, '\xff\xd8\xff')) return 'jpeg'
  if (startsWith(bytes, '\x89PNG\r\n\x1a\n')) return 'png'
  if (startsWith(bytes, 'GIF87a') || startsWith(bytes, 'GIF89a')) return 'gif'
  if (startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8)) return 'webp'
  if (startsWith(bytes, 'ftyp', 4)) return brandOf(bytes)
  return isSvg(bytes) ? 'svg' : undefined
}

const HEIC_BRANDS = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs', 'mif1', 'msf1']

/** AVIF and HEIC are the same container; its brands tell them apart. */
function brandOf(bytes) {
  const brands = []
  for (let at = 8; at + 4 <= Math.min(bytes.length, 64); at += 4) {
    brands.push(bytes.toString('latin1', at, at + 4))
  }
  if (brands.includes('avif') || brands.includes('avis')) return 'avif'
  return brands.some((brand) => HEIC_BRANDS.includes(brand)) ? 'heic' : undefined
}

/** What may stand before the first element of a drawing, and how each of it ends. */
const PROLOG = [
  { start: '<?xml', end: '?>' },
  { start: '<!--', end: '-->' },
  { start: '<!doctype', end: '>' },
]

/** A loop and no pattern: comments that a pattern may end in several places take it years. */
function isSvg(bytes) {
  const start = bytes.toString('utf8', 0, MAX_SVG_START).replace(/^\uFEFF/, '')
  let rest = start.toLowerCase().trimStart()
  for (;;) {
    const part = PROLOG.find((one) => rest.startsWith(one.start))
    if (part === undefined) return /^<svg[\s>]/.test(rest)
    const end = rest.indexOf(part.end, part.start.length)
    // Declarations in a document type could be entities.
    if (end < 0 || (part.end === '>' && rest.slice(0, end).includes('['))) return false
    rest = rest.slice(end + part.end.length).trimStart()
  }
}

/** More uses of other parts than any drawing has that somebody drew. Nested, each level multiplies them. */
const MAX_USES = 1_000

/** Returns whether a drawing has what can grow beyond any size: entities, which no drawing program writes, parts that are used
 * by others again and again, or noise, which is computed for each pixel. */
export function canGrow(bytes) {
  const text = bytes.toString('latin1')
  return text.includes('<!ENTITY') || text.includes('feTurbulence') || countUses(text) > MAX_USES
}

function countUses(text) {
  let count = 0
  for (const _ of text.matchAll(/[<:]use[\s/>]/g)) count++
  return count
}
