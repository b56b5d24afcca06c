import { FOREVER, type Seconds } from '../../db/tables.ts'
import { brandOf } from '../../domain/brand/brand.ts'
import type { Formats } from '../../domain/brand/formats.ts'
import type { AccessFiles, ReaderFile } from '../../domain/downloads/reader-files.ts'
import { dayHtml } from '../pages/date.ts'
import { downloadForm, fileItem, fileSummary } from '../pages/file-list.ts'
import { type Html, html, NOTHING } from '../pages/html.ts'
import { coverImage, type Site } from '../pages/image.ts'
import type { Page } from '../pages/page.ts'
import { filesTexts } from './texts.ts'

/** The link that leads to a page. */
export interface FilesPageLink {
  token: string
  /** When the link expires. */
  until: Seconds
  now: Seconds
}

/** Lists the files of an access record, each with a button. Anybody who has the link sees the page, so it never names
 * the reader. */
export function filesPage(
  site: Site,
  accessFiles: AccessFiles,
  link: FilesPageLink,
  formats: Formats,
): Page {
  const { resource, files } = accessFiles
  const { none } = filesTexts()
  const items = files.map((file) => {
    const address = `${link.token}/${file.id}`
    return fileItem(file, html`<a href="${address}">${file.title}</a>`, address)
  })
  return cardPage(
    accessFiles,
    resource.name,
    html`${coverImage(site, accessFiles.app.aid, resource.image_id)}
${files.length === 0 ? html`<p>${none}</p>` : html`<ul class="files">${items}</ul>`}
${accessLine(accessFiles, link, formats)}`,
  )
}

/** The page of one file. */
export function filePage(
  site: Site,
  accessFiles: AccessFiles,
  file: ReaderFile,
  link: FilesPageLink,
  formats: Formats,
): Page {
  const { allFiles } = filesTexts()
  const { files } = accessFiles
  return cardPage(
    accessFiles,
    file.title,
    html`${coverImage(site, accessFiles.app.aid, file.image_id)}
${fileSummary(file, html`${file.file_name}`)}
${downloadForm(file, '')}
${accessLine(accessFiles, link, formats)}
${files.length > 1 ? html`<p><a href="../${link.token}">${allFiles(files.length)}</a></p>` : NOTHING}`,
  )
}

/** Shown instead of the files once the access has ended. */
export function endedPage(accessFiles: AccessFiles, buyUrl: string | undefined): Page {
  const { heading, text, buyAgain } = filesTexts().ended
  return cardPage(
    accessFiles,
    heading,
    html`<p>${text(accessFiles.resource.name)}</p>
${buyUrl === undefined ? NOTHING : html`<p><a class="button" href="${buyUrl}">${buyAgain}</a></p>`}`,
  )
}

function cardPage({ app }: AccessFiles, title: string, content: Html): Page {
  return {
    title,
    brand: brandOf(app),
    content: html`<div class="card">
<h1>${title}</h1>
${content}
</div>`,
  }
}

const YEAR_S = 366 * 86_400

/** Says how long the access lasts, and when the link ends if that comes first. A link from an email is valid for years. */
function accessLine(
  { access: { ends } }: AccessFiles,
  link: FilesPageLink,
  formats: Formats,
): Html {
  const { until, lifetime, comeBack, linkEnds } = filesTexts()
  const endsSoon = link.until < Math.min(ends, link.now + YEAR_S)
  const access = ends === FOREVER ? lifetime : until(dayHtml(ends, formats))
  const whenToReturn = endsSoon ? linkEnds(html`${formats.moment(link.until)}`) : comeBack
  return html`<p class="soft small">${access}${endsSoon || ends === FOREVER ? html` ${whenToReturn}` : NOTHING}</p>`
}
