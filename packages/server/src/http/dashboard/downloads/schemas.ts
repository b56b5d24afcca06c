import { Type } from 'typebox'
import type { DeliveryOutcome, StoreName } from '../../../db/tables.ts'
import { MAX_FILES, MAX_USES } from '../../../domain/downloads/limits.ts'
import { DELIVERY_COLUMNS, DOWNLOAD_COLUMNS } from '../../../domain/downloads/search.ts'
import { LAST_SECOND } from '../../../fields.ts'
import { paging, searchTextSchema, sortSchema } from '../schemas.ts'

const named = Type.Optional(Type.String({ maxLength: 255 }))
const time = Type.Optional(Type.Integer({ minimum: 0, maximum: LAST_SECOND }))
const description = {
  title: Type.Optional(
    Type.String({ maxLength: 1_000, description: 'The title that readers see.' }),
  ),
  description: Type.Optional(
    Type.String({ maxLength: 40_000, description: 'The description for readers; empty for none.' }),
  ),
  image: Type.Optional(
    Type.String({ maxLength: 4_000, description: 'The URL of an image; empty for none.' }),
  ),
  published: Type.Optional(Type.Boolean({ description: 'Whether readers can get the file.' })),
}

export const DownloadQuery = Type.Object({
  ...paging,
  published: Type.Optional(
    Type.Boolean({
      description: '`true`: only published downloads. `false`: only unpublished ones.',
    }),
  ),
  rid: named,
  sort: sortSchema(DOWNLOAD_COLUMNS),
  q: searchTextSchema,
})

const name = Type.String({ maxLength: 1_000, description: 'The file name that readers get.' })

export const ReplaceQuery = Type.Object({ name })

export const UploadQuery = Type.Object({
  name,
  title: description.title,
  published: description.published,
})

export const DownloadBody = Type.Object(description)

export const OrderBody = Type.Object({
  ids: Type.Array(Type.String({ maxLength: 64 }), {
    maxItems: MAX_FILES,
    description: 'The ids of all files of the resource, in their new order.',
  }),
})

export const LinkBody = Type.Object({
  lifetime: Type.Optional(
    Type.Integer({
      ...{ minimum: 1, maximum: LAST_SECOND },
      description: 'The lifetime of the link in seconds.',
    }),
  ),
  expiration: Type.Optional(
    Type.Integer({
      ...{ minimum: 0, maximum: LAST_SECOND },
      description: 'When the link expires, in seconds since 1970.',
    }),
  ),
  user_ref: Type.Optional(
    Type.String({
      maxLength: 255,
      description:
        'The user_ref or uid of the reader to whose access the link is bound: it works only while they have access.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      ...{ minimum: 1, maximum: MAX_USES },
      description: 'The number of downloads that the link allows.',
    }),
  ),
  name: Type.Optional(name),
})

export const DeliveryQuery = Type.Object({
  ...paging,
  rid: named,
  download: Type.Optional(
    Type.String({ maxLength: 255, description: 'Only deliveries of this download, by its id.' }),
  ),
  uid: named,
  from: time,
  to: time,
  sort: sortSchema(DELIVERY_COLUMNS),
  q: searchTextSchema,
})

export interface DownloadItem {
  /** The id of the download. */
  id: string
  /** The id of the resource, as your site names it. */
  rid: string
  /** The title that readers see. */
  title: string
  /** The description for readers; may be empty. */
  description: string
  /** The URL of the uploaded image, or else the linked one; empty if there is none. */
  image: string
  /** The URL of an image that was entered; may be empty. An uploaded image is shown instead. */
  linked_image: string
  /** The file name that readers get. */
  file: string
  /** The media type of the file, such as `application/pdf`. */
  type: string
  /** The size of the file in bytes. */
  size: number
  /** The SHA-256 of the file, in hexadecimal. */
  sha256: string
  /** The store that holds the file. */
  store: StoreName
  /** When the current file was added, in seconds since 1970. */
  filed: number
  /** When the download was created, in seconds since 1970. */
  created: number
  /** When the download was last changed, in seconds since 1970. */
  modified: number
  /** When the download was published, in seconds since 1970; null if it is not. */
  published: number | null
}

/** A download with the name of its resource. */
export interface ListedDownload extends DownloadItem {
  /** The name of the resource. */
  resource: string
}

export interface NewDownloadLink {
  /** The URL from which the file can be downloaded, by anybody who has it. */
  url: string
  /** When the link expires, in seconds since 1970. */
  expires: number
}

export interface DeliveryItem {
  /** The id of the delivery. */
  id: string
  /** When the delivery began, in seconds since 1970. */
  at: number
  /** The id of the resource, as your site names it. */
  rid: string
  /** The name of the resource. */
  resource: string
  /** The id of the download. */
  download_id: string
  /** The id of the person whom the link was made for; null for a link without one. */
  uid: string | null
  /** The person's first and last name; may be empty. */
  name: string
  /** The person's email address; empty if the link is not bound to a reader. */
  email: string
  /** The id of the link, which can't be used to open it. */
  link: string
  /** The number of HTTP responses that are counted as this delivery. */
  answers: number
  /** The number of bytes that were sent. */
  bytes: number
  /** The outcome of the delivery. `redirected`: another server delivers the file, and only it knows the outcome. */
  outcome: DeliveryOutcome
}

export interface RemovedDownload {
  /** Always true: the download is removed, and its links have stopped working. */
  removed: boolean
}

export interface DownloadOrder {
  /** The ids of all files of the resource, in their order. */
  ids: string[]
}
