import { Type } from 'typebox'
import { type Field, HALF_PAIR, problems } from '../../fields.ts'
import { DEFAULT_LANGUAGE } from '../../language.ts'
import { footerText } from './footer.ts'
import {
  createMailHtml,
  escapeHtml,
  type Fact,
  factsHtml,
  headingHtml,
  type LinkedFile,
  type MailFrame,
  type MailHtml,
  paragraphHtml,
  quoteHtml,
  type RenderedMail,
  withBreaks,
} from './html.ts'
import { oneLine, subjectLine } from './plain-text.ts'
import { placeholdersOf, type TemplateKind } from './template-kinds.ts'
import { mailTexts } from './texts.ts'

/**
 * A mail template is plain text: a `Subject:` line, a blank line, and paragraphs separated by blank lines.
 * It produces both parts of the mail. A paragraph with an empty placeholder is left out, `# ` begins a heading, and
 * `{{link}}`, `{{manage}}`, `{{facts}}` and `{{files}}` alone become a button, a table or a list.
 */
const PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}/g
const ALONE = /^\{\{\s*(\w+)\s*\}\}$/
export const MAX_TEMPLATE = 20_000
/** A refused template lists at most this many problems, so that the answer stays readable. */
const MAX_PROBLEMS = 20

/** Placeholders that stand for a table or a list. */
const BLOCKS: readonly string[] = ['facts', 'files']

/** A link in a mail. */
export interface MailLink {
  url: string
  label: string
  look: 'button' | 'link'
}

/** The content that a template is filled with. */
export interface MailContent {
  kind: TemplateKind
  /** Values by placeholder; missing ones are empty. */
  values: Readonly<Record<string, string>>
  /** Links by placeholder; missing ones are empty. */
  links: Readonly<Record<string, MailLink>>
  facts: readonly Fact[]
  files: readonly LinkedFile[]
}

export interface TemplateProblem {
  /** Starts at 1. */
  line: number
  problem: string
}

/** Lists what is wrong with a template, up to a number of problems. */
export function problemsWithTemplate(
  template: string,
  kind: TemplateKind = 'grant',
): TemplateProblem[] {
  if (template.length > MAX_TEMPLATE) {
    return [{ line: 1, problem: problems.tooLong(MAX_TEMPLATE) }]
  }
  const start = hasSubject(template)
    ? []
    : [{ line: 1, problem: 'must begin with a line "Subject: …" and a blank line' }]
  const found = [...start, ...unknownPlaceholders(template, kind), ...misplacedBlocks(template)]
  return found.slice(0, MAX_PROBLEMS)
}

/** Whether the first line has a subject and the second one is blank. */
function hasSubject(template: string): boolean {
  const [first = '', second = '', ...more] = template.split('\n', 3)
  const subject = first.startsWith('Subject:') ? first.slice('Subject:'.length).trim() : ''
  return subject !== '' && second.trim() === '' && more.length > 0
}

function unknownPlaceholders(template: string, kind: TemplateKind): TemplateProblem[] {
  const names = placeholdersOf(kind)
  const known = names.map((name) => `{{${name}}}`).join(' ')
  const found: TemplateProblem[] = []
  let line = 1
  let counted = 0
  for (const { 1: name = '', index } of template.matchAll(PLACEHOLDER)) {
    line += countLineBreaks(template.slice(counted, index))
    counted = index
    if (names.includes(name)) continue
    found.push({ line, problem: `unknown placeholder {{${name}}}; known are ${known}` })
  }
  return found
}

const countLineBreaks = (text: string) => text.split('\n').length - 1

function misplacedBlocks(template: string): TemplateProblem[] {
  const lines = template.split(/\r?\n/)
  return lines.flatMap((line, i) => {
    const found = [...line.matchAll(PLACEHOLDER)].find(([, name]) =>
      BLOCKS.includes(name as string),
    )
    const isBlank = (at: number) => (lines[at] ?? '').trim() === ''
    if (!found || (ALONE.test(line.trim()) && isBlank(i - 1) && isBlank(i + 1))) return []
    return [{ line: i + 1, problem: `{{${found[1]}}} must stand alone, between blank lines` }]
  })
}

/** The template of one kind of mail as a field, whose problem is the first one in the text. */
export const templateFieldOf = (kind: TemplateKind): Field<string> => ({
  schema: Type.String({ maxLength: MAX_TEMPLATE, description: 'A template of emails.' }),
  read(value) {
    if (HALF_PAIR.test(value)) return problems.halfPair
    const [first] = problemsWithTemplate(value, kind)
    return first ? `line ${first.line}: ${first.problem}` : { value }
  },
})

