import { type Field, refined, text } from '../../fields.ts'
import { parseUrl } from '../../parse-url.ts'
import { LEGAL_LINKS, type LegalLink, type LegalLinks, readLegalLinks } from './brand.ts'
import { type Color, isColor } from './color.ts'
import { isTimeZone } from './formats.ts'

/** An accent color as `#rrggbb`; stored in lower case. */
export const accentField: Field<Color> = {
  schema: text(7, 'A color, such as `#1f5f4a`.').schema,
  read(value) {
    const color = value.trim().toLowerCase()
    return isColor(color) ? { value: color } : 'must be a color like #1f5f4a'
  },
}

const MAX_EMAIL = 254
const ADDRESS = /^[^\s\p{C}"(),:;<>@[\]\\]+@[^\s\p{C}"(),:;<>@[\]\\]+\.[^\s\p{C}"(),:;<>@[\]\\]+$/u

/** The address where readers get help. */
export const supportEmailField: Field<string> = refined(
  text(MAX_EMAIL, 'Where readers get help.'),
  (value) => (ADDRESS.test(value) ? undefined : 'must be an email address like help@example.com'),
)

const MAX_URL = 2_000
/** Nothing that could end an attribute or a line. */
const LEGAL_URL = /^https:\/\/[^\s\p{C}<>"'\\]+$/u

/** The URL of one of the seller's legal pages. */
export const legalLinkField: Field<string> = refined(
  text(MAX_URL, 'A page of the seller.'),
  (value) =>
    LEGAL_URL.test(value) && parseUrl(value)
      ? undefined
      : 'must be a URL like https://example.com/terms',
)

/** An IANA time zone, in the spelling that this system uses. */
export const timeZoneField: Field<string> = {
  schema: text(64, 'A time zone, such as `Europe/Berlin`.').schema,
  read(value) {
    const name = value.trim()
    if (!isTimeZone(name)) return 'must be a time zone like Europe/Berlin'
    const known = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
    return { value: known.toLowerCase() === name.toLowerCase() ? known : name }
  },
}

/** Applies changes to the stored JSON of the links, and returns the new JSON. An empty URL removes a link. */
export function mergeLegalLinks(
  stored: string,
  changes: Partial<Record<LegalLink, string>>,
): string {
  const all = { ...readLegalLinks(stored), ...changes }
  const links: LegalLinks = {}
  for (const kind of LEGAL_LINKS) {
    const url = all[kind]
    if (url !== undefined && url !== '') links[kind] = url
  }
  return JSON.stringify(links)
}
