import sharp from 'sharp'
import { repeatedText } from './pieces.ts'

type Random = () => number

const among = <T>(random: Random, list: readonly T[]): T =>
  list[Math.floor(random() * list.length)] as T

/** An image of each format, small enough to be made thousands of times from. */
export async function createSeedImages(): Promise<Buffer[]> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  const image = sharp({ create: { width: 60, height: 40, channels: 3, background: '#000', noise } })
  const raster = [
    ...[image.clone().png(), image.clone().jpeg(), image.clone().webp()],
    ...[image.clone().gif(), image.clone().avif({ effort: 0 })],
  ]
  return await Promise.all(raster.map((one) => one.toBuffer()))
}

/** Changes some bytes, or leaves the end out. */
function damaged(random: Random, bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  for (let n = 0; n < 1 + random() * 10; n++) {
    copy[Math.floor(random() * copy.length)] = Math.floor(random() * 256)
  }
  return random() < 0.3 ? copy.subarray(0, Math.floor(random() * copy.length)) : copy
}

const svg = (content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="60">${content}</svg>`

function nestedUses(levels: number, width: number): string {
  const level = (n: number) => `<g id="l${n}">${`<use href="#l${n - 1}"/>`.repeat(width)}</g>`
  const all = Array.from({ length: levels }, (_, n) => level(n + 1)).join('')
  return svg(`<defs><rect id="l0" width="1" height="1"/>${all}</defs><use href="#l${levels}"/>`)
}

function hostileDrawing(random: Random): string {
  return among(random, [
    () => `${'<!---->'.repeat(20 + random() * 600)}x`,
    () => `<!--${'-->'.repeat(random() * 1_000)}<!-- ${svg('')}`,
    () => `<?xml${' '.repeat(random() * 4_000)}?>${'<!DOCTYPE svg>'.repeat(random() * 200)}`,
    () => svg(`<path d="M0 0${'L9 9'.repeat(random() * 10_000)}"/>`),
    () => `${'<g>'.repeat(random() * 100_000)}${svg('')}`,
    () => svg(`<filter id="f">${'<feTurbulence/>'.repeat(60)}</filter><rect filter="url(#f)"/>`),
    () => svg(`<text>${repeatedText(random, 4_000)}</text>`),
    // Each of these takes all the time that a drawing may take.
    () => (random() < 0.02 ? nestedUses(12, 10) : nestedUses(3, 10)),
  ])()
}

/** An image that somebody made with care, or damaged. */
export const hostileImage = (random: Random, seeds: readonly Buffer[]): Buffer =>
  random() < 0.4 ? damaged(random, among(random, seeds)) : Buffer.from(hostileDrawing(random))

/** A spreadsheet's file that somebody made with care. Few are long: each of those takes seconds. */
export function hostileSheet(random: Random): Buffer {
  const start = among(random, ['email\n', 'email,resource\na@b.de,', 'x,', 'a;b\n', 'sep=;\n', ''])
  const length = among(random, [500, 5_000, 60_000, random() < 0.05 ? 2_000_000 : 1_000])
  const text = start + repeatedText(random, length)
  if (random() < 0.1) return Buffer.from(`\ufeff${text}\ud800`, 'utf16le')
  return Buffer.from(text, random() < 0.1 ? 'latin1' : 'utf8')
}

/** A template of emails up to the longest that is taken, or a little longer. */
export function hostileTemplate(random: Random): string {
  const start = among(random, [
    'Subject: a\n\n',
    'Subject:',
    'Subject: ',
    '',
    'Subject: {{a}}\n\n# ',
  ])
  const half = random() < 0.05 ? '\ud800' : ''
  return start + repeatedText(random, 20_100 - start.length) + half
}
