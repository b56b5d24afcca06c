import { type Static, Type } from 'typebox'
import { formatMajor } from '../domain/apps/currency.ts'
import type { DownloadRow, PublishedDownload } from '../domain/downloads/downloads.ts'
import type { PriceRow } from '../domain/resources/prices.ts'
import { imageUrl } from '../image-url.ts'
import { declareRecord } from './declare.ts'
import { withoutNulls } from './without-nulls.ts'

export const Download = declareRecord('Download', {
  id: Type.String({ description: 'Download ID.' }),
  title: Type.String({ description: 'What it is called.' }),
  description: Type.String({ description: 'Empty if there is none.' }),
  rid: Type.String({ description: 'Resource ID.' }),
  image: Type.String({ description: 'The URL of a picture; empty if there is none.' }),
  price: Type.String({
    description:
      'The lowest price of the resource, as `9.99 USD`; empty if it has none. Of several currencies ' +
      "the application's own counts, or else that of the first offer.",
  }),
  modified_date: Type.Integer({ description: 'When it was last changed, in seconds.' }),
  created_date: Type.Integer({ description: 'When it was created, in seconds.' }),
  published_date: Type.Integer({ description: 'When it was published, in seconds.' }),
})

export const DownloadUrl = declareRecord('DownloadUrl', {
  url: Type.String({
    description: 'Where the file can be downloaded. Anybody who has this URL can use it.',
  }),
  expires: Type.Integer({ description: 'When the link expires, in seconds.' }),
})

export type DownloadRecord = Static<typeof Download>

interface Site {
  /** The public base URL of the environment. */
  address(): string
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
