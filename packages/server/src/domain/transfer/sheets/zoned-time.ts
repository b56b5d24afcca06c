import type { Seconds } from '../../../db/tables.ts'

/** A day and a time on the clocks of some time zone. */
export interface LocalTime {
  year: number
  /** 1 to 12. */
  month: number
  day: number
  hour: number
  minute: number
  second: number
}

/** No time zone changes its offset more often. */
const BLOCK_MS = 15 * 60 * 1000
const MAX_BLOCKS = 20_000
const DAY_MS = 86_400_000

/** Converts between seconds and the clocks of one time zone. Offsets are kept, because asking `Intl` for each of a million
 * times would take most of the time of an export. */
export class ZonedTime {
  readonly #format: Intl.DateTimeFormat
  readonly #offsets = new Map<number, number>()

  constructor(timeZone: string) {
    this.#format = new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', {
      ...{ timeZone, hourCycle: 'h23', era: 'short' },
      ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
      ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
    })
  }

  /** How far the zone's clocks are ahead of UTC, in milliseconds. */
  #offsetAt(ms: number): number {
    const block = Math.floor(ms / BLOCK_MS)
    const known = this.#offsets.get(block)
    if (known !== undefined) return known
    if (this.#offsets.size >= MAX_BLOCKS) this.#offsets.clear()
    const at = block * BLOCK_MS
    const part: Record<string, number> = {}
    for (const { type, value } of this.#format.formatToParts(at)) part[type] = Number(value)
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part
    const offset = Date.UTC(year, month - 1, day, hour, minute, second) - at
    this.#offsets.set(block, offset)
    return offset
  }

  /** Formats as `2026-12-31 23:59:59`. */
  format(at: Seconds): string {
    const ms = at * 1000
    return new Date(ms + this.#offsetAt(ms)).toISOString().slice(0, 19).replace('T', ' ')
  }

  /** Formats the offset at a time as `+01:00`. */
  formatOffset(at: Seconds): string {
    const minutes = Math.round(this.#offsetAt(at * 1000) / 60_000)
    const two = (value: number) => String(Math.trunc(value)).padStart(2, '0')
    const size = Math.abs(minutes)
    return `${minutes < 0 ? '-' : '+'}${two(size / 60)}:${two(size % 60)}`
  }

  /** The time at which the zone's clocks show this. Of two such times, the later one; of none, because the clocks were put
   * forward, the one that they would have shown. */
  toSeconds({ year, month, day, hour, minute, second }: LocalTime): Seconds {
    const local = Date.UTC(year, month - 1, day, hour, minute, second)
    const candidates = [local - DAY_MS, local + DAY_MS].map((near) => local - this.#offsetAt(near))
    const exact = candidates.filter((ms) => ms + this.#offsetAt(ms) === local)
    return Math.floor((exact.length > 0 ? Math.max(...exact) : (candidates[0] as number)) / 1000)
  }
}
