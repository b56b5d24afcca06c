// Converts one image: reads it from the standard input, writes a line of JSON and then the bytes of all sizes. Runs as a
// process of its own, because an image that somebody made with care may crash or stall the library that decodes it. Plain
// JavaScript, because Node starts this file as it is.
import { writeSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { canGrow, imageFormatOf } from './sniff.js'

const [, , limits = '{}'] = process.argv
const { widths, maxPixels, maxSeconds, maxDrawingSeconds, maxMemory } = JSON.parse(limits)

/** A drawing has no pixels of its own; it is drawn large enough for every size. */
const RESOLUTION = 72
const MAX_RESOLUTION = 2400

const LOADERS = {
  jpeg: 'VipsForeignLoadJpegBuffer',
  png: 'VipsForeignLoadPngBuffer',
  webp: 'VipsForeignLoadWebpBuffer',
  gif: 'VipsForeignLoadNsgifBuffer',
  avif: 'VipsForeignLoadHeifBuffer',
  svg: 'VipsForeignLoadSvgBuffer',
}

/** Ends the process while the library is at work: an ordinary exit would wait for its threads. */
function giveUp() {
  writeSync(1, `${JSON.stringify({ problem: 'costly' })}\n`)
  process.kill(process.pid, 'SIGKILL')
}

// The library works in threads, so this is noticed while it does.
setInterval(() => {
  if (process.memoryUsage.rss() > maxMemory) giveUp()
}, 20).unref()

const answer = (head, parts = []) =>
  process.stdout.write(Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), ...parts]))

async function loadSharp(format) {
  try {
    const { default: sharp } = await import('sharp')
    sharp.cache(false)
    sharp.concurrency(1)
    // Only the decoder of the format that was recognized, and that of our own intermediate image.
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({ operation: [LOADERS[format], LOADERS.png] })
    return sharp
  } catch {
    return undefined
  }
}

/** Turns the image upright and into sRGB without metadata, and makes it as small as the largest size. */
async function decode(sharp, format, bytes) {
  const options = { limitInputPixels: maxPixels, failOn: 'error', pages: 1 }
  if (format === 'svg') {
    const { width = 1 } = await sharp(bytes, options).metadata()
    const wanted = (RESOLUTION * Math.max(...widths)) / width
    options.density = Math.max(1, Math.min(MAX_RESOLUTION, wanted))
  }
  const largest = Math.max(...widths)
  return await sharp(bytes, options)
    .timeout({ seconds: maxSeconds })
    .autoOrient()
    .resize({ width: largest, height: largest, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .png({ compressionLevel: 1 })
    .toBuffer({ resolveWithObject: true })
}

async function convert(sharp, format, bytes) {
  const { data, info } = await decode(sharp, format, bytes)
  const { isOpaque } = await sharp(data).stats()
  const sizes = []
  const all = [...widths.filter((width) => width < info.width), Math.min(info.width, widths.at(-1))]
  for (const width of all) {
    const resized = sharp(data).timeout({ seconds: maxSeconds }).resize({ width })
    const encoded = isOpaque
      ? resized.flatten().jpeg({ quality: 84, mozjpeg: true })
      : resized.png({ compressionLevel: 9 })
    sizes.push(await encoded.toBuffer({ resolveWithObject: true }))
  }
  const heads = sizes.map(({ info: { width, height, size } }) => ({ width, height, length: size }))
  const type = isOpaque ? 'image/jpeg' : 'image/png'
  answer(
    { type, sizes: heads },
    sizes.map((size) => size.data),
  )
}

/** Returns what is wrong with an image before anything decodes it, or undefined. */
function problemWith(format, bytes) {
  if (format === undefined) return 'unsupported'
  if (format === 'heic') return 'heic'
  return format === 'svg' && canGrow(bytes) ? 'costly' : undefined
}

async function answerFor(bytes) {
  const format = imageFormatOf(bytes)
  const problem = problemWith(format, bytes)
  if (problem) return answer({ problem })
  const sharp = await loadSharp(format)
  if (!sharp) return answer({ problem: 'missing' })
  // Drawings of a few bytes can take any time, and their steps can't be stopped one by one.
  if (format === 'svg') setTimeout(giveUp, maxDrawingSeconds * 1000).unref()
  try {
    await convert(sharp, format, bytes)
  } catch (error) {
    answer({ problem: problemIn(String(error)) })
  }
}

function problemIn(message) {
  if (/pixel limit/i.test(message)) return 'pixels'
  return /timeout/i.test(message) ? 'costly' : 'unreadable'
}

await answerFor(await buffer(process.stdin))