export const templateField = templateFieldOf('grant')

/** One part of a mail, as text and as HTML. */
interface Piece {
  text: string
  html: string
}

/** Renders a mail. Facts, files and the link to the subscription are added at the end if the template lacks them: an
 * application can't leave out what its readers must know. */
export function renderTemplate(
  template: string,
  content: MailContent,
  frame: MailFrame,
): RenderedMail {
  const html = createMailHtml(frame)
  const [head = '', ...rest] = template
    .replaceAll('\r\n', '\n')
    .trim()
    .split(/\n\s*\n/)
  const subject = subjectLine(fill(head.replace(/^Subject:/, ''), (name) => textOf(content, name)))
  const missing = ['facts', 'files', 'manage'].filter(
    (name) => ![...template.matchAll(PLACEHOLDER)].some(([, used]) => used === name),
  )
  const paragraphs = [...rest.map((one) => one.trim()), ...missing.map((name) => `{{${name}}}`)]
  const pieces = paragraphs
    .filter((one) => !hasEmptyPlaceholder(one, content))
    .map((one) => toPiece(one, content, html))
  const below = footerText(frame.footer)
  const texts = [...pieces.map(({ text }) => text), ...(below === '' ? [] : [below])]
  return {
    subject,
    text: `${texts.join('\n\n')}\n`,
    html: html.page(
      subject,
      languageOf(template, content.kind),
      pieces.map((one) => one.html),
    ),
  }
}

/** An application's own template may be in any language. */
const languageOf = (template: string, kind: TemplateKind) =>
  template === mailTexts().templates[kind] ? DEFAULT_LANGUAGE : ''

/** Values are inserted once: placeholder syntax inside a value stays as it is. */
const fill = (text: string, show: (name: string) => string) =>
  text.replace(PLACEHOLDER, (_, name: string) => show(name))

const own = <T>(values: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined

const textOf = ({ values, links }: MailContent, name: string): string =>
  own(values, name) ?? own(links, name)?.url ?? ''

function isEmpty(content: MailContent, name: string): boolean {
  if (name === 'facts') return content.facts.length === 0
  if (name === 'files') return content.files.length === 0
  return textOf(content, name) === ''
}

const hasEmptyPlaceholder = (paragraph: string, content: MailContent) =>
  [...paragraph.matchAll(PLACEHOLDER)].some((match) => isEmpty(content, match[1] as string))

function toPiece(paragraph: string, content: MailContent, html: MailHtml): Piece {
  const alone = ALONE.exec(paragraph)?.[1] ?? ''
  const link = own(content.links, alone)
  if (link) return linkPiece(link, content.kind, html)
  if (alone === 'facts') return { text: factsText(content.facts), html: factsHtml(content.facts) }
  if (alone === 'files') return filesPiece(content.files, html)
  const text = fill(paragraph, (name) => textOf(content, name))
  const heading = /^#\s+([^\n]+)$/.exec(paragraph)?.[1]
  if (heading !== undefined) {
    const words = oneLine(fill(heading, (name) => textOf(content, name)))
    return { text: words, html: headingHtml(words) }
  }
  const filled = fill(withBreaks(escapeHtml(paragraph)), (name) => {
    const inline = own(content.links, name)
    return inline ? html.link(inline.url) : withBreaks(escapeHtml(textOf(content, name)))
  })
  return { text, html: alone === 'message' ? quoteHtml(filled) : paragraphHtml(filled) }
}

/** The text part of a grant mail has the plain URL, as applications' own templates expect. */
function linkPiece({ url, label, look }: MailLink, kind: TemplateKind, html: MailHtml): Piece {
  return {
    text: kind === 'grant' ? url : `${label}:\n${url}`,
    html: look === 'button' ? html.button(url, label) : paragraphHtml(html.link(url, label)),
  }
}

function filesPiece(files: readonly LinkedFile[], html: MailHtml): Piece {
  const { download } = mailTexts().actions
  return {
    text: files
      .map(({ title, details, url }) => `${download} ${title} (${details}):\n${url}`)
      .join('\n\n'),
    html: html.files(files, download),
  }
}

/** Formats the facts in two columns. */
export function factsText(list: readonly Fact[]): string {
  const width = Math.max(...list.map(({ label }) => label.length)) + 2
  const rows = list.flatMap(({ label, lines }) =>
    lines.map((line, i) => `${(i === 0 ? `${label}:` : '').padEnd(width)}${line}`),
  )
  return rows.join('\n')
}
