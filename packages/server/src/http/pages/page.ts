import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import type { Environment } from '../../context.ts'
import { DEFAULT_LANGUAGE } from '../../language.ts'
import { Html, html, NOTHING } from './html.ts'
import { STYLE } from './style.ts'
import { pageTexts } from './texts.ts'

export interface Page {
  title: string
  content: Html
  footer?: Html
  /** The class of the `main` element, for pages that use the width of a wide screen. */
  layout?: 'buy' | 'plastic'
  /** The URL that the page loads by itself after a few seconds. */
  refresh?: string
  /** Sources that the page's forms may lead to besides this service. CSP applies to a form's redirects too. */
  formTargets?: readonly string[]
}

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')
const REFRESH_SECONDS = 5

/** A CSP source can't name an IPv6 host, so its scheme alone is allowed. */
function toCspSource(address: string): string {
  if (!URL.canParse(address)) return address
  const { origin, protocol, hostname } = new URL(address)
  return hostname.startsWith('[') ? protocol : origin
}

/** A page may use its own style and nothing else: no script, no image, no font, no frame. */
function pageHeaders(env: Environment, leadsTo: readonly string[]) {
  const targets = new Set([env.address(), ...leadsTo].map(toCspSource))
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; ` +
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
  return reply
    .code(status)
    .headers(pageHeaders(env, page.formTargets ?? []))
    .send(renderPage(page, env.name === 'sandbox'))
}

function renderPage(page: Page, isSandbox: boolean): string {
  const { title, content, layout = '', footer } = page
  return html`<!doctype html>
<html lang="${DEFAULT_LANGUAGE}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
${refreshOf(page)}<title>${title}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
${isSandbox ? sandboxRibbon() : NOTHING}
<main class="${layout}">
${content}
</main>
${footer ? html`<footer>${footer}</footer>` : NOTHING}
</body>
</html>
`.text
}

function sandboxRibbon(): Html {
  const { name, text } = pageTexts().sandbox
  return html`<p class="ribbon"><strong>${name}</strong> ${text}</p>`
}

const refreshOf = ({ refresh }: Page) =>
  refresh === undefined
    ? NOTHING
    : html`<meta http-equiv="refresh" content="${REFRESH_SECONDS};url=${refresh}">`
