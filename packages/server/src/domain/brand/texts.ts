import type { LegalLink } from './brand.ts'

/** The labels of links to the seller's own pages, on pages and in mails. */
export const LEGAL_LINK_TEXTS: Record<LegalLink, string> = {
  terms: 'Terms',
  privacy: 'Privacy',
  imprint: 'Imprint',
  refunds: 'Refunds',
}
