import { createHash } from 'node:crypto'
import { htmlDocument } from '../pages/document.ts'
import { Html, html } from '../pages/html.ts'
import { COPY_SCRIPT } from './copy-script.ts'
import { SAMPLE_STYLE } from './samples.ts'
import { STYLE } from './style.ts'

const REFERENCE_STYLE = `${STYLE}${SAMPLE_STYLE}`

const digestOf = (text: string) => createHash('sha256').update(text).digest('base64')

/** Returns the headers of pages that may use their own style and their one script, and what `policy` allows besides. */
export const documentHeaders = (style: string, policy: string) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    `default-src 'none'; style-src 'sha256-${digestOf(style)}'; ` +
    `script-src 'sha256-${digestOf(COPY_SCRIPT)}'; ${policy}; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
})

/** The pages load nothing: no image, no font, no frame. */
export const REFERENCE_HEADERS = documentHeaders(
  REFERENCE_STYLE,
  "base-uri 'none'; form-action 'none'",
)

interface Parts {
  title: string
  header: Html
  navigation: Html
  main: Html
}

/** Puts a page of the reference together. It is self-contained. */
export function referenceShell({ title, header, navigation, main }: Parts): string {
  const body = html`<a class="skip" href="#content">Skip to the content</a>
${header}
<div class="columns">
${navigation}
<main id="content">
${main}
</main>
</div>
<footer>
<p>The service generates this page from the schemas that it validates requests and responses with. It loads
nothing, so it works offline. Its one script adds the buttons that copy.</p>
</footer>
<script>${new Html(COPY_SCRIPT)}</script>`
  return htmlDocument({ title, css: REFERENCE_STYLE, body })
}
