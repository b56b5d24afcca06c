import { imageUrl } from '../../image-url.ts'
import { type Html, html, NOTHING } from './html.ts'

interface Site {
  /** The public base URL of the environment. */
  address(): string
}

/** The path of an uploaded image on our own site, which is all that the content security policy allows. */
export const imagePath = (site: Site, aid: string, id: string, minWidth: number): string =>
  new URL(imageUrl(site, aid, id, minWidth)).pathname

/** Enough for the width of a card on a sharp screen. */
const COVER_WIDTH = 800
const THUMB_WIDTH = 192

/** Renders the picture of a resource or a file, if it has one. It says nothing that the title does not. */
export const coverImage = (site: Site, aid: string, id: string | null): Html =>
  id === null
    ? NOTHING
    : html`<img class="cover" src="${imagePath(site, aid, id, COVER_WIDTH)}" alt="">`

/** The same, small. */
export const thumbImage = (site: Site, aid: string, id: string | null): Html =>
  id === null
    ? NOTHING
    : html`<img class="thumb" src="${imagePath(site, aid, id, THUMB_WIDTH)}" alt="">`
