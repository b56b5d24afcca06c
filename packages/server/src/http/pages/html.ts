import { escapeHtml } from '../../domain/mail/html.ts'

/** Text that is already HTML. `html` creates it, so that nothing stays unescaped. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = string | number | Html | readonly Html[]

function render(part: Part): string {
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map((one) => one.text).join('\n')
  return escapeHtml(String(part))
}

/** A template tag that escapes its values, unless they are HTML themselves. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(
    strings.map((text, i) => (i === 0 ? text : render(parts[i - 1] ?? '') + text)).join(''),
  )
}

export const NOTHING = html``

/** Converts plain text in which `backticks` mark code. */
export function prose(text: string): Html {
  const pieces = text.split('`')
  return join(
    pieces.map((piece, i) => (i % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`)),
    '',
  )
}

export function join(parts: readonly Html[], between: string): Html {
  return new Html(parts.map((part) => part.text).join(escapeHtml(between)))
}

interface Column<Row> {
  title: string
  show(row: Row): Html
}

/** ARIA roles are explicit: narrow screens display the rows as blocks, which removes the table semantics. */
export function table<Row>(
  caption: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): Html {
  const head = columns.map(({ title }) => html`<th role="columnheader" scope="col">${title}</th>`)
  const body = rows.map((row) => html`<tr role="row">${cells(columns, row)}</tr>`)
  return html`<table role="table">
<caption>${caption}</caption>
<thead role="rowgroup"><tr role="row">${head}</tr></thead>
<tbody role="rowgroup">${body}</tbody>
</table>`
}

function cells<Row>(columns: readonly Column<Row>[], row: Row): Html[] {
  return columns.map(({ title, show }, i) =>
    i === 0
      ? html`<th role="rowheader" scope="row">${show(row)}</th>`
      : html`<td role="cell" data-label="${title}">${show(row)}</td>`,
  )
}
