import { FOREVER } from '../../db/tables.ts'
import type { ReaderFile, ReaderShelf } from '../../domain/downloads/reader-files.ts'
import { formatSize } from '../../language.ts'
import { dayHtml } from '../pages/date.ts'
import { type Html, html, NOTHING } from '../pages/html.ts'
import type { Page } from '../pages/page.ts'
import { filesTexts } from './texts.ts'

/** Lists the files of an access record, each with a button. Whoever has the link sees it: it never names the reader. */
export function filesPage(shelf: ReaderShelf, token: string): Page {
  const { resource, files } = shelf
  const { none } = filesTexts()
  const items = files.map(
    (file) => html`<li class="file">
${fileSummary(file, html`<a href="${token}/${file.id}">${file.title}</a>`)}
${downloadForm(file, `${token}/${file.id}`)}
</li>`,
  )
  return shelfPage(
    shelf,
    resource.name,
    html`${files.length === 0 ? html`<p>${none}</p>` : html`<ul class="files">${items}</ul>`}
${accessLine(shelf)}`,
  )
}

/** The page of one file. */
export function filePage(shelf: ReaderShelf, file: ReaderFile, token: string): Page {
  const { allFiles } = filesTexts()
  const { files } = shelf
  return shelfPage(
    shelf,
    file.title,
    html`${fileSummary(file, html`${file.file_name}`)}
${downloadForm(file, '')}
${accessLine(shelf)}
${files.length > 1 ? html`<p><a href="../${token}">${allFiles(files.length)}</a></p>` : NOTHING}`,
  )
}

/** Shown instead of the files once the access has ended. */
export function endedPage(shelf: ReaderShelf, buyUrl: string | undefined): Page {
  const { heading, text, buyAgain } = filesTexts().ended
  return shelfPage(
    shelf,
    heading,
    html`<p>${text(shelf.resource.name)}</p>
${buyUrl === undefined ? NOTHING : html`<p><a class="button" href="${buyUrl}">${buyAgain}</a></p>`}`,
  )
}

function shelfPage({ app }: ReaderShelf, title: string, content: Html): Page {
  return {
    title: `${title} – ${app.name}`,
    content: html`<header class="head"><p class="brand">${app.name}</p></header>
<div class="card">
<h1>${title}</h1>
${content}
</div>`,
  }
}

function fileSummary({ description, size, file_name }: ReaderFile, name: Html): Html {
  const kind = /\.([A-Za-z0-9]{1,5})$/.exec(file_name)?.[1]?.toUpperCase()
  return html`<div>
<p class="file-name">${name}</p>
<p class="soft small">${kind === undefined ? '' : `${kind}, `}${formatSize(size)}</p>
${description === '' ? NOTHING : html`<p class="about">${description}</p>`}
</div>`
}

/** The name of the file is part of the button for those who hear the page. */
function downloadForm({ title }: ReaderFile, action: string): Html {
  const { download, downloadFile } = filesTexts()
  return html`<form method="post" action="${action}"><button aria-label="${downloadFile(title)}">${download}</button></form>`
}

function accessLine({ access: { ends } }: ReaderShelf): Html {
  const { until, lifetime } = filesTexts()
  return html`<p class="soft small">${ends === FOREVER ? lifetime : until(dayHtml(ends))}</p>`
}
