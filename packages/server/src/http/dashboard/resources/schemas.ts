import type { Money, Page } from '../schemas.ts'

export interface PriceItem {
  id: string
  amount: Money
  recurring: boolean
  /** Such as `1 month`; null for lifetime access. */
  period: string | null
  trial_days: number
  /** The terms in one line: `4.99 EUR every month`. */
  terms: string
  created: number
  /** When the price was archived; null while it can be bought. */
  archived: number | null
}

export interface ResourceFile {
  id: string
  title: string
  file_name: string
  size: number
  published: boolean
}

export interface ResourceItem {
  rid: string
  name: string
  /** May be empty. */
  url: string
  description: string
  /** The URL of the uploaded image, or else the linked one; empty if there is none. */
  image: string
  /** The URL that was typed in. An uploaded image is shown instead. */
  linked_image: string
  created: number
  archived: number | null
  /** How many access records are live. */
  live: number
  /** The prices that can be bought now. */
  prices: PriceItem[]
  /** In the order that readers see. */
  files: ResourceFile[]
}

export type ResourcePage = Page<ResourceItem>

/** What a resource opens for those who have it. */
export interface ResourceOpens {
  rids: readonly string[]
  prefixes: readonly string[]
  all: boolean
}

/** Who would gain and lose what if a resource opened something else. */
export interface OpensPreview {
  /** How many readers have the resource now. */
  holders: number
  gained: ResourceOpens & { readers: number }
  lost: ResourceOpens & { readers: number }
}

export interface ResourceDetails extends ResourceItem {
  opens: ResourceOpens
  /** The resources that open this one, by their names. */
  opened_by: { rid: string; name: string }[]
  /** Includes archived prices. */
  all_prices: PriceItem[]
  /** The page where it can be bought. */
  checkout_url: string
}
