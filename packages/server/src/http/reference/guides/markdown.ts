import { posix } from 'node:path'
import { Marked, type Tokens } from 'marked'
import { escapeHtml } from '../../../domain/mail/html.ts'
import { Html } from '../../pages/html.ts'

/** Builds anchors like the sites that render Markdown. */
export const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

/** Finds where a link leads; undefined if that is not among the guides. */
export type ResolveLink = (file: string, anchor: string | undefined) => string | undefined

const withoutMarks = (text: string) => text.replace(/[`*]/g, '')

/** Renders a guide. Its links are resolved from `path`, the file in which they are. */
export function renderGuide(path: string, text: string, resolve: ResolveLink): Html {
  const marked = new Marked({
    renderer: {
      // Comments say how tests run the code on the page.
      html: () => '',
      heading({ tokens, depth, text: heading }: Tokens.Heading) {
        const content = this.parser.parseInline(tokens)
        return `<h${depth} id="${escapeHtml(anchorOf(withoutMarks(heading)))}">${content}</h${depth}>\n`
      },
      // Pictures come from the folder of the guides alone; of any other, the description stays.
      image({ href, text: description }: Tokens.Image) {
        const source = resolve(posix.join(posix.dirname(path), href), undefined)
        const shown = escapeHtml(description)
        return source === undefined
          ? `<em>${shown}</em>`
          : `<img src="${escapeHtml(source)}" alt="${shown}" loading="lazy">`
      },
      code({ text: code, lang = '' }: Tokens.Code) {
        const label = lang === '' ? 'Code' : `Code: ${lang}`
        return `<pre tabindex="0" role="group" aria-label="${escapeHtml(label)}"><code>${escapeHtml(code)}</code></pre>\n`
      },
      link({ href, tokens }: Tokens.Link) {
        const content = this.parser.parseInline(tokens)
        const target = targetOf(path, href, resolve)
        return target === undefined ? content : `<a href="${escapeHtml(target)}">${content}</a>`
      },
      table(token: Tokens.Table) {
        const cell = (tag: string, one: Tokens.TableCell) =>
          `<${tag}>${this.parser.parseInline(one.tokens)}</${tag}>`
        const head = token.header.map((one) =>
          cell('th scope="col"', one).replace('</th scope="col">', '</th>'),
        )
        const rows = token.rows.map(
          (row) => `<tr>${row.map((one) => cell('td', one)).join('')}</tr>`,
        )
        return `<div class="wide" role="group" aria-label="Table" tabindex="0"><table class="plain"><thead><tr>${head.join('')}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>\n`
      },
    },
  })
  return new Html(marked.parse(text, { async: false }))
}

function targetOf(path: string, href: string, resolve: ResolveLink): string | undefined {
  if (/^(https?|mailto):/.test(href)) return href
  if (href.startsWith('#')) return href
  const [file = '', anchor] = href.split('#')
  return resolve(posix.join(posix.dirname(path), file), anchor)
}
