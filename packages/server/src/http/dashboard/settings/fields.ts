import type { Static } from 'typebox'
import { parseMailFrom } from '../../../config/config.ts'
import type { Settings } from '../../../domain/apps/applications.ts'
import { isCurrency } from '../../../domain/apps/currency.ts'
import { problemsWithTemplate } from '../../../domain/mail/template.ts'
import { fail } from '../../../errors.ts'
import * as fields from '../../../fields.ts'
import { problemWithReturnPrefix } from '../../../signing/return-urls.ts'
import { field } from '../fields.ts'
import type { SettingsBody } from './schemas.ts'

const bad = (name: string, problem: string) => fail('invalid_parameter', `${name}: ${problem}.`)

const short = fields.text(255, '')

export const readName = (text: string) => field('name', text.trim(), short)

export function readCurrency(text: string): string {
  const code = text.toUpperCase()
  if (!isCurrency(code)) throw bad('currency', 'must be an ISO 4217 code like EUR')
  return code
}

function readSender(text: string): string {
  const from = parseMailFrom(text)
  if (from === undefined)
    throw bad('mail_from', 'must be an address like Example <access@example.com>')
  return from
}

function readTemplate(text: string): string {
  const [first] = problemsWithTemplate(text)
  if (first) throw bad('mail_template', `line ${first.line}: ${first.problem}`)
  return text
}

const MAX_LINES = 10

/** Reads an address of several lines. */
function readAddress(text: string): string {
  const lines = text
    .trim()
    .split(/\r?\n/)
    .map((line) => line.trim())
  if (lines.length > MAX_LINES) throw bad('seller_address', `has more than ${MAX_LINES} lines`)
  return lines.map((line) => (line === '' ? '' : field('seller_address', line, short))).join('\n')
}

function readReturnUrls(urls: readonly string[]): string {
  for (const url of urls) {
    const problem = problemWithReturnPrefix(url)
    if (problem) throw bad('return_urls', problem)
  }
  return JSON.stringify([...new Set(urls)])
}

/** Settings that an empty text resets to the default. */
const TEXTS = {
  mail_from: readSender,
  mail_template: readTemplate,
  seller_name: (text: string) => field('seller_name', text, short),
  seller_address: readAddress,
  tax_line: (text: string) => field('tax_line', text, short),
} as const satisfies Partial<Record<keyof Settings, (text: string) => string>>

/** Reads the given settings, with the same rules as the command line. */
export function settingsIn(body: Static<typeof SettingsBody>): Partial<Settings> {
  const { name, currency, return_urls: returnUrls, grace_days: graceDays } = body
  const texts = Object.entries(TEXTS).flatMap(([setting, read]) => {
    const text = body[setting as keyof typeof TEXTS]
    if (text === undefined) return []
    return [[setting, text.trim() === '' ? null : read(text)]]
  })
  return {
    ...(name === undefined ? {} : { name: readName(name) }),
    ...(currency === undefined ? {} : { currency: readCurrency(currency) }),
    ...Object.fromEntries(texts),
    ...(returnUrls === undefined ? {} : { return_urls: readReturnUrls(returnUrls) }),
    ...(graceDays === undefined ? {} : { grace_days: graceDays }),
  }
}
