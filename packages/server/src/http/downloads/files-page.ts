import { FOREVER } from '../../db/tables.ts'
import { brandOf } from '../../domain/brand/brand.ts'
import type { Formats } from '../../domain/brand/formats.ts'
import type { ReaderFile, ReaderShelf } from '../../domain/downloads/reader-files.ts'
import { dayHtml } from '../pages/date.ts'
import { downloadForm, fileItem, fileSummary } from '../pages/file-list.ts'
import { type Html, html, NOTHING } from '../pages/html.ts'
import { coverImage } from '../pages/image.ts'
import type { Page } from '../pages/page.ts'
import { filesTexts } from './texts.ts'

interface Site {
  /** The public base URL of the environment. */
  address(): string
}

/** Lists the files of an access record, each with a button. Anybody who has the link sees the page, so it never names
 * the reader. */
export function filesPage(site: Site, shelf: ReaderShelf, token: string, formats: Formats): Page {
  const { resource, files } = shelf
  const { none } = filesTexts()
  const items = files.map((file) => {
    const address = `${token}/${file.id}`
    return fileItem(file, html`<a href="${address}">${file.title}</a>`, address)
  })
  return shelfPage(
    shelf,
    resource.name,
    html`${coverImage(site, shelf.app.aid, resource.image_id)}
${files.length === 0 ? html`<p>${none}</p>` : html`<ul class="files">${items}</ul>`}
${accessLine(shelf, formats)}`,
  )
}

/** The page of one file. */
export function filePage(
  site: Site,
  shelf: ReaderShelf,
  file: ReaderFile,
  token: string,
  formats: Formats,
): Page {
  const { allFiles } = filesTexts()
  const { files } = shelf
  return shelfPage(
    shelf,
    file.title,
    html`${coverImage(site, shelf.app.aid, file.image_id)}
${fileSummary(file, html`${file.file_name}`)}
${downloadForm(file, '')}
${accessLine(shelf, formats)}
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
    title,
    brand: brandOf(app),
    content: html`<div class="card">
<h1>${title}</h1>
${content}
</div>`,
  }
}

function accessLine({ access: { ends } }: ReaderShelf, formats: Formats): Html {
  const { until, lifetime } = filesTexts()
  return html`<p class="soft small">${ends === FOREVER ? lifetime : until(dayHtml(ends, formats))}</p>`
}
