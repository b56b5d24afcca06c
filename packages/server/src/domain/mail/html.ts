/** The layout and styles shared by all mails. */
import type { Brand } from '../brand/brand.ts'
import { type AccentColors, accentColors, DARK, DEFAULT_ACCENT, LIGHT } from '../brand/color.ts'

export interface RenderedMail {
  subject: string
  text: string
  html: string
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

export const withBreaks = (html: string) => html.replace(/\r\n|\r|\n|\u2028|\u2029/g, '<br>')

const INK = '#1a1e1e'
const SOFT = '#575f5f'
const LINE = '#dcdeda'
const FONT =
  'font-family:-apple-system,BlinkMacSystemFont,Segoe UI,Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5'

/** Inline styles, because many mail programs ignore style sheets. */
const STYLES = {
  body: `margin:0;padding:0;background:${LIGHT.paper};color:${INK};${FONT}`,
  outer: `width:100%;border-collapse:collapse;background:${LIGHT.paper}`,
  frame: 'padding:24px 12px',
  card: `width:100%;max-width:580px;margin:0 auto;border-collapse:separate;border-spacing:0;background:${LIGHT.card};border-radius:10px;text-align:left`,
  head: `padding:28px 32px 0;color:${INK};${FONT};font-size:17px;font-weight:600`,
  logo: 'display:inline-block;max-width:220px;max-height:48px;width:auto;height:auto;border:0',
  main: `padding:24px 32px 16px;color:${INK};${FONT};overflow-wrap:anywhere;word-break:break-word`,
  foot: `max-width:580px;margin:0 auto;padding:20px 32px 0;color:${SOFT};${FONT};font-size:13px;text-align:center`,
  heading: 'margin:0 0 16px;font-size:24px;line-height:1.25;font-weight:600',
  text: 'margin:0 0 16px',
  quote: 'margin:0 0 16px;padding:4px 0 4px 16px;border-left:3px solid #b9b9b3',
  facts: `width:100%;margin:8px 0 24px;border-collapse:collapse;border-bottom:1px solid ${LINE}`,
  label: `width:34%;padding:10px 16px 10px 0;border-top:1px solid ${LINE};color:${SOFT};font-weight:400;text-align:left;vertical-align:top;overflow-wrap:normal;word-break:normal`,
  fact: `padding:10px 0;border-top:1px solid ${LINE};vertical-align:top`,
  total: 'font-weight:600',
  button: 'border-collapse:separate;border-spacing:0;margin:8px 0 20px',
  size: `color:${SOFT};font-size:14px`,
  download: `padding:10px 0 10px 16px;border-top:1px solid ${LINE};vertical-align:top;text-align:right;font-weight:600;white-space:nowrap`,
}

/** The parts of a mail in HTML, in the colors of one application. */
export interface MailHtml {
  link(url: string, label?: string): string
  button(url: string, label: string): string
  /** A complete document. `language` is empty if the language of the text is unknown. */
  page(title: string, language: string, parts: readonly string[]): string
  files(files: readonly LinkedFile[], download: string): string
}

/** A file that a mail links to; it is not attached. */
export interface LinkedFile {
  title: string
  /** Its kind and size: `PDF, 1.4 MB`. */
  details: string
  /** The reader's page of this file. */
  url: string
}

/** The parts above and below the content of a mail. */
export interface MailFrame {
  brand: Pick<Brand, 'name' | 'accent'>
  /** An absolute URL; empty if there is no logo. */
  logoUrl: string
  /** The lines below a mail; some are links. */
  footer: readonly FooterLine[]
}

export type FooterLine = readonly { text: string; url?: string }[]

export function createMailHtml(frame: MailFrame): MailHtml {
  const accent = frame.brand.accent ?? DEFAULT_ACCENT
  const light = accentColors(accent, LIGHT)
  const link = (url: string, label = url) =>
    `<a class="link" href="${escapeHtml(url)}" style="color:${light.accent}">${escapeHtml(label)}</a>`
  return {
    link,
    button: (url, label) => buttonHtml(url, label, light),
    page: (title, language, parts) => pageHtml(frame, light, { title, language, parts }),
    files: (files, download) => filesHtml(files, (url) => link(url, download)),
  }
}

/** Dark colors for the mail programs that read style sheets. The others show the light ones, or invert them. */
function darkStyle(accent: string): string {
  const { accent: link, button, onButton, buttonEdge } = accentColors(accent, DARK)
  return `@media(prefers-color-scheme:dark){
.body{background:${DARK.paper}!important;color:#e9ecea!important}
.card{background:${DARK.card}!important}
.ink{color:#e9ecea!important}
.link{color:${link}!important}
.line{border-color:#3b4140!important}
.soft{color:#a8b0ae!important}
.fill{background:${button}!important;border-color:${buttonEdge}!important}
.on{color:${onButton}!important}
.plate{background:#ffffff!important;color:#1a1e1e!important;padding:6px 10px!important;border-radius:6px!important}
}`
}

export const headingHtml = (text: string) =>
  `<h1 style="${STYLES.heading}">${escapeHtml(text)}</h1>`

export const paragraphHtml = (html: string) => `<p style="${STYLES.text}">${html}</p>`

export const quoteHtml = (html: string) =>
  `<blockquote class="line" style="${STYLES.quote}">${html}</blockquote>`

/** A button is a table with a colored cell: some programs ignore the padding of links. */
function buttonHtml(url: string, label: string, light: AccentColors): string {
  const { button, buttonEdge, onButton } = light
  const cell = `background:${button};border:1px solid ${buttonEdge};border-radius:8px;text-align:center`
  const text = `display:inline-block;padding:11px 24px;color:${onButton};font-weight:600;text-decoration:none`
  return `<table role="presentation" style="${STYLES.button}"><tr><td class="fill" style="${cell}"><a class="on" href="${escapeHtml(url)}" style="${text}">${escapeHtml(label)}</a></td></tr></table>`
}

export interface Fact {
  label: string
  lines: readonly string[]
  /** Emphasizes the row. */
  total?: boolean
}

export function factsHtml(facts: readonly Fact[]): string {
  const rows = facts.map(({ label, lines, total }) => {
    const value = lines.map(escapeHtml).join('<br>')
    const style = total ? `${STYLES.fact};${STYLES.total}` : STYLES.fact
    return `<tr><th class="line soft" scope="row" style="${STYLES.label}">${escapeHtml(label)}</th><td class="line" style="${style}">${value}</td></tr>`
  })
  return `<table class="line" style="${STYLES.facts}">\n${rows.join('\n')}\n</table>`
}

function filesHtml(files: readonly LinkedFile[], linkTo: (url: string) => string): string {
  const rows = files.map(
    ({ title, details, url }) =>
      `<tr><td class="line" style="${STYLES.fact}">${escapeHtml(title)}<br><span class="soft" style="${STYLES.size}">${escapeHtml(details)}</span></td><td class="line" style="${STYLES.download}">${linkTo(url)}</td></tr>`,
  )
  return `<table class="line" role="presentation" style="${STYLES.facts}">\n${rows.join('\n')}\n</table>`
}

interface Content {
  title: string
  language: string
  parts: readonly string[]
}

function pageHtml(frame: MailFrame, light: AccentColors, content: Content): string {
  const { title, language, parts } = content
  const lang = language === '' ? '' : ` lang="${language}"`
  const { brand, footer } = frame
  const dark = darkStyle(brand.accent ?? DEFAULT_ACCENT)
  return `<!doctype html>
<html${lang}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escapeHtml(title)}</title><style>${dark}</style></head>
<body class="body" style="${STYLES.body}">
<table class="body" role="presentation" style="${STYLES.outer}"><tr><td style="${STYLES.frame}">
<table class="card" role="presentation" style="${STYLES.card};border-top:4px solid ${light.buttonEdge}">
<tr><td class="ink" style="${STYLES.head}">${markHtml(frame)}</td></tr>
<tr><td class="ink" style="${STYLES.main}">
${parts.join('\n')}
</td></tr></table>
${footer.map((line) => footerHtml(line)).join('\n')}
</td></tr></table></body></html>`
}

/** The name is also the text of the logo, for programs that load no images. */
function markHtml({ brand: { name }, logoUrl }: MailFrame): string {
  if (logoUrl === '') return escapeHtml(name)
  return `<img class="plate" src="${escapeHtml(logoUrl)}" alt="${escapeHtml(name)}" height="48" style="${STYLES.logo}">`
}

function footerHtml(line: FooterLine): string {
  const pieces = line.map(({ text, url }) =>
    url === undefined
      ? escapeHtml(text)
      : `<a class="soft" href="${escapeHtml(url)}" style="color:${SOFT}">${escapeHtml(text)}</a>`,
  )
  return `<p class="soft" style="${STYLES.foot}">${pieces.join(' · ')}</p>`
}
