import type { Money, Page } from '../schemas.ts'

export interface PriceItem {
  /** The id of the price. */
  id: string
  /** The amount charged. */
  amount: Money
  /** Whether it is a subscription. */
  recurring: boolean
  /** Such as `1 month`; null for lifetime access. */
  period: string | null
  /** Days before the first charge; 0 without a trial. */
  trial_days: number
  /** The terms in one line: `4.99 EUR every month`. */
  terms: string
  /** When it was created, in seconds since 1970. */
  created: number
  /** When the price was archived; null while it can be bought. */
  archived: number | null
}

export interface ResourceFile {
  /** The id of the download. */
  id: string
  /** The title that readers see. */
  title: string
  /** The file name that readers get. */
  file_name: string
  /** In bytes. */
  size: number
  /** Whether readers can get it. */
  published: boolean
}

export interface ResourceItem {
  /** The id of the resource, as your site names it. */
  rid: string
  /** The name that readers see. */
  name: string
  /** May be empty. */
  url: string
  /** May be empty. */
  description: string
  /** The URL of the uploaded image, or else the linked one; empty if there is none. */
  image: string
  /** The URL that was typed in. An uploaded image is shown instead. */
  linked_image: string
  /** When it was created, in seconds since 1970. */
  created: number
  /** When it was archived, in seconds; null while it is in use. */
  archived: number | null
  /** How many access records are live. */
  live: number
  /** The prices that can be bought now. */
  prices: PriceItem[]
  /** In the order that readers see. */
  files: ResourceFile[]
}

export type ResourcePage = Page<ResourceItem>

/** The resources that a pass opens for readers who have it. */
export interface ResourceOpens {
  /** The rids of single resources, which need not exist yet. */
  rids: readonly string[]
  /** Everything whose rid begins with one of these. */
  prefixes: readonly string[]
  /** Whether it opens everything in the application. */
  all: boolean
}

/** The readers who would gain or lose access if a resource opened other resources than now. */
export interface OpensPreview {
  /** How many readers have the resource now. */
  holders: number
  /** The resources that readers would gain, and how many readers would gain something. */
  gained: ResourceOpens & { readers: number }
  /** The resources that readers would lose, and how many readers would lose something. */
  lost: ResourceOpens & { readers: number }
}

export interface ResourceDetails extends ResourceItem {
  /** The resources that this one opens for readers who have it. */
  opens: ResourceOpens
  /** The resources that open this one, by their names. */
  opened_by: {
    /** The id of the resource. */
    rid: string
    /** The name of the resource. */
    name: string
  }[]
  /** Includes archived prices. */
  all_prices: PriceItem[]
  /** The page where it can be bought. */
  checkout_url: string
}
