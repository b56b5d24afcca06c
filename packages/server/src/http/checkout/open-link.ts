import { problemWithUrl } from '../../domain/resources/url.ts'
import { type Html, html, NOTHING } from '../pages/html.ts'
import { checkoutTexts } from './texts.ts'

/** Renders the link to the page of a resource, if it has one. */
export function openLink({ url, title }: { url: string; title: string }): Html {
  const isLink = url !== '' && problemWithUrl(url) === undefined
  const { openResource } = checkoutTexts().done
  return isLink ? html`<a class="button" href="${url}">${openResource(title)}</a>` : NOTHING
}
