import { readFileSync } from 'node:fs'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { ApplicationSettings } from '../../domain/apps/applications.ts'
import {
  graceDays,
  postalAddressField,
  returnPrefixField,
} from '../../domain/apps/setting-fields.ts'
import {
  accentField,
  legalLinkField,
  mergeLegalLinks,
  supportEmailField,
  timeZoneField,
} from '../../domain/brand/fields.ts'
import { sender } from '../../domain/mail/sender.ts'
import { templateField, templateFieldOf } from '../../domain/mail/template.ts'
import {
  changeTemplates,
  STORED_TEMPLATE_KINDS,
  type StoredTemplateKind,
} from '../../domain/mail/template-kinds.ts'
import { type Field, title } from '../../fields.ts'
import { parseWith } from '../options.ts'
import { parseCurrency } from '../resources/price-options.ts'

/** The options of `app create` and `app set`. An empty text resets an optional setting to its default. */
export interface SettingOptions {
  name?: string
  currency?: string
  mailFrom?: string
  mailTemplate?: string
  sellerName?: string
  sellerAddress?: string
  taxLine?: string
  returnUrl?: string[]
  graceDays?: number
  accent?: string
  supportEmail?: string
  timeZone?: string
  requireTs?: boolean
  termsUrl?: string
  privacyUrl?: string
  imprintUrl?: string
  refundsUrl?: string
  mailTemplateFor?: Partial<Record<StoredTemplateKind, string>>
}

/** Validates a setting that an empty text resets to its default. */
const orDefault =
  (field: Field<string>) =>
  (text: string): string =>
    text === '' ? '' : parseWith(field)(text)

const parseTemplate = (path: string) =>
  path === '' ? '' : parseWith(templateField)(readTemplate(path))

function readTemplate(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new InvalidArgumentError(`The file can't be read: ${(error as Error).message}.`)
  }
}

/** Parses `receipt=FILE`; an empty file restores the built-in template. */
function parseTemplateFor(
  text: string,
  earlier: Partial<Record<StoredTemplateKind, string>> = {},
): Partial<Record<StoredTemplateKind, string>> {
  const [name = '', ...rest] = text.split('=')
  const kind = STORED_TEMPLATE_KINDS.find((one) => one === name)
  const path = rest.join('=')
  if (kind === undefined || rest.length === 0) {
    throw new InvalidArgumentError(
      `Must be KIND=FILE; the kinds are ${STORED_TEMPLATE_KINDS.join(', ')}.`,
    )
  }
  const template = path === '' ? '' : parseWith(templateFieldOf(kind))(readTemplate(path))
  return { ...earlier, [kind]: template }
}

function parseSwitch(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new InvalidArgumentError('Must be on or off.')
  return text === 'on'
}

/** Parses a postal address. The characters `\n` count as a line break, which is hard to type in most shells. */
const parseAddress = (text: string) => orDefault(postalAddressField)(text.replaceAll('\\n', '\n'))

/** Adds to the list each time the option is given; an empty value clears the list. */
function parseReturnUrl(text: string, earlier: string[] = []): string[] {
  if (text === '') return []
  return [...new Set([...earlier, parseWith(returnPrefixField)(text)])]
}

export const nameOption = () =>
  new Option('--name <name>', 'its name, also used in emails').argParser(parseWith(title))

