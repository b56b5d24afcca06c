import { type Brand, LEGAL_LINKS } from '../../domain/brand/brand.ts'
import { type Html, html, join, NOTHING } from './html.ts'
import { pageTexts } from './texts.ts'

/** Renders whose page this is. */
export const brandMark = ({ name }: Brand): Html => html`<p class="brand">${name}</p>`

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
  html`<a href="${`mailto:${encodeURIComponent(address).replaceAll('%40', '@')}`}">${address}</a>`
