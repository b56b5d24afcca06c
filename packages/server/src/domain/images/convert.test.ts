import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { type ConvertLimits, convertImage } from './convert.ts'
import { imageFormatOf } from './sniff.js'

const convert = (bytes: Uint8Array, limits?: Partial<ConvertLimits>) =>
  convertImage('app', bytes, limits)

const plain = (width = 900, height = 600) =>
  sharp({ create: { width, height, channels: 3, background: '#3366cc' } })
const seeThrough = (width = 300, height = 200) =>
  sharp({
    create: { width, height, channels: 4, background: { r: 200, g: 20, b: 20, alpha: 0.5 } },
  })
const svg = (content: string, size = 'width="120" height="60"') =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${size}>${content}</svg>`,
  )

async function sizesOf(bytes: Uint8Array) {
  const { type, sizes } = await convert(bytes)
  return { type, widths: sizes.map(({ width }) => width) }
}

const refusal = async (bytes: Uint8Array, limits = {}) =>
  await convert(bytes, limits).then(
    () => 'taken',
    ({ parameter, problem }) => `${parameter} ${problem}`,
  )

/** A PNG that says how large it is, with little data. */
function pngOf(width: number, height: number, data = deflateSync(Buffer.alloc(64))): Buffer {
  const chunk = (name: string, content: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), content])
    const length = Buffer.alloc(4)
    length.writeUInt32BE(content.length)
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc(body))
    return Buffer.concat([length, body, sum])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 0, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    ...[chunk('IHDR', head), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))],
  ])
}

function crc(bytes: Buffer): number {
  let value = ~0
  for (const byte of bytes) {
    value ^= byte
    for (let i = 0; i < 8; i++) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0)
  }
  return ~value >>> 0
}

describe('an image that is uploaded', () => {
  it.each([
    ['png', () => plain().png().toBuffer()],
    ['jpeg', () => plain().jpeg().toBuffer()],
    ['webp', () => plain().webp().toBuffer()],
    ['avif', () => plain().avif({ effort: 0 }).toBuffer()],
    ['gif', () => plain().gif().toBuffer()],
  ] as const)('may be %s, and becomes a JPEG in every smaller width', async (format, make) => {
    const bytes = await make()
    expect(imageFormatOf(bytes)).toBe(format)
    expect(await sizesOf(bytes)).toEqual({ type: 'image/jpeg', widths: [96, 192, 400, 800, 900] })
  })

  it('becomes a PNG if one can see through it, and is never made larger', async () => {
    const bytes = await seeThrough().png().toBuffer()
    expect(await sizesOf(bytes)).toEqual({ type: 'image/png', widths: [96, 192, 300] })
    const tiny = await plain(1, 1).png().toBuffer()
    expect(await sizesOf(tiny)).toEqual({ type: 'image/jpeg', widths: [1] })
    const tall = await plain(2, 9000).png().toBuffer()
    expect(await sizesOf(tall)).toEqual({ type: 'image/jpeg', widths: [1] })
  })

  it('may be a drawing, which is drawn as large as it is needed', async () => {
    const bytes = svg('<circle cx="60" cy="30" r="20" fill="red"/>')
    expect(await sizesOf(bytes)).toEqual({ type: 'image/png', widths: [96, 192, 400, 800, 1600] })
    const declared = Buffer.concat([
      Buffer.from('\uFEFF<?xml version="1.0"?>\n<!-- made by hand -->\n<!DOCTYPE svg>\n'),
      bytes,
    ])
    expect((await sizesOf(declared)).type).toBe('image/png')
  })

  it('is upright and without where it was taken', async () => {
    const exif = { IFD0: { Copyright: 'SECRET-OWNER' }, IFD3: { GPSLatitude: '52/1 30/1 0/1' } }
    const bytes = await plain(600, 400)
      .withExif(exif)
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const given = await sharp(await plain(600, 400).withExif(exif).jpeg().toBuffer()).metadata()
    expect(given.exif?.toString('latin1')).toContain('SECRET-OWNER')
    const { sizes } = await convert(bytes)
    for (const size of sizes) {
      const { exif: left, icc, xmp, orientation } = await sharp(size.bytes).metadata()
      expect({ left, icc, xmp, orientation }).toEqual({})
      expect(size.bytes.includes('SECRET-OWNER')).toBe(false)
    }
    expect(sizes.at(-1)).toMatchObject({ width: 400, height: 600 })
    const tagged = await convert(await plain(600, 400).withExif(exif).jpeg().toBuffer())
    expect(tagged.sizes.some(({ bytes: out }) => out.includes('SECRET-OWNER'))).toBe(false)
  })

  it('may be CMYK or have 16 bits, and comes out as browsers and mail programs show it', async () => {
    const cmyk = await plain().toColourspace('cmyk').jpeg().toBuffer()
    expect((await sharp(cmyk).metadata()).space).toBe('cmyk')
    const deep = await plain().toColourspace('rgb16').png().toBuffer()
    expect((await sharp(deep).metadata()).depth).toBe('ushort')
    for (const bytes of [cmyk, deep]) {
      const { sizes } = await convert(bytes)
      const { space, depth } = await sharp(sizes.at(-1)?.bytes).metadata()
      expect([space, depth]).toEqual(['srgb', 'uchar'])
    }
  })

  it('that moves stands still', async () => {
    const frames = Buffer.alloc(40 * 80 * 3, 200)
    frames.fill(20, 0, 40 * 40 * 3)
    const raw = { width: 40, height: 80, channels: 3, pageHeight: 40 } as const
    const moving = await sharp(frames, { raw })
      .gif({ loop: 0, delay: [100, 100] })
      .toBuffer()
    expect((await sharp(moving, { animated: true }).metadata()).pages).toBe(2)
    const { sizes } = await convert(moving)
    expect(sizes).toMatchObject([{ width: 40, height: 40 }])
  })

  it('keeps nothing that is hidden in it or behind it', async () => {
    const gif = await plain(40, 40).gif().toBuffer()
    const page = Buffer.from('<script>alert("HIDDEN")</script>')
    const { sizes } = await convert(Buffer.concat([gif, page]))
    expect(sizes.some(({ bytes }) => bytes.includes('HIDDEN'))).toBe(false)
  })
})

const UNREADABLE = "image can't be read; the file may be damaged"
const COSTLY =
  'image takes too much time or memory to convert; save it as a smaller PNG or JPEG first'
const UNSUPPORTED = 'image must be a PNG, JPEG, WebP, AVIF, GIF or SVG image'

describe('what is refused', () => {
  it.each([
    ['nothing', () => Buffer.alloc(0), UNSUPPORTED],
    ['a few zeros', () => Buffer.alloc(100), UNSUPPORTED],
    ['a text', () => Buffer.from('<html><body>Hello, I am a picture</body></html>'), UNSUPPORTED],
    ['a PDF', () => Buffer.from('%PDF-1.7 and so on and on'), UNSUPPORTED],
    ['a TIFF', () => plain(50, 50).tiff().toBuffer(), UNSUPPORTED],
    [
      'a photo of a phone',
      () => Buffer.from('\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic', 'latin1'),
      'image is in the HEIC format, which browsers can’t show; save it as JPEG or PNG first',
    ],
    ['half a PNG', async () => (await noise().png().toBuffer()).subarray(0, 2000), UNREADABLE],
    ['half a JPEG', async () => (await noise().jpeg().toBuffer()).subarray(0, 2000), UNREADABLE],
    ['half a WebP', async () => (await noise().webp().toBuffer()).subarray(0, 2000), UNREADABLE],
    ['the first bytes of a GIF', () => Buffer.from('GIF89a and then something else'), UNREADABLE],
    [
      'more pixels than a camera has, in a small file',
      () => pngOf(40_000, 40_000),
      'image must not have more than 50 million pixels',
    ],
    ['a PNG that promises more than it has', () => pngOf(4000, 4000), UNREADABLE],
    [
      'more bytes than anybody needs',
      () => Buffer.alloc(10_000_001),
      'image must not be larger than 10 MB',
    ],
    [
      'a drawing as wide as a house',
      () => svg('<rect width="9" height="9"/>', 'width="90000" height="90000"'),
      'image must not have more than 50 million pixels',
    ],
    [
      'entities that grow',
      () =>
        Buffer.from(
          '<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><svg xmlns="http://www.w3.org/2000/svg"><text>&b;</text></svg>',
        ),
      UNSUPPORTED,
    ],
    [
      'entities in a comment’s shadow',
      () => Buffer.concat([svg('<text>&a;</text>'), Buffer.from('<!ENTITY a "b">')]),
      COSTLY,
    ],
    ['thousands of uses of one part', () => svg('<use href="#a"/>'.repeat(1_001)), COSTLY],
    [
      'noise that is computed for each pixel',
      () => svg('<filter id="f"><feTurbulence/></filter><rect filter="url(#f)"/>'),
      COSTLY,
    ],
    ['comments without a drawing', () => Buffer.from(`${'<!---->'.repeat(500)}x`), UNSUPPORTED],
    ['a comment without an end', () => Buffer.from(`<!--${'-'.repeat(5000)}<svg>`), UNSUPPORTED],
  ])('%s', async (_, make, expected) => {
    expect(await refusal(await make())).toBe(expected)
  })

  it('what takes too long or too much memory, and the next image is converted all the same', async () => {
    const large = await noise(1500).jpeg().toBuffer()
    expect(await refusal(large, { maxSeconds: 0.05 })).toBe(COSTLY)
    expect(await refusal(large, { maxMemory: 1_000_000 })).toBe(COSTLY)
    expect(await sizesOf(await plain(10, 10).png().toBuffer())).toMatchObject({ widths: [10] })
  })
})

describe('a drawing', () => {
  it('is recognized behind whatever may stand before it', () => {
    const start = (text: string) => imageFormatOf(Buffer.from(`${text}            `))
    for (const before of [
      '',
      '\uFEFF',
      ' \n',
      '<?xml version="1.0"?>',
      '<!-- a > b -->\n<!---->',
    ]) {
      expect([before, start(`${before}<svg>`), start(`${before}<html>`)]).toEqual([
        before,
        'svg',
        undefined,
      ])
    }
    expect(start('<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN"><SVG\n>')).toBe('svg')
    expect([start('<svgs>'), start('<!DOCTYPE svg [<!ENTITY a "b">]><svg>')]).toEqual([
      undefined,
      undefined,
    ])
  })

  it('that takes long is given up after a few seconds, and the next image is converted', async () => {
    const level = (n: number) => `<g id="l${n}">${`<use href="#l${n - 1}"/>`.repeat(10)}</g>`
    const levels = Array.from({ length: 11 }, (_, n) => level(n + 1)).join('')
    const nested = svg(
      `<defs><rect id="l0" width="1" height="1"/>${levels}</defs><use href="#l11"/>`,
    )
    const began = performance.now()
    expect(await refusal(nested, { maxDrawingSeconds: 1 })).toBe(COSTLY)
    expect(performance.now() - began).toBeLessThan(8_000)
    expect(await sizesOf(await plain(10, 10).png().toBuffer())).toMatchObject({ widths: [10] })
  })

  it('fetches nothing, reads no file and runs no script', async () => {
    const { createServer } = await import('node:http')
    const asked: string[] = []
    const server = createServer((request, response) => {
      asked.push(request.url ?? '')
      response.end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const at = `http://127.0.0.1:${port}`
    const bytes = svg(
      `<style>@import url("${at}/style.css");</style>
      <image href="${at}/a.png" width="10" height="10"/><image xlink:href="file:///etc/passwd" width="9" height="9"/>
      <script>fetch("${at}/script")</script><use href="${at}/b.svg#c"/>
      <foreignObject width="9" height="9"><iframe src="${at}/frame"/></foreignObject>
      <rect width="30" height="30" fill="blue"/>`,
    )
    const { type } = await convert(bytes)
    server.close()
    expect([type, asked]).toEqual(['image/png', []])
  })
})

/** Noise can't be compressed, so half of a file is never the whole image. */
function noise(size = 300) {
  return sharp({
    create: {
      ...{ width: size, height: size, channels: 3, background: '#000' },
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
}
