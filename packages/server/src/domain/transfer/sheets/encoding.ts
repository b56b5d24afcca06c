import { OperatorError } from '../../../errors.ts'

/** Encodings that spreadsheets write. */
export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** The bytes of a file, which can be read several times, and its name for messages. */
export interface Source {
  name: string
  bytes(): AsyncIterable<Uint8Array>
}

/** Whether the bytes begin with these. */
const begins = (bytes: Uint8Array, start: readonly number[]) =>
  start.every((byte, i) => bytes[i] === byte)

const BYTE_ORDER_MARKS: readonly (readonly [Encoding, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/** Files that people choose by mistake, and what to do instead. */
const OTHER_FILES: readonly (readonly [readonly number[], string])[] = [
  [[0x50, 0x4b, 0x03, 0x04], 'an Excel workbook or another packed file'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'an Excel workbook'],
  [[0x25, 0x50, 0x44, 0x46], 'a PDF'],
]

const SAVE_AS = 'In your spreadsheet, choose File, Save as, and then CSV.'

/** Recognises the encoding. Reads the whole file unless it begins with a byte order mark: a single letter far below can tell
 * Windows-1252 from UTF-8. Throws if the file is no text. */
export async function recognizeEncoding({ name, bytes }: Source): Promise<Encoding> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let isFirst = true
  let isUtf8 = true
  for await (const chunk of bytes()) {
    if (isFirst) {
      requireNoOtherFile(name, chunk)
      const marked = BYTE_ORDER_MARKS.find(([, mark]) => begins(chunk, mark))
      if (marked) return marked[0]
      isFirst = false
    }
    if (chunk.includes(0)) throw new OperatorError(`${name} is not a text file. ${SAVE_AS}`)
    if (isUtf8) isUtf8 = canDecode(decoder, chunk)
  }
  return isUtf8 && canDecode(decoder) ? 'utf-8' : 'windows-1252'
}

function requireNoOtherFile(name: string, start: Uint8Array): void {
  const other = OTHER_FILES.find(([mark]) => begins(start, mark))
  if (other) throw new OperatorError(`${name} is ${other[1]}, not CSV. ${SAVE_AS}`)
}

function canDecode(decoder: TextDecoder, chunk?: Uint8Array): boolean {
  try {
    if (chunk) decoder.decode(chunk, { stream: true })
    else decoder.decode()
    return true
  } catch {
    return false
  }
}

/** The characters of the bytes 0x80 to 0x9f. Some versions of Node decode them as Latin-1. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

const decodeWindows1252 = (chunk: Uint8Array): string =>
  Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, (character) => WINDOWS_1252[character.charCodeAt(0) - 0x80] as string)

/** Decodes the file, without its byte order mark. */
export async function* decodeText(source: Source, encoding: Encoding): AsyncGenerator<string> {
  if (encoding === 'windows-1252') {
    for await (const chunk of source.bytes()) yield decodeWindows1252(chunk)
    return
  }
  const decoder = new TextDecoder(encoding, { fatal: true })
  try {
    for await (const chunk of source.bytes()) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error
    throw new OperatorError(`${source.name} is not ${ENCODING_NAMES[encoding]} text`)
  }
}

const ENCODING_NAMES: Record<Encoding, string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
  'windows-1252': 'Windows-1252',
}

/** Decodes the beginning of a file, which may end within a character. */
export const decodeLeniently = (bytes: Uint8Array, encoding: Encoding): string =>
  encoding === 'windows-1252' ? decodeWindows1252(bytes) : new TextDecoder(encoding).decode(bytes)
