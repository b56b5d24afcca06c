import type { ApplicationTable } from '../../db/tables.ts'
import { type Color, isColor } from './color.ts'

/** Pages of the seller that the law asks for, in the order in which they are shown. */
export const LEGAL_LINKS = ['terms', 'privacy', 'imprint', 'refunds'] as const
export type LegalLink = (typeof LEGAL_LINKS)[number]
export type LegalLinks = Partial<Record<LegalLink, string>>

/** The appearance and the legal details of the pages and emails of an application. */
export interface Brand {
  aid: string
  /** The name of the application. */
  name: string
  /** Null for the built-in color. */
  accent: Color | null
  logoId: string | null
  supportEmail: string | null
  legalLinks: LegalLinks
  timeZone: string
  /** The seller: a name, then the lines of the address. */
  seller: readonly string[]
}

export type BrandColumns = Pick<
  ApplicationTable,
  | 'aid'
  | 'name'
  | 'accent'
  | 'logo_id'
  | 'support_email'
  | 'legal_links'
  | 'time_zone'
  | 'seller_name'
  | 'seller_address'
>

export function brandOf(app: BrandColumns): Brand {
  return {
    aid: app.aid,
    name: app.name,
    // Checked again, because it becomes part of a style sheet.
    accent: app.accent !== null && isColor(app.accent) ? app.accent : null,
    logoId: app.logo_id,
    supportEmail: app.support_email,
    legalLinks: readLegalLinks(app.legal_links),
    timeZone: app.time_zone,
    seller: [app.seller_name ?? app.name, ...linesOf(app.seller_address ?? '')],
  }
}

const linesOf = (text: string) =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Reads the stored links. Anything that is not an https URL is left out. */
export function readLegalLinks(stored: string): LegalLinks {
  const all = JSON.parse(stored) as Record<string, unknown>
  const links: LegalLinks = {}
  for (const kind of LEGAL_LINKS) {
    const url = all[kind]
    if (typeof url === 'string' && /^https:\/\/[^\s\p{Cc}<>"'\\]+$/u.test(url)) links[kind] = url
  }
  return links
}

/** The URL that begins an email to an address. */
export const mailtoUrl = (address: string): string =>
  `mailto:${encodeURIComponent(address).replaceAll('%40', '@')}`
