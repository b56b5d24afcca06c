import { readFileSync } from 'node:fs'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { parseMailFrom } from '../../config/config.ts'
import type { Settings } from '../../domain/apps/applications.ts'
import { problemWithTemplate } from '../../domain/mail/template.ts'
import * as fields from '../../fields.ts'
import { problemWithReturnPrefix } from '../../signing/return-urls.ts'
import { parseCurrency } from '../resources/price-options.ts'
import { parseWith } from '../shared.ts'

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

function parseSender(text: string): string {
  if (text === '') return ''
  const from = parseMailFrom(text)
  if (from !== undefined) return from
  throw new InvalidArgumentError('It must be an address like Example <access@example.com>.')
}

function parseTemplate(path: string): string {
  if (path === '') return ''
  const template = readTemplate(path)
  const problem = problemWithTemplate(template)
  if (problem) throw new InvalidArgumentError(`${path}: ${problem}.`)
  return template
}

function readTemplate(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new InvalidArgumentError(`It can't be read: ${(error as Error).message}.`)
  }
}

const shortText = fields.text(255, '')
const parseShort = (text: string) => (text === '' ? '' : parseWith(shortText)(text))

const MAX_LINES = 10

/** Parses a postal address. The characters `\n` count as a line break, which is hard to type in most shells. */
function parseAddress(text: string): string {
  const lines = text.split(/\\n|\r?\n/).map((line) => line.trim())
  if (lines.length > MAX_LINES)
    throw new InvalidArgumentError(`It has more than ${MAX_LINES} lines.`)
  return lines.map(parseShort).join('\n')
}

/** Adds to the list each time the option is given; an empty value clears the list. */
function parseReturnUrl(text: string, earlier: string[] = []): string[] {
  if (text === '') return []
  const problem = problemWithReturnPrefix(text)
  if (problem) throw new InvalidArgumentError(`It ${problem}.`)
  return [...new Set([...earlier, text])]
}

export const nameOption = () =>
  new Option('--name <name>', 'what it is called, in mails too').argParser(parseWith(shortText))

export function settingOptions(command: Command): Command {
  const option = <T>(flags: string, about: string, parse: (text: string, earlier?: T) => T) =>
    new Option(flags, about).argParser<T>(parse)
  return command
    .addOption(
      option('--currency <code>', 'of free access and of prices, USD unless set', parseCurrency),
    )
    .addOption(
      option(
        '--mail-from <address>',
        'sender of its mails; GATEHOUSE_MAIL_FROM unless set, and again after ""',
        parseSender,
      ),
    )
    .addOption(
      option(
        '--mail-template <file>',
        'text template of its mails; the built-in one unless set, and again after ""',
        parseTemplate,
      ),
    )
    .addOption(
      option('--seller-name <name>', 'who sells, on receipts; its name unless set', parseShort),
    )
    .addOption(
      option(
        '--seller-address <text>',
        'address on receipts; \\n begins a new line, "" takes it away',
        parseAddress,
      ),
    )
    .addOption(
      option('--tax-line <text>', 'on receipts, like "VAT ID DE123"; "" takes it away', parseShort),
    )
    .addOption(
      option(
        '--return-url <url>',
        'buyers may be sent back to this address and all below it; may be given several times; ' +
          'those given replace the old ones, "" allows none',
        parseReturnUrl,
      ),
    )
    .addOption(
      option(
        '--grace-days <days>',
        'how long access stays open while a renewal is unpaid, 0 to 60; 7 unless set',
        parseWith(fields.integer(0, 60, '')),
      ),
    )
}

export function settingsIn(options: SettingOptions): Partial<Settings> {
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
