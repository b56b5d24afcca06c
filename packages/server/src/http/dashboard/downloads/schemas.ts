import { Type } from 'typebox'
import type { DeliveryOutcome, StoreName } from '../../../db/tables.ts'
import { MAX_FILES, MAX_USES } from '../../../domain/downloads/limits.ts'
import { DELIVERY_COLUMNS, DOWNLOAD_COLUMNS } from '../../../domain/downloads/search.ts'
import { LAST_SECOND } from '../../../fields.ts'
import { paging, searchTextSchema, sortSchema } from '../schemas.ts'

const named = Type.Optional(Type.String({ maxLength: 255 }))
const time = Type.Optional(Type.Integer({ minimum: 0, maximum: LAST_SECOND }))
const description = {
  title: Type.Optional(Type.String({ maxLength: 1_000 })),
  description: Type.Optional(Type.String({ maxLength: 40_000 })),
  image: Type.Optional(Type.String({ maxLength: 4_000 })),
  published: Type.Optional(Type.Boolean()),
}

export const DownloadQuery = Type.Object({
  ...paging,
  published: Type.Optional(Type.Boolean()),
  rid: named,
  sort: sortSchema(DOWNLOAD_COLUMNS),
  q: searchTextSchema,
})

/** The file name readers get. */
const name = Type.String({ maxLength: 1_000 })

export const ReplaceQuery = Type.Object({ name })

export const UploadQuery = Type.Object({
  name,
  title: description.title,
  published: description.published,
})

export const DownloadBody = Type.Object(description)

/** The ids of all files of a resource, in their new order. */
export const OrderBody = Type.Object({
  ids: Type.Array(Type.String({ maxLength: 64 }), { maxItems: MAX_FILES }),
})

export const LinkBody = Type.Object({
  /** In seconds. */
  lifetime: Type.Optional(Type.Integer({ minimum: 1, maximum: LAST_SECOND })),
  expiration: Type.Optional(Type.Integer({ minimum: 0, maximum: LAST_SECOND })),
  /** Makes the link valid only while this user has access to the resource. */
  user_ref: named,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_USES })),
  name: Type.Optional(Type.String({ maxLength: 1_000 })),
})

export const DeliveryQuery = Type.Object({
  ...paging,
  rid: named,
  /** The id of a download. */
  download: named,
  uid: named,
  from: time,
  to: time,
  sort: sortSchema(DELIVERY_COLUMNS),
  q: searchTextSchema,
})

export interface DownloadItem {
  id: string
  rid: string
  title: string
  description: string
  /** The URL of the uploaded image, or else the linked one; empty if there is none. */
  image: string
  /** The URL that was typed in. An uploaded image is shown instead. */
  linked_image: string
  file: string
  type: string
  /** In bytes. */
  size: number
  sha256: string
  store: StoreName
  filed: number
  created: number
  modified: number
  published: number | null
}

/** A download with the name of its resource. */
export interface ListedDownload extends DownloadItem {
  resource: string
}

export interface NewDownloadLink {
  url: string
  expires: number
}

export interface DeliveryItem {
  id: string
  at: number
  rid: string
  /** The name of the resource. */
  resource: string
  download_id: string
  uid: string | null
  /** First and last name; may be empty. */
  name: string
  /** Empty if the link is not bound to a reader. */
  email: string
  /** Identifies the link but can't be used to open it. */
  link: string
  answers: number
  bytes: number
  outcome: DeliveryOutcome
}
