import { FOREVER, type Seconds } from '../../../db/tables.ts'
import { LAST_SECOND } from '../../../fields.ts'
import { type LocalTime, ZonedTime } from './zoned-time.ts'

/** The first part of a date like 05/06/2026: the day or the month. Dates with dots always begin with the day. */
export type DateOrder = 'dmy' | 'mdy'

/** Words for access that never ends, in the languages of the recognised column names. */
const FOREVER_WORDS = new Set(
  [
    'lifetime, for life, life, forever, never, unlimited, no end, no end date, none, permanent, infinite, indefinite',
    'lebenslang, unbegrenzt, unbefristet, nie, ewig, dauerhaft, kein ende, ohne ende',
    'à vie, a vie, illimité, illimite, jamais, de por vida, ilimitado, nunca, sin fin',
    'a vita, illimitato, mai, levenslang, onbeperkt, nooit, ∞, -, –, —',
  ].flatMap((line) => line.split(', ')),
)

const TIME = String.raw`(?:[T,\s]\s*(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?:\s*([ap])\.?m\.?)?)?`
const OFFSET = String.raw`(?:\s*(Z|[+-]\d{2}:?\d{2}))?`
const YEAR_FIRST = new RegExp(String.raw`^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})${TIME}${OFFSET}$`, 'i')
const YEAR_LAST = new RegExp(
  String.raw`^(\d{1,2})([-/.])\s?(\d{1,2})\2\s?(\d{4}|\d{2})${TIME}${OFFSET}$`,
  'i',
)

interface Written extends LocalTime {
  /** Whether a time was written that is not midnight, which spreadsheets add to plain dates. */
  hasTime: boolean
  /** `Z`, `+01:00` or undefined. */
  offset: string | undefined
}

/** Longer than any date. */
const MAX_DATE = 100

/** Returns no text at all for one that is too long for a date, without a look at it. */
const ifShort = (text: string): string => (text.length > MAX_DATE ? '' : text.trim())

/** The order that a date can only have, `either` if it can have both, or undefined if it doesn't depend on the order. */
export function orderOf(text: string): DateOrder | 'either' | undefined {
  const match = YEAR_LAST.exec(ifShort(text))
  if (!match || match[2] === '.') return undefined
  const [first, second] = [Number(match[1]), Number(match[3])]
  if (first > 12) return 'dmy'
  return second > 12 ? 'mdy' : 'either'
}

/** Whether a text has the form of a date. */
export const looksLikeDate = (text: string): boolean =>
  YEAR_FIRST.test(ifShort(text)) || YEAR_LAST.test(ifShort(text))

function readParts(text: string, order: DateOrder | undefined): Written | string | undefined {
  const byYear = YEAR_FIRST.exec(text)
  if (byYear) {
    const [, year, , month, day, ...rest] = byYear
    return withTime(Number(year), Number(month), Number(day), rest)
  }
  const match = YEAR_LAST.exec(text)
  if (!match) return undefined
  const [, first, separator, second, year = '', ...rest] = match
  if (separator !== '.' && order === undefined) {
    return `choose whether ${text} begins with the day or with the month`
  }
  const isDayFirst = separator === '.' || order === 'dmy'
  const [day, month] = isDayFirst ? [first, second] : [second, first]
  const full = year.length === 2 ? 2000 + Number(year) : Number(year)
  return withTime(full, Number(month), Number(day), rest)
}

function withTime(
  year: number,
  month: number,
  day: number,
  [hours = '0', minutes = '0', seconds = '0', half, offset]: readonly (string | undefined)[],
): Written | undefined {
  let hour = Number(hours)
  if (half !== undefined) hour = (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  const [minute, second] = [Number(minutes), Number(seconds)]
  const date = new Date(Date.UTC(year, month - 1, day))
  const isDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  if (!isDay || hour > 23 || minute > 59 || second > 59) return undefined
  const hasTime = hour + minute + second > 0
  return { year, month, day, hour, minute, second, hasTime, offset }
}

const notDate = (text: string) => `“${text.slice(0, 40)}” is not a date like 2026-12-31`

const MAX_KEPT = 10_000

/** Reads and writes the ends of access as people write them, in one time zone. */
export class EndDates {
  readonly zone: ZonedTime
  readonly #order: DateOrder | undefined
  readonly #read = new Map<string, { value: Seconds } | string>()

  constructor(timeZone: string, order?: DateOrder) {
    this.zone = new ZonedTime(timeZone)
    this.#order = order
  }

  /** A date means until the end of that day. Nothing, or a word like `for life`, means no end. */
  read(text: string): { value: Seconds } | string {
    if (text.length > MAX_DATE) return notDate(text)
    const known = this.#read.get(text)
    if (known !== undefined) return known
    const result = this.#parse(text.trim())
    if (this.#read.size >= MAX_KEPT) this.#read.clear()
    this.#read.set(text, result)
    return result
  }

  #parse(text: string): { value: Seconds } | string {
    if (text === '' || FOREVER_WORDS.has(text.toLowerCase())) return { value: FOREVER }
    const parts = readParts(text, this.#order)
    if (typeof parts === 'string') return parts
    if (parts === undefined) return notDate(text)
    const value = this.#secondsOf(parts)
    if (value < 0 || value > LAST_SECOND) return 'must be a date from 1970 to 9999'
    return { value }
  }

  #secondsOf({ hasTime, offset, ...parts }: Written): Seconds {
    if (offset !== undefined) {
      const { year, month, day, hour, minute, second } = parts
      return Date.UTC(year, month - 1, day, hour, minute, second) / 1000 - offsetSeconds(offset)
    }
    const end = hasTime ? {} : { hour: 23, minute: 59, second: 59 }
    return this.zone.toSeconds({ ...parts, ...end })
  }

  /** Writes an end so that `read` returns it again: a date alone for the end of a day, and with the time otherwise. Returns
   * nothing for access without an end. */
  write(ends: Seconds): string {
    if (ends === FOREVER) return ''
    const local = this.zone.format(ends)
    const candidates = [local.slice(0, 10), local, `${local} ${this.zone.formatOffset(ends)}`]
    const exact = candidates.find((text) => {
      const result = this.read(text)
      return typeof result !== 'string' && result.value === ends
    })
    return exact ?? (candidates[2] as string)
  }
}

function offsetSeconds(offset: string): Seconds {
  if (offset.toUpperCase() === 'Z') return 0
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(offset) as string[]
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60)
}
