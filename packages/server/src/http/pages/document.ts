import { DEFAULT_LANGUAGE } from '../../language.ts'
import { Html, html, NOTHING } from './html.ts'

interface Parts {
  title: string
  /** The whole style of the page. */
  css: string
  /** Further elements of the head; ends with a line break. */
  head?: Html
  body: Html
}

/** Returns a complete HTML document, which loads no style sheet. */
export function htmlDocument({ title, css, head = NOTHING, body }: Parts): string {
  return html`<!doctype html>
<html lang="${DEFAULT_LANGUAGE}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${head}<title>${title}</title>
<style>${new Html(css)}</style>
</head>
<body>
${body}
</body>
</html>
`.text
}
