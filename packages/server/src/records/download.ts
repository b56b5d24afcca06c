import { type Static, Type } from 'typebox'
import { formatMajor } from '../domain/apps/currency.ts'
import type { DownloadRow, PublishedDownload } from '../domain/downloads/downloads.ts'
import type { PriceRow } from '../domain/resources/prices.ts'
import { imageUrl } from '../image-url.ts'
import { declareRecord } from './declare.ts'
import { withoutNulls } from './without-nulls.ts'

export const Download = declareRecord('Download', {
  id: Type.String({ description: 'ID of the download.' }),
  title: Type.String({ description: 'Title of the download, as readers see it.' }),
  description: Type.String({
    description: 'Description of the download for readers; empty if there is none.',
  }),
  rid: Type.String({ description: 'ID of the resource, as your site names it.' }),
  image: Type.String({ description: 'URL of an image; empty if there is none.' }),
  price: Type.String({
    description:
      'The lowest price of the resource, as `9.99 USD`; empty if it has none. Of several currencies ' +
      "the application's own counts, or else that of the first offer.",
  }),
  modified_date: Type.Integer({
    description: 'When the download was last changed, in seconds since 1970.',
  }),
  created_date: Type.Integer({
    description: 'When the download was created, in seconds since 1970.',
  }),
  published_date: Type.Integer({
    description: 'When the download was published, in seconds since 1970.',
  }),
})

export const DownloadUrl = declareRecord('DownloadUrl', {
  url: Type.String({
    description: 'URL from which the file can be downloaded, by anybody who has it.',
  }),
  expires: Type.Integer({ description: 'When the link expires, in seconds since 1970.' }),
})

export type DownloadRecord = Static<typeof Download>

interface Site {
  /** The public base URL of files and images. */
  fileAddress(): string
}

/** The image is the uploaded one, or else the one whose URL was given. */
const describe = (site: Site, row: DownloadRow) => {
  const { id, aid, rid, title, description, image_id } = row
  const image = image_id === null ? row.image : imageUrl(site, aid, image_id, IMAGE_WIDTH)
  return { id, rid, title, description, image }
}

/** The largest width that images are stored in. */
const IMAGE_WIDTH = 1600

/** A download as the API returns it. `price` is the resource's lowest one. */
export function downloadRecord(
  site: Site,
  row: PublishedDownload,
  price: PriceRow | undefined,
): DownloadRecord {
  const { id, rid, title, description, image } = describe(site, row)
  return {
    ...{ id, title, description, rid, image },
    price: price ? `${formatMajor(price.amount, price.currency)} ${price.currency}` : '',
    modified_date: row.modified,
    created_date: row.created,
    published_date: row.published,
  }
}

/** A download for the dashboard: with details of its file, published or not, and without a price. */
export function downloadItem(site: Site, row: DownloadRow) {
  const {
    file_name: file,
    image: linked_image,
    type,
    size,
    sha256,
    store,
    filed,
    created,
    modified,
    published,
  } = row
  return {
    ...describe(site, row),
    linked_image,
    ...{ file, type, size, sha256, store, filed, created, modified, published },
  }
}

/** A download for the command line: like the dashboard's, without the fields that are null. */
export function downloadDetails(site: Site, row: DownloadRow) {
  const { id, linked_image: _, ...item } = downloadItem(site, row)
  return withoutNulls({ id, aid: row.aid, ...item })
}
