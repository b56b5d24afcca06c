import { FOREVER } from '../db/tables.ts'
import type { GrantMail } from './outbox.ts'

/**
 * A mail template is plain text: a `Subject:` line, a blank line, paragraphs with blank lines between
 * them. It makes both parts of the mail. A paragraph that names a value which is empty is left out;
 * `{{link}}` on its own becomes a button.
 */
export const DEFAULT_TEMPLATE = `Subject: {{application}}: your access to {{resource}}

Hello {{first_name}},

you now have access to {{resource}}.

{{message}}

{{link}}

Your access ends on {{ends}}.

Sent by {{application}}.
`

const PLACEHOLDERS = ['application', 'resource', 'first_name', 'message', 'link', 'ends'] as const
type Values = Record<(typeof PLACEHOLDERS)[number], string>

export interface RenderedMail {
  subject: string
  text: string
  html: string
}

const LONGEST_TEMPLATE = 20_000
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

function valuesOf(application: string, mail: GrantMail): Values {
  return {
    application,
    resource: mail.resource,
    first_name: mail.first_name,
    message: mail.message.trim(),
    link: mail.url,
    ends: mail.ends === FOREVER ? '' : `${DATE.format(mail.ends * 1000)} UTC`,
  }
}

const fill = (text: string, values: Values, shown = (value: string) => value) =>
  text.replace(PLACEHOLDER, (_, name: keyof Values) => shown(values[name]))

const namesEmpty = (paragraph: string, values: Values) =>
  [...paragraph.matchAll(PLACEHOLDER)].some((match) => values[match[1] as keyof Values] === '')

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

const withBreaks = (html: string) => html.replace(/\r\n|\r|\n/g, '<br>')

function paragraphHtml(paragraph: string, values: Values): string {
  const only = /^\{\{\s*(\w+)\s*\}\}$/.exec(paragraph)?.[1]
  if (only === 'link') {
    return `<p><a class="button" href="${escapeHtml(values.link)}">Open</a></p>`
  }
  if (only === 'message') {
    return `<blockquote>${withBreaks(escapeHtml(values.message))}</blockquote>`
  }
  return `<p>${withBreaks(fill(escapeHtml(paragraph), values, escapeHtml))}</p>`
}

const STYLE = `body{margin:0;padding:24px;background:#f4f4f2;color:#1d1d1b;font:16px/1.5 system-ui,sans-serif}
main{max-width:560px;margin:0 auto;padding:32px;background:#fff;border-radius:8px}
p{margin:0 0 16px}
blockquote{margin:0 0 16px;padding:4px 0 4px 16px;border-left:3px solid #c9c9c4}
.button{display:inline-block;padding:10px 20px;border-radius:6px;background:#1f5f4a;color:#fff;text-decoration:none}
@media(prefers-color-scheme:dark){body{background:#1d1d1b;color:#eee}main{background:#2a2a28}}`

/** Nothing in a subject may end the line it stands on. */
const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()

export function renderMail(template: string, application: string, mail: GrantMail): RenderedMail {
  const values = valuesOf(application, mail)
  const [head = '', ...rest] = template
    .replaceAll('\r\n', '\n')
    .trim()
    .split(/\n\s*\n/)
  const subject = oneLine(fill(head.replace(/^Subject:/, ''), values))
  const paragraphs = rest.map((one) => one.trim()).filter((one) => !namesEmpty(one, values))
  const text = paragraphs.map((one) => fill(one, values)).join('\n\n')
  const body = paragraphs.map((one) => paragraphHtml(one, values)).join('\n')
  const title = escapeHtml(subject)
  return {
    subject,
    text: `${text}\n`,
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style></head><body><main>\n${body}\n</main></body></html>`,
  }
}
