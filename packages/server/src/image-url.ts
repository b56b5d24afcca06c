/** The widths in which images are stored, unless they are smaller. Emails and small screens don't load the large ones. */
export const IMAGE_WIDTHS = [96, 192, 400, 800, 1600] as const

/** The last letter of an image's id is its type, so that a URL can be built without a query. */
const EXTENSIONS = { j: 'jpg', p: 'png' } as const

type Letter = keyof typeof EXTENSIONS

export const imageTypeLetter = (type: string): Letter => (type === 'image/png' ? 'p' : 'j')

/** Returns the file name of an image in the smallest width that has enough pixels. A smaller image is served as it is. */
function imageFileName(id: string, minWidth: number): string {
  const width = IMAGE_WIDTHS.find((one) => one >= minWidth) ?? Math.max(...IMAGE_WIDTHS)
  return `${id}-${width}.${EXTENSIONS[id.slice(-1) as Letter]}`
}

/** Returns the public URL of an uploaded image. Its content never changes. */
export function imageUrl(
  env: { fileAddress(): string },
  aid: string,
  id: string,
  minWidth: number,
): string {
  return `${env.fileAddress()}/images/${aid}/${imageFileName(id, minWidth)}`
}

const NAME = /^([0-9a-f]{32}([jp]))-(\d{1,4})\.([a-z]{3})$/

/** Reads a file name that `imageFileName` has made; returns undefined for any other. */
export function parseImageFileName(name: string): { id: string; width: number } | undefined {
  const [, id = '', letter, digits, extension] = NAME.exec(name) ?? []
  const width = IMAGE_WIDTHS.find((one) => String(one) === digits)
  if (width === undefined || EXTENSIONS[letter as Letter] !== extension) return undefined
  return { id, width }
}
