import type { Static } from 'typebox'
import type { ApplicationSettings } from '../../../domain/apps/applications.ts'
import { typedCurrencyField } from '../../../domain/apps/currency-field.ts'
import { postalAddressField, returnPrefixField } from '../../../domain/apps/setting-fields.ts'
import {
  accentField,
  legalLinkField,
  mergeLegalLinks,
  supportEmailField,
  timeZoneField,
} from '../../../domain/brand/fields.ts'
import { sender } from '../../../domain/mail/sender.ts'
import { templateField, templateFieldOf } from '../../../domain/mail/template.ts'
import { changeTemplates } from '../../../domain/mail/template-kinds.ts'
import { type Field, title } from '../../../fields.ts'
import { readField } from '../../../parameters.ts'
import type { SettingsBody } from './schemas.ts'

export const readName = (text: string) => readField('name', text.trim(), title)
export const readCurrency = (text: string) => readField('currency', text, typedCurrencyField)

function readReturnUrls(urls: readonly string[]): string {
  const read = urls.map((url) => readField('return_urls', url, returnPrefixField))
  return JSON.stringify([...new Set(read)])
}

/** Settings that an empty text resets to the default. */
const TEXTS = {
  mail_from: sender,
  mail_template: templateField,
  seller_name: title,
  seller_address: { ...postalAddressField, read: (text) => postalAddressField.read(text.trim()) },
  tax_line: title,
  accent: accentField,
  support_email: supportEmailField,
} as const satisfies Partial<Record<keyof ApplicationSettings, Field<string>>>

/** Reads the settings that are objects; an empty text removes a part. Only the given parts change. */
function readParts(
  body: Static<typeof SettingsBody>,
  stored: Pick<ApplicationSettings, 'legal_links' | 'mail_templates'>,
): Partial<ApplicationSettings> {
  const { legal_links: links, mail_templates: templates } = body
  const read = <K extends string>(
    setting: string,
    parts: Partial<Record<K, string>>,
    fieldOf: (kind: K) => Field<string>,
  ) =>
    Object.fromEntries(
      (Object.entries(parts) as [K, string][]).map(([kind, text]) => [
        kind,
        text.trim() === '' ? '' : readField(`${setting}.${kind}`, text, fieldOf(kind)),
      ]),
    )
  return {
    ...(links === undefined
      ? {}
      : {
          legal_links: mergeLegalLinks(
            stored.legal_links,
            read('legal_links', links, () => legalLinkField),
          ),
        }),
    ...(templates === undefined
      ? {}
      : {
          mail_templates: changeTemplates(
            stored.mail_templates,
            read('mail_templates', templates, templateFieldOf),
          ),
        }),
  }
}

/** Reads the given settings, with the same rules as the command line. */
export function settingsIn(
  body: Static<typeof SettingsBody>,
  stored: Pick<ApplicationSettings, 'legal_links' | 'mail_templates'>,
): Partial<ApplicationSettings> {
  const { name, currency, return_urls: returnUrls, grace_days: graceDays } = body
  const { require_ts: requireTs } = body
  const zone = body.time_zone?.trim()
  const texts = Object.entries(TEXTS).flatMap(([setting, field]) => {
    const text = body[setting as keyof typeof TEXTS]
    if (text === undefined) return []
    return [[setting, text.trim() === '' ? null : readField(setting, text, field)]]
  })
  return {
    ...(name === undefined ? {} : { name: readName(name) }),
    ...(currency === undefined ? {} : { currency: readCurrency(currency) }),
    ...Object.fromEntries(texts),
    ...(returnUrls === undefined ? {} : { return_urls: readReturnUrls(returnUrls) }),
    ...(graceDays === undefined ? {} : { grace_days: graceDays }),
    ...(requireTs === undefined ? {} : { require_ts: requireTs ? 1 : 0 }),
    ...(zone === undefined
      ? {}
      : { time_zone: zone === '' ? 'UTC' : readField('time_zone', zone, timeZoneField) }),
    ...readParts(body, stored),
  }
}