/** The flags, description and parser of each option. */
const SETTINGS = [
  ['--currency <code>', 'currency of free access and of prices; default: USD', parseCurrency],
  [
    '--mail-from <address>',
    'sender of its emails; default (also ""): GATEHOUSE_MAIL_FROM',
    orDefault(sender),
  ],
  [
    '--mail-template <file>',
    'text template of its emails; default (also ""): the built-in one',
    parseTemplate,
  ],
  ['--seller-name <name>', 'seller name on receipts; default: its name', orDefault(title)],
  [
    '--seller-address <text>',
    'address on receipts; \\n starts a new line, "" removes it',
    parseAddress,
  ],
  ['--tax-line <text>', 'line on receipts, like "VAT ID DE123"; "" removes it', orDefault(title)],
  [
    '--return-url <url>',
    'buyers can return to this URL and everything below it; repeat it for several URLs; ' +
      'replaces the old ones, "" removes all',
    parseReturnUrl,
  ],
  [
    '--grace-days <days>',
    'days that access continues while a renewal is unpaid, 0 to 60; default: 7',
    parseWith(graceDays),
  ],
  [
    '--accent <color>',
    'accent color of its pages and emails, like #1f5f4a; default (also ""): the built-in one',
    orDefault(accentField),
  ],
  [
    '--support-email <address>',
    'where readers get help, shown on pages and emails; "" removes it',
    orDefault(supportEmailField),
  ],
  [
    '--time-zone <zone>',
    'time zone of the dates that readers see, like Europe/Berlin; default (also ""): UTC',
    orDefault(timeZoneField),
  ],
  [
    '--require-ts <on|off>',
    'refuse writes of its API clients without a current ts, and refuse to carry one out twice; default: off',
    parseSwitch,
  ],
  [
    '--terms-url <url>',
    'its terms, linked from every page; "" removes it',
    orDefault(legalLinkField),
  ],
  ['--privacy-url <url>', 'its privacy policy; "" removes it', orDefault(legalLinkField)],
  ['--imprint-url <url>', 'its imprint; "" removes it', orDefault(legalLinkField)],
  ['--refunds-url <url>', 'its refund policy; "" removes it', orDefault(legalLinkField)],
  [
    '--mail-template-for <kind=file>',
    `text template of another email: ${STORED_TEMPLATE_KINDS.join(', ')}; repeat it for several; KIND= restores the built-in one`,
    parseTemplateFor,
  ],
] as const

type Parse = (text: string, earlier: unknown) => unknown

export function addSettingOptions(command: Command): Command {
  for (const [flags, description, parse] of SETTINGS)
    command.addOption(new Option(flags, description).argParser<unknown>(parse as Parse))
  return command
}

/** Reads the settings that are objects, of which only the given parts change. */
function readParts(
  options: SettingOptions,
  stored: Pick<ApplicationSettings, 'legal_links' | 'mail_templates'>,
): Partial<ApplicationSettings> {
  const { termsUrl, privacyUrl, imprintUrl, refundsUrl, mailTemplateFor } = options
  const urls = { terms: termsUrl, privacy: privacyUrl, imprint: imprintUrl, refunds: refundsUrl }
  const links = Object.fromEntries(Object.entries(urls).filter(([, url]) => url !== undefined))
  return {
    ...(Object.keys(links).length === 0
      ? {}
      : { legal_links: mergeLegalLinks(stored.legal_links, links) }),
    ...(mailTemplateFor === undefined
      ? {}
      : { mail_templates: changeTemplates(stored.mail_templates, mailTemplateFor) }),
  }
}

/** `stored` is what the application has now. */
export function settingsIn(
  options: SettingOptions,
  stored: Pick<ApplicationSettings, 'legal_links' | 'mail_templates'>,
): Partial<ApplicationSettings> {
  const { name, currency, returnUrl, graceDays, timeZone, requireTs } = options
  const texts = {
    mail_from: options.mailFrom,
    mail_template: options.mailTemplate,
    seller_name: options.sellerName,
    seller_address: options.sellerAddress,
    tax_line: options.taxLine,
    accent: options.accent,
    support_email: options.supportEmail,
  }
  const given = Object.entries(texts).filter(([, value]) => value !== undefined)
  return {
    ...(name === undefined ? {} : { name }),
    ...(currency === undefined ? {} : { currency }),
    ...Object.fromEntries(given.map(([setting, value]) => [setting, value || null])),
    ...(returnUrl === undefined ? {} : { return_urls: JSON.stringify(returnUrl) }),
    ...(graceDays === undefined ? {} : { grace_days: graceDays }),
    ...(timeZone === undefined ? {} : { time_zone: timeZone || 'UTC' }),
    ...(requireTs === undefined ? {} : { require_ts: requireTs ? 1 : 0 }),
    ...readParts(options, stored),
  }
}
