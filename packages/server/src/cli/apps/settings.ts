import { readFileSync } from 'node:fs'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { ApplicationSettings } from '../../domain/apps/applications.ts'
import {
  graceDays,
  postalAddressField,
  returnPrefixField,
} from '../../domain/apps/setting-fields.ts'
import { templateField } from '../../domain/mail/template.ts'
import { type Field, sender, title } from '../../fields.ts'
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
] as const

type Parse = (text: string, earlier: unknown) => unknown

export function addSettingOptions(command: Command): Command {
  for (const [flags, description, parse] of SETTINGS)
    command.addOption(new Option(flags, description).argParser<unknown>(parse as Parse))
  return command
}

export function settingsIn(options: SettingOptions): Partial<ApplicationSettings> {
  const { name, currency, returnUrl, graceDays } = options
  const texts = {
    mail_from: options.mailFrom,
    mail_template: options.mailTemplate,
    seller_name: options.sellerName,
    seller_address: options.sellerAddress,
    tax_line: options.taxLine,
  }
  const given = Object.entries(texts).filter(([, value]) => value !== undefined)
  return {
    ...(name === undefined ? {} : { name }),
    ...(currency === undefined ? {} : { currency }),
    ...Object.fromEntries(given.map(([setting, value]) => [setting, value || null])),
    ...(returnUrl === undefined ? {} : { return_urls: JSON.stringify(returnUrl) }),
    ...(graceDays === undefined ? {} : { grace_days: graceDays }),
  }
}
