/** How a kind of file begins, and which names say that a file is of it. */
interface Kind {
  /** Follows "looks like", as in `a PDF`. */
  name: string
  extensions: readonly string[]
  matches(start: Buffer): boolean
  /** Whether the content is text, which may just as well be in a file that says so. */
  isText?: true
}

/** How many bytes of a file are looked at. A PDF may begin within the first kilobyte. */
export const LOOKED_AT_BYTES = 1_100

const at = (position: number, ...texts: readonly string[]) => {
  const wanted = texts.map((text) => Buffer.from(text, 'latin1'))
  return (start: Buffer) =>
    wanted.some((bytes) => start.subarray(position, position + bytes.length).equals(bytes))
}

const riff = (form: string) => (start: Buffer) => at(0, 'RIFF')(start) && at(8, form)(start)

/** A frame of MPEG audio has eleven bits that are set. */
const isMpegFrame = (start: Buffer) =>
  start.length > 1 && start[0] === 0xff && ((start[1] as number) & 0xe0) === 0xe0

const HTML = /^\s*(<!--[^>]{0,200}-->\s*)?<(!doctype html|html|head|body|script|iframe)[\s>]/i

/** White space and a byte order mark may come first. */
const isHtml = (start: Buffer) => HTML.test(start.toString('utf8').replace(/^\uFEFF/, ''))

/** Kinds whose content is a program or a page that runs in a browser. */
const ACTIVE: readonly Kind[] = [
  { name: 'a Windows program', extensions: ['exe', 'dll'], matches: at(0, 'MZ') },
  { name: 'a Linux program', extensions: [], matches: at(0, '\x7fELF') },
  {
    name: 'a macOS program',
    extensions: [],
    matches: at(0, '\xfe\xed\xfa\xce', '\xfe\xed\xfa\xcf', '\xce\xfa\xed\xfe', '\xcf\xfa\xed\xfe'),
  },
  { name: 'a script', extensions: [], matches: at(0, '#!'), isText: true },
  { name: 'a web page', extensions: ['html', 'htm', 'xhtml'], matches: isHtml, isText: true },
]

/** The other kinds. A name that claims one of them must tell the truth. */
const PASSIVE: readonly Kind[] = [
  {
    name: 'a PDF',
    extensions: ['pdf'],
    matches: (start) => start.subarray(0, 1_024).includes('%PDF-'),
  },
  {
    name: 'a ZIP archive',
    extensions: [
      ...['zip', 'epub', 'cbz', 'docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp', 'jar', 'apk'],
    ],
    matches: at(0, 'PK\x03\x04', 'PK\x05\x06', 'PK\x07\x08'),
  },
  { name: 'a gzip archive', extensions: ['gz', 'tgz'], matches: at(0, '\x1f\x8b') },
  { name: 'a 7-Zip archive', extensions: ['7z'], matches: at(0, '7z\xbc\xaf\x27\x1c') },
  { name: 'a RAR archive', extensions: ['rar', 'cbr'], matches: at(0, 'Rar!\x1a\x07') },
  {
    name: 'an old Office file',
    extensions: ['doc', 'xls', 'ppt'],
    matches: at(0, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'),
  },
  { name: 'a PNG picture', extensions: ['png'], matches: at(0, '\x89PNG\r\n\x1a\n') },
  { name: 'a JPEG picture', extensions: ['jpg', 'jpeg'], matches: at(0, '\xff\xd8\xff') },
  { name: 'a GIF picture', extensions: ['gif'], matches: at(0, 'GIF87a', 'GIF89a') },
  { name: 'a WebP picture', extensions: ['webp'], matches: riff('WEBP') },
  {
    name: 'an MPEG-4 file',
    extensions: ['mp4', 'm4v', 'm4a', 'm4b', 'mov', 'avif', 'heic'],
    matches: at(4, 'ftyp', 'moov', 'mdat', 'wide', 'free', 'skip'),
  },
  {
    name: 'a WebM or Matroska film',
    extensions: ['webm', 'mkv'],
    matches: at(0, '\x1a\x45\xdf\xa3'),
  },
  { name: 'an AVI film', extensions: ['avi'], matches: riff('AVI ') },
  { name: 'a WAV recording', extensions: ['wav'], matches: riff('WAVE') },
  { name: 'a FLAC recording', extensions: ['flac'], matches: at(0, 'fLaC') },
  { name: 'an Ogg recording', extensions: ['ogg', 'oga', 'opus'], matches: at(0, 'OggS') },
  { name: 'a Kindle book', extensions: ['mobi', 'azw3'], matches: at(60, 'BOOKMOBI') },
  // Last: its frames begin like other kinds.
  {
    name: 'an MP3 recording',
    extensions: ['mp3'],
    matches: (start) => at(0, 'ID3')(start) || isMpegFrame(start),
  },
]

/** Names of text, which may begin like anything but a program of a machine. */
const TEXTS = new Set(['txt', 'md', 'csv', 'tsv', 'json', 'xml', 'srt', 'vtt', 'rtf'])

const extensionOf = (fileName: string) => /\.([^.]{1,10})$/.exec(fileName)?.[1]?.toLowerCase() ?? ''

/** What is wrong with the beginning of a file, if its name says something else; undefined if nothing is, or if the name
 * says nothing that can be checked. */
export function problemWithStart(fileName: string, start: Buffer): string | undefined {
  const extension = extensionOf(fileName)
  const claimed = [...ACTIVE, ...PASSIVE].find(({ extensions }) => extensions.includes(extension))
  if (claimed) {
    if (claimed.matches(start)) return undefined
  } else if (!TEXTS.has(extension)) return undefined
  const found = (claimed ? [...ACTIVE, ...PASSIVE] : ACTIVE.filter(({ isText }) => !isText)).find(
    ({ matches }) => matches(start),
  )
  if (found) {
    const [right] = found.extensions
    const rename = right === undefined ? '' : `, or give it a name that ends with .${right}`
    return `The name ends with .${extension}, but the content looks like ${found.name}. Upload the right file${rename}.`
  }
  if (!claimed) return undefined
  const content = start.length === 0 ? 'the file is empty' : `the content is not ${claimed.name}`
  return `The name ends with .${extension}, but ${content}. Check whether the file is complete, and opens on your computer.`
}
