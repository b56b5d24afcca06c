import type { Money, Page } from '../schemas.ts'

export interface PriceItem {
  /** The id of the price. */
  id: string
  /** The amount charged. */
  amount: Money
  /** Whether the price is charged every period until canceled. */
  recurring: boolean
  /** The period that is paid for, such as `1 month`; null for lifetime access. */
  period: string | null
  /** The length of the free trial in days; 0 without a trial. */
  trial_days: number
  /** The terms in one line: `4.99 EUR every month`. */
  terms: string
  /** When the price was created, in seconds since 1970. */
  created: number
  /** When the price was archived, in seconds since 1970; null while it can be bought. */
  archived: number | null
}

export interface ResourceFile {
  /** The id of the download. */
  id: string
  /** The title that readers see. */
  title: string
  /** The file name that readers get. */
  file_name: string
  /** The size of the file in bytes. */
  size: number
  /** Whether readers can get the file. */
  published: boolean
}

export interface ResourceItem {
  /** The id of the resource, as your site names it. */
  rid: string
  /** The name that readers see. */
  name: string
  /** The URL of the resource's page on your site; may be empty. */
  url: string
  /** The description for readers; may be empty. */
  description: string
  /** The URL of the uploaded image, or else the linked one; empty if there is none. */
  image: string
  /** The URL of an image that was entered; may be empty. An uploaded image is shown instead. */
  linked_image: string
  /** When the resource was created, in seconds since 1970. */
  created: number
  /** When the resource was archived, in seconds since 1970; null while it is in use. */
  archived: number | null
  /** The number of live access records of the resource. */
  live: number
  /** The prices that can be bought now. */
  prices: PriceItem[]
  /** The files of the resource, in the order that readers see. */
  files: ResourceFile[]
}

export type ResourcePage = Page<ResourceItem>

/** The resources that a pass opens for readers who have it. */
export interface ResourceOpens {
  /** The rids of single resources that are opened. They need not exist yet. */
  rids: readonly string[]
  /** Prefixes of rids: all resources whose rid begins with one of them are opened. */
  prefixes: readonly string[]
  /** Whether all resources of the application are opened. */
  all: boolean
}

/** The readers who would gain or lose access if a resource opened other resources than now. */
export interface OpensPreview {
  /** The number of readers who have the resource now. */
  holders: number
  /** The resources that readers would gain, and how many readers would gain something. */
  gained: ResourceOpens & { readers: number }
  /** The resources that readers would lose, and how many readers would lose something. */
  lost: ResourceOpens & { readers: number }
}

export interface ResourceDetails extends ResourceItem {
  /** The resources that this one opens for readers who have it. */
  opens: ResourceOpens
  /** The resources that open this one, sorted by name. */
  opened_by: {
    /** The id of the resource. */
    rid: string
    /** The name of the resource. */
    name: string
  }[]
  /** All prices of the resource, including archived ones. */
  all_prices: PriceItem[]
  /** The URL of the page where the resource can be bought. */
  checkout_url: string
}
