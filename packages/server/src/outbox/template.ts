import { FOREVER, type Seconds } from '../db/tables.ts'
import type { GrantMail } from './outbox.ts'

/**
 * A mail template is plain text: a `Subject:` line, a blank line, paragraphs with blank lines between
 * them. It makes both parts of the mail. A paragraph that names a value which is empty is left out;
 * `{{link}}` on its own becomes a button.
 */
export const DEFAULT_TEMPLATE = `Subject: {{application}}: your access to {{resource}}

Hello {{first_name}},

You have been given access to {{resource}}.

{{message}}

{{link}}

Your access ends on {{ends}}.

Your access ended on {{ended}}.

Sent by {{application}}.
`

const PLACEHOLDERS = [
  'application',
  'resource',
  'first_name',
  'message',
  'link',
  'ends',
  'ended',
] as const
type Values = Record<(typeof PLACEHOLDERS)[number], string>

export interface RenderedMail {
  subject: string
  text: string
  html: string
}

const LONGEST_TEMPLATE = 20_000
const LONGEST_SUBJECT = 200
const PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}/g

/** What is wrong with a template, or undefined if nothing is. */
export function problemWithTemplate(template: string): string | undefined {
  if (template.length > LONGEST_TEMPLATE) return `it is longer than ${LONGEST_TEMPLATE} characters`
  if (!/^Subject:[^\n]*\S[^\n]*\r?\n\s*\n/.test(template)) {
    return 'it must begin with a line "Subject: …" and a blank line'
  }
  const unknown = [...template.matchAll(PLACEHOLDER)]
    .map((match) => match[1] as string)
    .filter((name) => !(PLACEHOLDERS as readonly string[]).includes(name))
  if (unknown.length > 0) {
    return `it names {{${unknown[0]}}}; known are ${PLACEHOLDERS.map((name) => `{{${name}}}`).join(' ')}`
  }
  return undefined
}

const DATE = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
})

/** Makes one line of a text: nothing in it ends the line, turns its direction round, or passes for the
 * encoding that mail headers use. */
export function oneLine(text: string): string {
  return text
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll('=?', '= ?')
    .trim()
}

const WEB_ADDRESS = /^https?:\/\/[^\s\p{Cc}<>"\\]+$/iu
const isWebAddress = (text: string) => WEB_ADDRESS.test(text) && URL.canParse(text)

function valuesOf(application: string, mail: GrantMail, now: Seconds): Values {
  const date = mail.ends === FOREVER ? '' : `${DATE.format(mail.ends * 1000)} UTC`
  return {
    application: oneLine(application),
    resource: oneLine(mail.resource),
    first_name: oneLine(mail.first_name),
    message: mail.message.trim(),
    link: isWebAddress(mail.url) ? mail.url : '',
    ends: mail.ends > now ? date : '',
    ended: mail.ends > now ? '' : date,
  }
}

type Show = (value: string, name: keyof Values) => string
const asItIs: Show = (value) => value

/** Values are put in once: what looks like a placeholder inside one stays as it is. */
const fill = (text: string, values: Values, show = asItIs) =>
  text.replace(PLACEHOLDER, (_, name: keyof Values) => show(values[name] ?? '', name))

const namesEmpty = (paragraph: string, values: Values) =>
  [...paragraph.matchAll(PLACEHOLDER)].some((match) => !values[match[1] as keyof Values])

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

const withBreaks = (html: string) => html.replace(/\r\n|\r|\n|\u2028|\u2029/g, '<br>')

/** On the elements, since many mail programs leave a style sheet out. */
const STYLES = {
  body: 'margin:0;padding:24px 12px;background:#f4f4f2;color:#1d1d1b;font-family:-apple-system,BlinkMacSystemFont,Segoe UI,Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5',
  card: 'max-width:560px;margin:0 auto;padding:32px;background:#ffffff;border-radius:8px;overflow-wrap:anywhere',
  text: 'margin:0 0 16px',
  quote: 'margin:0 0 16px;padding:4px 0 4px 16px;border-left:3px solid #b9b9b3',
  link: 'color:#1f5f4a',
  button:
    'display:inline-block;margin:8px 0;padding:12px 24px;border-radius:6px;background:#1f5f4a;color:#ffffff;font-weight:600;text-decoration:none',
}

const DARK = `@media(prefers-color-scheme:dark){
.body{background:#1d1d1b!important;color:#ededea!important}
.card{background:#2a2a28!important}
.link{color:#8fd0b8!important}
}`

const showInHtml: Show = (value, name) =>
  name === 'link'
    ? `<a class="link" href="${escapeHtml(value)}" style="${STYLES.link}">${escapeHtml(value)}</a>`
    : withBreaks(escapeHtml(value))

function paragraphHtml(paragraph: string, values: Values): string {
  const only = /^\{\{\s*(\w+)\s*\}\}$/.exec(paragraph)?.[1]
  if (only === 'link') {
    const button = `<a href="${escapeHtml(values.link)}" style="${STYLES.button}">Open</a>`
    return `<p style="${STYLES.text}">${button}</p>`
  }
  const html = fill(withBreaks(escapeHtml(paragraph)), values, showInHtml)
  if (only === 'message') return `<blockquote style="${STYLES.quote}">${html}</blockquote>`
  return `<p style="${STYLES.text}">${html}</p>`
}

function pageHtml(title: string, language: string, paragraphs: readonly string[]): string {
  return `<!doctype html>
<html${language}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(title)}</title><style>${DARK}</style></head>
<body class="body" style="${STYLES.body}"><div class="card" style="${STYLES.card}">
${paragraphs.join('\n')}
</div></body></html>`
}

/** `now` tells an end that is ahead from one that has passed. */
export function renderMail(
  template: string,
  application: string,
  mail: GrantMail,
  now: Seconds,
): RenderedMail {
  const values = valuesOf(application, mail, now)
  const [head = '', ...rest] = template
    .replaceAll('\r\n', '\n')
    .trim()
    .split(/\n\s*\n/)
  const subject = oneLine(fill(head.replace(/^Subject:/, ''), values))
  const shown = [...subject].slice(0, LONGEST_SUBJECT).join('')
  const paragraphs = rest.map((one) => one.trim()).filter((one) => !namesEmpty(one, values))
  // An application's own words may be in any language.
  const language = template === DEFAULT_TEMPLATE ? ' lang="en"' : ''
  return {
    subject: shown,
    text: `${paragraphs.map((one) => fill(one, values)).join('\n\n')}\n`,
    html: pageHtml(
      shown,
      language,
      paragraphs.map((one) => paragraphHtml(one, values)),
    ),
  }
}
