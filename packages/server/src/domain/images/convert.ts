import { spawn } from 'node:child_process'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { fail, invalid } from '../../errors.ts'
import { IMAGE_WIDTHS } from '../../image-url.ts'
import { MAX_IMAGE_BYTES } from './limits.ts'
import { hasEntities, type ImageFormat, imageFormatOf } from './sniff.ts'

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
  /** Bytes of memory of the process. */
  maxMemory: number
}

const LIMITS: ConvertLimits = { maxPixels: 50_000_000, maxSeconds: 10, maxMemory: 1_000_000_000 }
/** How many images may wait for their turn. */
const MAX_WAITING = 20

const unsupported = () => invalid('image', 'must be a PNG, JPEG, WebP, AVIF, GIF or SVG image')
const unreadable = () => invalid('image', "can't be read; the file may be damaged")

/** Converts an image in a process of its own, one at a time, and refuses what is no image that pages and emails can show. */
export async function convertImage(
  bytes: Uint8Array,
  limits: Partial<ConvertLimits> = {},
): Promise<ConvertedImage> {
  if (bytes.length > MAX_IMAGE_BYTES) {
    throw invalid('image', `must not be larger than ${MAX_IMAGE_BYTES / 1_000_000} MB`)
  }
  const format = imageFormatOf(bytes)
  if (format === undefined) throw unsupported()
  if (format === 'heic') {
    throw invalid(
      'image',
      'is in the HEIC format, which browsers can’t show; save it as JPEG or PNG first',
    )
  }
  if (format === 'svg' && hasEntities(bytes)) throw unreadable()
  return await inTurn(() => run(format, bytes, { ...LIMITS, ...limits }))
}

let last: Promise<unknown> = Promise.resolve()
let waiting = 0

/** One image at a time, so that images take at most one processor and the memory of one. */
async function inTurn<R>(work: () => Promise<R>): Promise<R> {
  if (waiting >= MAX_WAITING) throw fail('overloaded')
  waiting++
  const turn = last.then(work)
  last = turn.catch(() => {})
  try {
    return await turn
  } finally {
    waiting--
  }
}

async function run(
  format: ImageFormat,
  bytes: Uint8Array,
  limits: ConvertLimits,
): Promise<ConvertedImage> {
  const { maxSeconds, maxPixels } = limits
  const file = fileURLToPath(new URL('./convert-process.js', import.meta.url))
  const child = spawn(
    process.execPath,
    [
      '--max-old-space-size=128',
      ...[file, format, JSON.stringify({ ...limits, widths: IMAGE_WIDTHS })],
    ],
    {
      // Nothing of our own settings: the process needs none, and some are secrets.
      env: { VIPS_CONCURRENCY: '1' },
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: 2 * maxSeconds * 1000,
      killSignal: 'SIGKILL',
    },
  )
  const failed = new Promise<never>((_, reject) => child.once('error', reject))
  // The process may end before it has read everything.
  child.stdin.on('error', () => {})
  child.stdin.end(bytes)
  const output = await Promise.race([buffer(child.stdout), failed])
  return readOutput(output, maxPixels)
}

interface Head {
  problem?: 'missing' | 'pixels' | 'unreadable'
  type: ConvertedImage['type']
  sizes: { width: number; height: number; length: number }[]
}

/** A process that was killed or has crashed leaves no output, or not all of it. */
function readOutput(output: Buffer, maxPixels: number): ConvertedImage {
  const end = output.indexOf('\n')
  if (end < 0) throw unreadable()
  const { problem, type, sizes } = JSON.parse(output.toString('utf8', 0, end)) as Head
  if (problem === 'missing') throw fail('images_unavailable')
  if (problem === 'pixels') {
    throw invalid('image', `must not have more than ${maxPixels / 1_000_000} million pixels`)
  }
  if (problem !== undefined) throw unreadable()
  let at = end + 1
  const cut = sizes.map(({ width, height, length }) => {
    const bytes = output.subarray(at, at + length)
    at += length
    return { width, height, bytes }
  })
  if (at !== output.length) throw unreadable()
  return { type, sizes: cut }
}
