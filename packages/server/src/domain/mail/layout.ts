import { DEFAULT_LANGUAGE } from '../../language.ts'
import {
  buttonHtml,
  escapeHtml,
  type Fact,
  factsHtml,
  headingHtml,
  linkHtml,
  pageHtml,
  paragraphHtml,
  type RenderedMail,
} from './html.ts'
import { oneLine, subjectLine, webAddress } from './plain-text.ts'

/**
 * A mail in our own text. The text and HTML parts are built from the same blocks, so they say the
 * same. Blocks hold raw text; rendering reduces each text to one line and escapes it for HTML. Empty blocks
 * are left out.
 */
export interface MailLayout {
  subject: string
  blocks: readonly Block[]
}

/** The parts that differ between mails. The subject follows the application's name. */
export interface MailText {
  subject: string
  heading: string
  body: readonly Block[]
}

export type Block =
  | { kind: 'heading'; text: string }
  | { kind: 'text'; text: string }
  | { kind: 'facts'; facts: readonly Fact[] }
  | { kind: 'button' | 'link'; label: string; url: string }

export const headingBlock = (written: string): Block => ({ kind: 'heading', text: written })
export const textBlock = (written: string): Block => ({ kind: 'text', text: written })
export const buttonBlock = (label: string, url: string): Block => ({ kind: 'button', label, url })
export const linkBlock = (label: string, url: string): Block => ({ kind: 'link', label, url })
export const factsBlock = (...list: readonly Fact[]): Block => ({ kind: 'facts', facts: list })
export const fact = (label: string, ...lines: readonly string[]): Fact => ({ label, lines })
export const total = (label: string, line: string): Fact => ({ label, lines: [line], total: true })

export function renderLayout(letter: MailLayout): RenderedMail {
  const subject = subjectLine(letter.subject)
  const blocks = letter.blocks.map(normalize).filter((block) => block !== undefined)
  return {
    subject,
    text: `${blocks.map(showInText).join('\n\n')}\n`,
    html: pageHtml(subject, DEFAULT_LANGUAGE, blocks.map(showInHtml)),
  }
}

/** Reduces each text to one line. Returns undefined if the block is empty. */
function normalize(block: Block): Block | undefined {
  switch (block.kind) {
    case 'facts': {
      const known = block.facts.map(normalizeFact).filter(({ lines }) => lines.length > 0)
      return known.length > 0 ? { ...block, facts: known } : undefined
    }
    case 'button':
    case 'link': {
      const url = webAddress(block.url)
      return url === '' ? undefined : { ...block, url }
    }
    default: {
      const line = oneLine(block.text)
      return line === '' ? undefined : { ...block, text: line }
    }
  }
}

const normalizeFact = (fact: Fact): Fact => ({
  ...fact,
  lines: fact.lines.map(oneLine).filter((line) => line !== ''),
})

function showInText(block: Block): string {
  switch (block.kind) {
    case 'facts':
      return factsText(block.facts)
    case 'button':
    case 'link':
      return `${block.label}:\n${block.url}`
    default:
      return block.text
  }
}

/** Formats the facts in two columns. */
function factsText(list: readonly Fact[]): string {
  const width = Math.max(...list.map(({ label }) => label.length)) + 2
  const rows = list.flatMap(({ label, lines }) =>
    lines.map((line, i) => `${(i === 0 ? `${label}:` : '').padEnd(width)}${line}`),
  )
  return rows.join('\n')
}

function showInHtml(block: Block): string {
  switch (block.kind) {
    case 'facts':
      return factsHtml(block.facts)
    case 'button':
      return buttonHtml(block.url, block.label)
    case 'link':
      return paragraphHtml(linkHtml(block.url, block.label))
    case 'heading':
      return headingHtml(block.text)
    case 'text':
      return paragraphHtml(escapeHtml(block.text))
  }
}
