import { createHash } from 'node:crypto'
import { Html, html } from '../pages/html.ts'
import { COPY_SCRIPT } from './copy-script.ts'
import { SAMPLE_STYLE } from './samples.ts'
import { STYLE } from './style.ts'

const REFERENCE_STYLE = `${STYLE}${SAMPLE_STYLE}`

const digestOf = (text: string) => createHash('sha256').update(text).digest('base64')

/** The pages may use their own style and their one script, and nothing else: no image, no font, no frame. */
export const REFERENCE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    `default-src 'none'; style-src 'sha256-${digestOf(REFERENCE_STYLE)}'; ` +
    `script-src 'sha256-${digestOf(COPY_SCRIPT)}'; ` +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
}

interface Parts {
  title: string
  header: Html
  navigation: Html
  main: Html
}

/** Puts a page of the reference together. It is self-contained. */
export function referenceShell({ title, header, navigation, main }: Parts): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${new Html(REFERENCE_STYLE)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
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
<script>${new Html(COPY_SCRIPT)}</script>
</body>
</html>
`.text
}
