import type { FastifyReply } from 'fastify'
import type { Environment } from '../../context.ts'
import type { Brand } from '../../domain/brand/brand.ts'
import { parseUrl } from '../../parse-url.ts'
import { brandFooter, brandMark } from './brand.ts'
import { htmlDocument } from './document.ts'
import { type Html, html, NOTHING } from './html.ts'
import { type StyleSheet, styleSheetFor } from './style-sheet.ts'
import { pageTexts } from './texts.ts'

export interface Page {
  title: string
  content: Html
  /** The brand of the application that the page belongs to; undefined if it is not known, as on some error pages. */
  brand?: Brand | undefined
  /** The class of the `main` element, for pages that use the width of a wide screen. */
  layout?: 'buy' | 'plastic'
  /** The URL that the page loads by itself after a few seconds. */
  refresh?: string
  /** Sources that the page's forms may lead to besides this service. CSP applies to a form's redirects too. */
  formTargets?: readonly string[]
}

const REFRESH_SECONDS = 5

/** A CSP source can't name an IPv6 host, so its scheme alone is allowed. */
function toCspSource(address: string): string {
  const url = parseUrl(address)
  if (!url) return address
  const { origin, protocol, hostname } = url
  return hostname.startsWith('[') ? protocol : origin
}

/** A page may use its own style and our own images, and nothing else: no script, no font, no frame. */
function pageHeaders(env: Environment, leadsTo: readonly string[], { hash }: StyleSheet) {
  const targets = new Set([env.address(), env.fileAddress(), ...leadsTo].map(toCspSource))
  const hasOwnFiles = env.fileAddress() !== env.address()
  const images = hasOwnFiles ? `'self' ${toCspSource(env.fileAddress())}` : "'self'"
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      `default-src 'none'; style-src 'sha256-${hash}'; img-src ${images}; base-uri 'none'; ` +
      `form-action 'self' ${[...targets].join(' ')}; frame-ancestors 'none'`,
    // With `no-referrer`, browsers would hide the origin of our own forms from us. Other sites don't learn the URL.
    'referrer-policy': 'same-origin',
  }
}

export function sendPage(
  env: Environment,
  reply: FastifyReply,
  status: number,
  page: Page,
): FastifyReply {
  const style = styleSheetFor(page.brand?.accent)
  return reply
    .code(status)
    .headers(pageHeaders(env, page.formTargets ?? [], style))
    .send(renderPage(env, page))
}

/** Returns the page as a complete document. */
export function renderPage(env: Environment, page: Page): string {
  const { title, content, layout = '', brand } = page
  return htmlDocument({
    title: brand === undefined ? title : `${title} – ${brand.name}`,
    css: styleSheetFor(brand?.accent).css,
    head: html`<meta name="robots" content="noindex">
${refreshOf(page)}`,
    body: html`${headerOf(env, brand)}
<main class="${layout}">
${content}
</main>
${brand ? brandFooter(brand) : NOTHING}`,
  })
}

function headerOf(env: Environment, brand: Brand | undefined): Html {
  const isSandbox = env.name === 'sandbox'
  const { name, text } = pageTexts().sandbox
  const ribbon = html`<p class="ribbon"><strong>${name}</strong> ${text}</p>`
  return brand || isSandbox
    ? html`<header>${isSandbox ? ribbon : NOTHING}${brand ? brandMark(env, brand) : NOTHING}</header>`
    : NOTHING
}

const refreshOf = ({ refresh }: Page) =>
  refresh === undefined
    ? NOTHING
    : html`<meta http-equiv="refresh" content="${REFRESH_SECONDS};url=${refresh}">`
