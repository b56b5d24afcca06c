import type { FastifyRequest } from 'fastify'
import type { Brand } from '../../domain/brand/brand.ts'
import { createFormats, DEFAULT_LOCALE, type Formats } from '../../domain/brand/formats.ts'

/** Longer ones than any browser sends are cut off. */
const MAX_HEADER = 300
const MAX_LANGUAGES = 10

/** Returns the locale that the reader prefers among those that we can format in: language, script and region. */
export function localeOf(acceptLanguage: string | undefined): string {
  const ranges = (acceptLanguage ?? '')
    .slice(0, MAX_HEADER)
    .split(',')
    .slice(0, MAX_LANGUAGES)
    .map(readRange)
    .filter((range) => range !== undefined)
    .toSorted((a, b) => b.quality - a.quality)
  return ranges[0]?.locale ?? DEFAULT_LOCALE
}

/** Reads `de-CH;q=0.8`. Returns undefined for a language that is unknown, malformed or refused. */
function readRange(text: string): { locale: string; quality: number } | undefined {
  const match = /^\s*([a-z]{2,3}(?:-[a-z\d]{1,8})*)\s*(?:;\s*q=([01](?:\.\d{0,3})?))?\s*$/i.exec(
    text,
  )
  const quality = Number(match?.[2] ?? 1)
  if (!match || quality <= 0) return undefined
  try {
    const { language, script, region } = new Intl.Locale(match[1] as string)
    const locale = [language, script, region].filter((part) => part !== undefined).join('-')
    const isKnown = Intl.NumberFormat.supportedLocalesOf(locale).length > 0
    return isKnown ? { locale, quality } : undefined
  } catch {
    return undefined
  }
}

/** How amounts and dates are written on a page: in the reader's locale, in the application's time zone. */
export const formatsFor = (
  { headers }: FastifyRequest,
  { timeZone }: Pick<Brand, 'timeZone'>,
): Formats => createFormats(timeZone, localeOf(headers['accept-language']))
