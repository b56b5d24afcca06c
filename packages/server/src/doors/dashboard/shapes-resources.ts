import type { Money, Page } from './shapes.ts'

export interface PriceItem {
  id: string
  amount: Money
  recurring: boolean
  /** `1 month`; null for what is bought once for good. */
  period: string | null
  trial_days: number
  /** All of it in a line: `4.99 EUR every month`. */
  terms: string
  created: number
  /** Since when nobody can buy at it; null while one can. */
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
  /** An address, or empty. */
  url: string
  description: string
  image: string
  created: number
  archived: number | null
  /** How many have access now. */
  live: number
  /** What can be bought now. */
  prices: PriceItem[]
  file: ResourceFile | null
}

export type ResourcePage = Page<ResourceItem>

export interface ResourceDetails extends ResourceItem {
  /** Archived ones too. */
  all_prices: PriceItem[]
  /** Where it can be bought. */
  checkout_url: string
}
