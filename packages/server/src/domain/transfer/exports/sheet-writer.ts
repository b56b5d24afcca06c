import { stringify } from 'csv-stringify/sync'
import { FOREVER, type Seconds } from '../../../db/tables.ts'
import { formatMajor } from '../../apps/currency.ts'
import { sealFormulas } from '../formulas.ts'
import { EndDates } from '../sheets/dates.ts'

/** How a spreadsheet expects its file: with semicolons where the comma is the decimal sign. */
export const SHEET_DELIMITERS = { comma: ',', semicolon: ';' } as const
export type SheetDelimiter = keyof typeof SHEET_DELIMITERS

/** A number is written as such; text is sealed, so that no formula runs. */
export type SheetCell = string | { number: string }

/** Writes the cells of a file that people open in a spreadsheet. */
export class SheetWriter {
  readonly #delimiter: SheetDelimiter
  readonly #dates: EndDates

  constructor(timeZone: string, delimiter: SheetDelimiter = 'comma') {
    this.#delimiter = delimiter
    this.#dates = new EndDates(timeZone)
  }

  /** The beginning of the file. Without the mark, Excel takes UTF-8 for the encoding of the country. */
  header(names: readonly string[]): string {
    return `\ufeff${this.rows([names])}`
  }

  rows(rows: readonly (readonly SheetCell[])[]): string {
    const texts = rows.map((row) =>
      row.map((cell) => (typeof cell === 'string' ? sealFormulas(cell) : cell.number)),
    )
    const delimiter = SHEET_DELIMITERS[this.#delimiter]
    return stringify(texts, { delimiter, quoted_match: /[\r\n;\t]/, record_delimiter: '\r\n' })
  }

  /** A time of day, as 2026-12-31 14:05; empty for none. */
  time(at: Seconds | null): string {
    return at === null ? '' : this.#dates.zone.format(at).slice(0, 16)
  }

  /** A day, as 2026-12-31; empty for none. */
  day(at: Seconds | null): string {
    return at === null ? '' : this.#dates.zone.format(at).slice(0, 10)
  }

  /** The end of access so that an import reads it again; empty for no end. */
  end(ends: Seconds | null): string {
    return this.#dates.write(ends ?? FOREVER)
  }

  /** An amount as a number, with a decimal comma where the semicolon separates cells. */
  amount(minor: number, currency: string): SheetCell {
    const text = `${minor < 0 ? '-' : ''}${formatMajor(Math.abs(minor), currency)}`
    return { number: this.#delimiter === 'semicolon' ? text.replace('.', ',') : text }
  }

  count(value: number): SheetCell {
    return { number: String(value) }
  }
}
