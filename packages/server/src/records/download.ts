import { formatMajor } from '../domain/apps/currency.ts'
import type { DownloadRow, PublishedDownload } from '../domain/downloads/downloads.ts'
import type { PriceRow } from '../domain/resources/prices.ts'
import type { DownloadRecord } from './schemas.ts'
import { withoutNulls } from './without-nulls.ts'

const describe = ({ id, rid, title, description, image }: DownloadRow) => ({
  ...{ id, rid, title, description, image },
})

/** A download as the API returns it. `price` is the resource's lowest one. */
export function downloadRecord(
  row: PublishedDownload,
  price: PriceRow | undefined,
): DownloadRecord {
  const { id, rid, title, description, image } = describe(row)
  return {
    ...{ id, title, description, rid, image },
    price: price ? `${formatMajor(price.amount, price.currency)} ${price.currency}` : '',
    modified_date: row.modified,
    created_date: row.created,
    published_date: row.published,
  }
}

/** The same with its file, for the dashboard. */
export function downloadItem(row: DownloadRow) {
  const { file_name: file, type, size, sha256, store, filed, created, modified, published } = row
  return {
    ...describe(row),
    ...{ file, type, size, sha256, store, filed, created, modified, published },
  }
}

/** The same for the command line, which leaves out what is null. */
export function downloadDetails(row: DownloadRow) {
  const { id, ...item } = downloadItem(row)
  return withoutNulls({ id, aid: row.aid, ...item })
}
