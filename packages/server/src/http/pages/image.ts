import { imageUrl } from '../../image-url.ts'
import { type Html, html, NOTHING } from './html.ts'

export interface Site {
  /** The public base URL of the environment. */
  address(): string
  /** The same for files and images. */
  fileAddress(): string
}

/** Where a page finds an uploaded image, which is all that the content security policy allows: a path, because the page
 * may be read at any of our addresses, unless files have a host of their own. */
export function imageSource(site: Site, aid: string, id: string, minWidth: number): string {
  const url = imageUrl(site, aid, id, minWidth)
  return site.fileAddress() === site.address() ? new URL(url).pathname : url
}

/** Enough for the width of a card on a sharp screen. */
const COVER_WIDTH = 800
const THUMB_WIDTH = 192

/** Renders the picture of a resource or a file, if it has one. It says nothing that the title does not. */
export const coverImage = (site: Site, aid: string, id: string | null): Html =>
  id === null
    ? NOTHING
    : html`<img class="cover" src="${imageSource(site, aid, id, COVER_WIDTH)}" alt="">`

/** The same, small. */
export const thumbImage = (site: Site, aid: string, id: string | null): Html =>
  id === null
    ? NOTHING
    : html`<img class="thumb" src="${imageSource(site, aid, id, THUMB_WIDTH)}" alt="">`
