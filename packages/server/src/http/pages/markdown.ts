import { type Block, type Inline, parseMarkdown } from '../../markdown.ts'
import { type Html, html, join } from './html.ts'

/** Renders a description for readers. Whatever the text has, the result is only paragraphs, lists, emphasis and links. */
export function markdownHtml(text: string): Html {
  return join(parseMarkdown(text).map(blockHtml), '\n')
}

function blockHtml({ kind, lines }: Block): Html {
  if (kind === 'paragraph') return html`<p>${join(lines.map(lineHtml), '\n')}</p>`
  const items = lines.map((line) => html`<li>${lineHtml(line)}</li>`)
  return kind === 'bullets' ? html`<ul>${items}</ul>` : html`<ol>${items}</ol>`
}

const lineHtml = (line: readonly Inline[]): Html => join(line.map(partHtml), '')

function partHtml(part: Inline): Html {
  if (part.kind === 'text') return html`${part.text}`
  if (part.kind === 'link') {
    return html`<a href="${part.url}" rel="noopener noreferrer nofollow">${part.text}</a>`
  }
  const content = lineHtml(part.content)
  return part.kind === 'strong' ? html`<strong>${content}</strong>` : html`<em>${content}</em>`
}
