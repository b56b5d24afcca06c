import type { ReaderFile } from '../../domain/downloads/reader-files.ts'
import { formatSize } from '../../language.ts'
import { type Html, html, NOTHING } from './html.ts'
import { markdownHtml } from './markdown.ts'
import { pageTexts } from './texts.ts'

/** Lists files with a button for each. `base` is the URL of the reader's page of these files. */
export const fileList = (files: readonly ReaderFile[], base: string): Html =>
  files.length === 0
    ? NOTHING
    : html`<ul class="files">${files.map((file) => fileItem(file, html`${file.title}`, `${base}/${file.id}`))}</ul>`

export const fileItem = (file: ReaderFile, name: Html, action: string): Html =>
  html`<li class="file">
${fileSummary(file, name)}
${downloadForm(file, action)}
</li>`

export function fileSummary({ description, size, file_name }: ReaderFile, name: Html): Html {
  const kind = /\.([A-Za-z0-9]{1,5})$/.exec(file_name)?.[1]?.toUpperCase()
  return html`<div>
<p class="file-name">${name}</p>
<p class="soft small">${kind === undefined ? '' : `${kind}, `}${formatSize(size)}</p>
${description === '' ? NOTHING : html`<div class="about">${markdownHtml(description)}</div>`}
</div>`
}

/** The name of the file is part of the button for those who hear the page. */
export function downloadForm({ title }: ReaderFile, action: string): Html {
  const { download, downloadFile } = pageTexts().files
  return html`<form method="post" action="${action}"><button aria-label="${downloadFile(title)}">${download}</button></form>`
}
