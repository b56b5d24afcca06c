import { Type } from 'typebox'
import { FOREVER, type Seconds } from '../../db/tables.ts'
import { type Field, problems } from '../../fields.ts'
import { DEFAULT_LANGUAGE, formatMoment } from '../../language.ts'
import {
  buttonHtml,
  escapeHtml,
  linkHtml,
  pageHtml,
  paragraphHtml,
  quoteHtml,
  type RenderedMail,
  withBreaks,
} from './html.ts'
import type { GrantMail } from './payloads.ts'
import { oneLine, subjectLine, webAddress } from './plain-text.ts'
import { mailTexts } from './texts.ts'

/**
 * A mail template is plain text: a `Subject:` line, a blank line, and paragraphs separated by blank lines.
 * It produces both parts of the mail. A paragraph with an empty placeholder is left out; `{{link}}` alone
 * becomes a button.
 */
export const DEFAULT_TEMPLATE = mailTexts().grantTemplate

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

const MAX_TEMPLATE = 20_000
const PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}/g

const START = /^Subject:[^\n]*\S[^\n]*\r?\n\s*\n/

export interface TemplateProblem {
  /** Starts at 1. */
  line: number
  problem: string
}

/** Lists everything wrong with a template. */
export function problemsWithTemplate(template: string): TemplateProblem[] {
  if (template.length > MAX_TEMPLATE) {
    return [{ line: 1, problem: problems.tooLong(MAX_TEMPLATE) }]
  }
  const start = START.test(template)
    ? []
    : [{ line: 1, problem: 'must begin with a line "Subject: …" and a blank line' }]
  const unknown = [...template.matchAll(PLACEHOLDER)].filter(
    ([, name]) => !(PLACEHOLDERS as readonly string[]).includes(name as string),
  )
  const known = PLACEHOLDERS.map((name) => `{{${name}}}`).join(' ')
  return [
    ...start,
    ...unknown.map(({ 1: name, index }) => ({
      line: template.slice(0, index).split('\n').length,
      problem: `unknown placeholder {{${name}}}; known are ${known}`,
    })),
  ]
}

/** The template as a field, whose problem is the first one in the text. */
export const templateField: Field<string> = {
  schema: Type.String({ maxLength: MAX_TEMPLATE, description: 'A template of emails.' }),
  read(value) {
    const [first] = problemsWithTemplate(value)
    return first ? `line ${first.line}: ${first.problem}` : { value }
  },
}

function valuesOf(application: string, mail: GrantMail, now: Seconds): Values {
  const date = mail.ends === FOREVER ? '' : formatMoment(mail.ends)
  return {
    application: oneLine(application),
    resource: oneLine(mail.resource),
    first_name: oneLine(mail.first_name),
    message: mail.message.trim(),
    link: webAddress(mail.url),
    ends: mail.ends > now ? date : '',
    ended: mail.ends > now ? '' : date,
  }
}

type Show = (value: string, name: keyof Values) => string
const verbatim: Show = (value) => value

/** Values are inserted once: placeholder syntax inside a value stays as it is. */
const fill = (text: string, values: Values, show = verbatim) =>
  text.replace(PLACEHOLDER, (_, name: keyof Values) => show(values[name] ?? '', name))

const hasEmptyPlaceholder = (paragraph: string, values: Values) =>
  [...paragraph.matchAll(PLACEHOLDER)].some((match) => !values[match[1] as keyof Values])

const showInHtml: Show = (value, name) =>
  name === 'link' ? linkHtml(value) : withBreaks(escapeHtml(value))

function showParagraph(paragraph: string, values: Values): string {
  const only = /^\{\{\s*(\w+)\s*\}\}$/.exec(paragraph)?.[1]
  if (only === 'link') return buttonHtml(values.link, mailTexts().actions.open)
  const html = fill(withBreaks(escapeHtml(paragraph)), values, showInHtml)
  return only === 'message' ? quoteHtml(html) : paragraphHtml(html)
}

/** `now` decides whether the access ends or has ended. */
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
  const subject = subjectLine(fill(head.replace(/^Subject:/, ''), values))
  const paragraphs = rest
    .map((one) => one.trim())
    .filter((one) => !hasEmptyPlaceholder(one, values))
  // An application's own template may be in any language.
  const language = template === DEFAULT_TEMPLATE ? DEFAULT_LANGUAGE : ''
  const parts = paragraphs.map((one) => showParagraph(one, values))
  return {
    subject,
    text: `${paragraphs.map((one) => fill(one, values)).join('\n\n')}\n`,
    html: pageHtml(subject, language, parts),
  }
}
