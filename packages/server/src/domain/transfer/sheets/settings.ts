import type { DateOrder } from './dates.ts'
import type { Encoding } from './encoding.ts'
import type { Delimiter } from './rows.ts'
import type { Target } from './targets.ts'

/** How a spreadsheet's file is to be understood. */
export interface SheetSettings {
  encoding: Encoding
  delimiter: Delimiter
  /** Whether the first row names the columns. */
  hasHeader: boolean
  /** The kind of data in each column; null for columns to ignore. */
  targets: readonly (Target | null)[]
  /** How to read 05/06/2026; undefined as long as nobody has said so. */
  dateOrder: DateOrder | undefined
  /** The resource of all rows, for a file without a column that names it. */
  rid: string | undefined
  /** The end of access of all rows, for a file without a column for it. */
  until: string | undefined
}

/** The settings that somebody has chosen; the rest is recognized. */
export type ChosenSettings = { [K in keyof SheetSettings]?: SheetSettings[K] | undefined }
