import { parseUrl } from './parse-url.ts'
/** The little Markdown that descriptions may have: paragraphs, emphasis, lists and links. There is no HTML and there are no
 * images: everything else is text. Pages, emails and the web app read it here, and each renders the tree itself. */

export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'strong'; content: Inline[] }
  | { kind: 'emphasis'; content: Inline[] }
  | { kind: 'link'; url: string; text: string }

/** The lines of a paragraph, or the items of a list. */
export interface Block {
  kind: 'paragraph' | 'bullets' | 'numbers'
  lines: Inline[][]
}

const BULLET = /^ {0,3}[-*+] +(?=\S)/
const NUMBER = /^ {0,3}\d{1,9}[.)] +(?=\S)/

function kindOf(line: string): Block['kind'] {
  if (BULLET.test(line)) return 'bullets'
  return NUMBER.test(line) ? 'numbers' : 'paragraph'
}

const contentOf = (line: string) => line.replace(BULLET, '').replace(NUMBER, '').trim()

/** Reads a text. A line break in a paragraph stays one, as in texts that were written before there was Markdown. */
export function parseMarkdown(text: string): Block[] {
  const blocks: Block[] = []
  let open: Block | undefined
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (line.trim() === '') {
      open = undefined
      continue
    }
    const kind = kindOf(line)
    if (open?.kind !== kind) {
      open = { kind, lines: [] }
      blocks.push(open)
    }
    open.lines.push(parseInline(kind === 'paragraph' ? line.trim() : contentOf(line)))
  }
  return blocks
}

/** No part can contain its own delimiter, so that the time for any text is proportional to its length. */
const PARTS =
  /(?<!!)\[([^[\]]{1,500})\]\(((?:https:\/\/|mailto:)[^\s\p{Cc}()<>"'`\\]{1,2000})\)|\*\*(?=[^\s*])([^*]{1,5000})(?<!\s)\*\*|\*(?=[^\s*])([^*]{1,5000})(?<!\s)\*|(?<![\p{L}\p{N}_])_(?=[^\s_])([^_]{1,5000})(?<!\s)_(?![\p{L}\p{N}_])/gu

function parseInline(text: string): Inline[] {
  const parts: Inline[] = []
  let at = 0
  for (const match of text.matchAll(PARTS)) {
    const [all, label = '', url, strong, starred, underlined] = match
    const emphasis = starred ?? underlined
    const part = partOf({ label, url, strong, emphasis })
    if (!part) continue
    if (match.index > at) parts.push({ kind: 'text', text: text.slice(at, match.index) })
    parts.push(part)
    at = match.index + all.length
  }
  if (at < text.length) parts.push({ kind: 'text', text: text.slice(at) })
  return parts
}

interface Found {
  label: string
  url: string | undefined
  strong: string | undefined
  emphasis: string | undefined
}

function partOf({ label, url, strong, emphasis }: Found): Inline | undefined {
  if (url !== undefined) return parseUrl(url) ? { kind: 'link', url, text: label } : undefined
  if (strong !== undefined) return { kind: 'strong', content: parseInline(strong) }
  return { kind: 'emphasis', content: parseInline(emphasis ?? '') }
}

/** Renders the text without its marks, for places that show plain text. A link is followed by its address. */
export function markdownToText(text: string): string {
  const lineOf = (line: readonly Inline[]): string => line.map(plainOf).join('')
  return parseMarkdown(text)
    .map(({ kind, lines }) =>
      lines
        .map((line, i) => {
          if (kind === 'paragraph') return lineOf(line)
          return `${kind === 'bullets' ? '-' : `${i + 1}.`} ${lineOf(line)}`
        })
        .join('\n'),
    )
    .join('\n\n')
}

function plainOf(part: Inline): string {
  if (part.kind === 'text') return part.text
  if (part.kind !== 'link') return part.content.map(plainOf).join('')
  const address = part.url.replace(/^mailto:/, '')
  return address === part.text ? address : `${part.text} (${address})`
}
