/** The layout and styles shared by all mails. */

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

/** Inline styles, because many mail programs ignore style sheets. */
const STYLES = {
  body: 'margin:0;padding:24px 12px;background:#f4f4f2;color:#1d1d1b;font-family:-apple-system,BlinkMacSystemFont,Segoe UI,Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5',
  card: 'max-width:560px;margin:0 auto;padding:32px;background:#ffffff;border-radius:8px;overflow-wrap:anywhere',
  heading: 'margin:0 0 16px;font-size:24px;line-height:1.25;font-weight:600',
  text: 'margin:0 0 16px',
  quote: 'margin:0 0 16px;padding:4px 0 4px 16px;border-left:3px solid #b9b9b3',
  facts: 'width:100%;margin:8px 0 24px;border-collapse:collapse;border-bottom:1px solid #dcdcd7',
  label:
    'width:34%;padding:10px 16px 10px 0;border-top:1px solid #dcdcd7;color:#5f5f5a;font-weight:400;text-align:left;vertical-align:top;overflow-wrap:normal',
  fact: 'padding:10px 0;border-top:1px solid #dcdcd7;vertical-align:top',
  total: 'font-weight:600',
  link: 'color:#1f5f4a',
  button:
    'display:inline-block;margin:8px 0;padding:12px 24px;border-radius:6px;background:#1f5f4a;color:#ffffff;font-weight:600;text-decoration:none',
}

const DARK = `@media(prefers-color-scheme:dark){
.body{background:#1d1d1b!important;color:#ededea!important}
.card{background:#2a2a28!important}
.link{color:#8fd0b8!important}
.line{border-color:#454542!important}
.label{color:#b5b5ae!important}
}`

export const headingHtml = (text: string) =>
  `<h1 style="${STYLES.heading}">${escapeHtml(text)}</h1>`

export const paragraphHtml = (html: string) => `<p style="${STYLES.text}">${html}</p>`

export const quoteHtml = (html: string) =>
  `<blockquote style="${STYLES.quote}">${html}</blockquote>`

export const linkHtml = (url: string, label = url) =>
  `<a class="link" href="${escapeHtml(url)}" style="${STYLES.link}">${escapeHtml(label)}</a>`

export const buttonHtml = (url: string, label: string) =>
  paragraphHtml(`<a href="${escapeHtml(url)}" style="${STYLES.button}">${escapeHtml(label)}</a>`)

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
    return `<tr><th class="line label" scope="row" style="${STYLES.label}">${escapeHtml(label)}</th><td class="line" style="${style}">${value}</td></tr>`
  })
  return `<table class="line" style="${STYLES.facts}">\n${rows.join('\n')}\n</table>`
}

/** `language` is empty if the language of the text is unknown. */
export function pageHtml(title: string, language: string, parts: readonly string[]): string {
  const lang = language === '' ? '' : ` lang="${language}"`
  return `<!doctype html>
<html${lang}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(title)}</title><style>${DARK}</style></head>
<body class="body" style="${STYLES.body}"><div class="card" style="${STYLES.card}">
${parts.join('\n')}
</div></body></html>`
}
