import { type Brand, LEGAL_LINKS, mailtoUrl } from '../../domain/brand/brand.ts'
import { type Html, html, join, NOTHING } from './html.ts'
import { imageSource, type Site } from './image.ts'
import { pageTexts } from './texts.ts'

/** Enough for a logo on a sharp screen. */
const LOGO_WIDTH = 400

/** Renders whose page this is: the logo, or the name. */
export const brandMark = (site: Site, { aid, name, logoId }: Brand): Html =>
  logoId === null
    ? html`<p class="brand">${name}</p>`
    : html`<p class="brand"><img src="${imageSource(site, aid, logoId, LOGO_WIDTH)}" alt="${name}"></p>`

/** Renders who sells, which the buyer has to know before paying, where to get help, and the seller's legal pages. */
export function brandFooter({ seller, supportEmail, legalLinks }: Brand): Html {
  const texts = pageTexts().footer
  const links = LEGAL_LINKS.flatMap((kind) => {
    const url = legalLinks[kind]
    return url === undefined ? [] : [html`<a href="${url}">${texts.legal[kind]}</a>`]
  })
  const support =
    supportEmail === null ? NOTHING : html`<p>${texts.support} ${supportLink(supportEmail)}</p>`
  return html`<footer>
<p>${texts.soldBy} ${join(
    seller.map((line) => html`${line}`),
    ' · ',
  )}</p>
${support}
${links.length === 0 ? NOTHING : html`<p class="legal">${links}</p>`}
</footer>`
}

/** Renders the address where readers get help as a link. */
export const supportLink = (address: string): Html =>
  html`<a href="${mailtoUrl(address)}">${address}</a>`
