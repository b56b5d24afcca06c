import { buffer } from 'node:stream/consumers'
import { fail, invalid } from '../../errors.ts'
import { IMAGE_WIDTHS } from '../../image-url.ts'
import { CONVERTER, spawnRestricted } from './convert-child.ts'
import { MAX_IMAGE_BYTES } from './limits.ts'
import { TurnsByApplication } from './turns.ts'

export interface ImageSize {
  width: number
  height: number
  bytes: Buffer
}

/** An image that was decoded and encoded anew, in several sizes, smallest first. */
export interface ConvertedImage {
  type: 'image/jpeg' | 'image/png'
  sizes: ImageSize[]
}

export interface ConvertLimits {
  maxPixels: number
  /** For each step of the conversion. The process is killed after twice that time. */
  maxSeconds: number
  /** For all steps together, if the image is a drawing: a few bytes of it can take any time. */
  maxDrawingSeconds: number
  /** Bytes of memory of the process. */
  maxMemory: number
}

const LIMITS: ConvertLimits = {
  ...{ maxPixels: 50_000_000, maxMemory: 1_000_000_000 },
  ...{ maxSeconds: 10, maxDrawingSeconds: 3 },
}

/** One image at a time, so that images take at most one processor and the memory of one. */
const turns = new TurnsByApplication({ maxWaiting: 20, maxWaitingForEach: 8 })

/**
 * Converts an image of an application in a process of its own, and refuses what is no image that pages and emails can show.
 * Not a byte of it is looked at before: whatever somebody made with care can then stop that process only.
 */
export async function convertImage(
  aid: string,
  bytes: Uint8Array,
  limits: Partial<ConvertLimits> = {},
): Promise<ConvertedImage> {
  if (bytes.length > MAX_IMAGE_BYTES) {
    throw invalid('image', `must not be larger than ${MAX_IMAGE_BYTES / 1_000_000} MB`)
  }
  return await turns.run(aid, () => run(bytes, { ...LIMITS, ...limits }))
}

async function run(bytes: Uint8Array, limits: ConvertLimits): Promise<ConvertedImage> {
  const { maxSeconds, maxPixels } = limits
  const options = JSON.stringify({ ...limits, widths: IMAGE_WIDTHS })
  const child = spawnRestricted([CONVERTER, options], 2 * maxSeconds * 1000)
  const failed = new Promise<never>((_, reject) => child.once('error', reject))
  // The process may end before it has read everything.
  child.stdin.on('error', () => {})
  child.stdin.end(bytes)
  const output = await Promise.race([buffer(child.stdout), failed])
  return readOutput(output, maxPixels, child.killed ? 'costly' : 'unreadable')
}

interface Head {
  problem?: 'missing' | 'unsupported' | 'heic' | 'pixels' | 'costly' | 'unreadable'
  type: ConvertedImage['type']
  sizes: { width: number; height: number; length: number }[]
}

/** What is wrong with an image, as a phrase that follows its name. */
const problemsOfImages = (maxPixels: number) => ({
  unsupported: 'must be a PNG, JPEG, WebP, AVIF, GIF or SVG image',
  heic: 'is in the HEIC format, which browsers can’t show; save it as JPEG or PNG first',
  pixels: `must not have more than ${maxPixels / 1_000_000} million pixels`,
  costly: 'takes too much time or memory to convert; save it as a smaller PNG or JPEG first',
  unreadable: "can't be read; the file may be damaged",
})

/** A process that was killed or has crashed leaves no output, or not all of it. */
function readOutput(
  output: Buffer,
  maxPixels: number,
  incomplete: 'costly' | 'unreadable',
): ConvertedImage {
  const problems = problemsOfImages(maxPixels)
  const end = output.indexOf('\n')
  if (end < 0) throw invalid('image', problems[incomplete])
  const { problem, type, sizes } = JSON.parse(output.toString('utf8', 0, end)) as Head
  if (problem === 'missing') throw fail('images_unavailable')
  if (problem !== undefined) throw invalid('image', problems[problem])
  let at = end + 1
  const cut = sizes.map(({ width, height, length }) => {
    const bytes = output.subarray(at, at + length)
    at += length
    return { width, height, bytes }
  })
  if (at !== output.length) throw invalid('image', problems[incomplete])
  return { type, sizes: cut }
}
