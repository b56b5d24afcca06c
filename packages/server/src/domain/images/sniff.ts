/** The formats that are recognized by their first bytes. What the client says about the type is ignored. */
export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' | 'heic' | 'svg'

const startsWith = (bytes: Uint8Array, text: string, at = 0) =>
  Buffer.from(bytes.buffer, bytes.byteOffset + at, Math.min(text.length, bytes.length - at)).equals(
    Buffer.from(text, 'latin1'),
  )

/** Returns the format, or undefined if it is none of them. */
export function imageFormatOf(bytes: Uint8Array): ImageFormat | undefined {
  if (bytes.length < 12) return undefined
  if (startsWith(bytes, '\xff\xd8\xff')) return 'jpeg'
  if (startsWith(bytes, '\x89PNG\r\n\x1a\n')) return 'png'
  if (startsWith(bytes, 'GIF87a') || startsWith(bytes, 'GIF89a')) return 'gif'
  if (startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8)) return 'webp'
  if (startsWith(bytes, 'ftyp', 4)) return brandOf(bytes)
  return isSvg(bytes) ? 'svg' : undefined
}

/** AVIF and HEIC are the same container; its brands tell them apart. */
function brandOf(bytes: Uint8Array): ImageFormat | undefined {
  const box = Buffer.from(bytes.subarray(8, Math.min(bytes.length, 64))).toString('latin1')
  if (/^(?:.{4})*?avi[fs]/s.test(box)) return 'avif'
  return /^(?:.{4})*?(?:hei[cxms]|hev[cxms]|mif1|msf1)/s.test(box) ? 'heic' : undefined
}

/** An SVG may begin with an XML declaration, comments and a document type. */
function isSvg(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.subarray(0, 4096)).toString('utf8')
  return /^\uFEFF?\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--.*?-->\s*|<!DOCTYPE[^>[]*>\s*)*<svg[\s>]/is.test(
    text,
  )
}

/** Entities can expand to any size. No drawing program writes them. */
export const hasEntities = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1').includes('<!ENTITY')
