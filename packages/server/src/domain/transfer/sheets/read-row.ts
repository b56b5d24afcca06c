import { FOREVER } from '../../../db/tables.ts'
import { type Failure, fail, type ParameterProblem } from '../../../errors.ts'
import { personName, problems, tags, userRef } from '../../../fields.ts'
import { email } from '../../users/email.ts'
import type { ImportRow } from '../columns.ts'
import { unsealFormulas } from '../formulas.ts'
import { EndDates } from './dates.ts'
import type { ResourceNameIndex } from './resources.ts'
import type { SheetSettings } from './settings.ts'
import { TARGET_LABELS, type Target } from './targets.ts'

/** White space, also the kinds that web pages and spreadsheets bring along. */
const SPACE = /^[\s\u200b\ufeff]$/

/** Removes white space around a value. A loop, because a pattern would try each space in the middle for the last one. */
function trimmed(cell: string): string {
  let start = 0
  let end = cell.length
  while (start < end && SPACE.test(cell.charAt(start))) start++
  while (end > start && SPACE.test(cell.charAt(end - 1))) end--
  return cell.slice(start, end)
}

type Read<T> = { value: T } | string

const readEmail = (text: string): Read<string> =>
  text === '' ? 'must not be empty' : email.read(text.replace(/^mailto:/i, ''))

/** Splits a full name at its last space, or at a comma with the last name first. */
function splitName(name: string): { first: string; last: string } {
  const comma = name.indexOf(',')
  if (comma >= 0) {
    return { first: name.slice(comma + 1).trim(), last: name.slice(0, comma).trim() }
  }
  const space = name.lastIndexOf(' ')
  if (space < 0) return { first: '', last: name }
  return { first: name.slice(0, space).trim(), last: name.slice(space + 1) }
}

/** Reads the rows of a spreadsheet as grants. */
export class RowReader {
  readonly #settings: SheetSettings
  readonly #resources: ResourceNameIndex
  readonly #dates: EndDates
  readonly #columnOf = new Map<Target, number>()

  constructor(settings: SheetSettings, resources: ResourceNameIndex, timeZone: string) {
    this.#settings = settings
    this.#resources = resources
    this.#dates = new EndDates(timeZone, settings.dateOrder)
    for (const [i, target] of settings.targets.entries()) {
      if (target !== null && !this.#columnOf.has(target)) this.#columnOf.set(target, i)
    }
  }

  /** The cell for a target as people see it; undefined without such a column. */
  cellOf(cells: readonly string[], target: Target): string | undefined {
    const column = this.#columnOf.get(target)
    return column === undefined ? undefined : unsealFormulas(trimmed(cells[column] ?? ''))
  }

  /** Reads a row. Throws everything that is wrong with it. */
  read(cells: readonly string[]): ImportRow {
    this.#requireWidth(cells)
    const wrong: ParameterProblem[] = []
    const take = <T>(target: Target, read: (text: string) => Read<T>): T | undefined => {
      const text = this.cellOf(cells, target)
      if (text === undefined) return undefined
      const result = read(text)
      if (typeof result !== 'string') return result.value
      wrong.push({ parameter: TARGET_LABELS[target], problem: result })
      return undefined
    }
    const optional =
      <T>(field: { read(text: string): Read<T> }) =>
      (text: string): Read<T | undefined> =>
        text === '' ? { value: undefined } : field.read(text)
    const row = {
      email: take('email', readEmail) ?? '',
      rid: take('resource', (text) => this.#readResource(text)) ?? this.#settings.rid ?? '',
      ends: this.#readEnd(cells, wrong),
      ...this.#readNames(cells, take, optional(personName)),
      tags: take('tags', optional(tags)),
      userRef: take('user_ref', optional(userRef)),
    }
    take('state', refuseRevoked)
    if (wrong.length > 0) throw refused(wrong)
    return row
  }

  #readResource(text: string): Read<string> {
    if (text !== '') return this.#resources.read(text)
    return this.#settings.rid === undefined ? problems.empty : { value: this.#settings.rid }
  }

  #readEnd(cells: readonly string[], wrong: ParameterProblem[]): number {
    const text = this.cellOf(cells, 'until') ?? this.#settings.until ?? ''
    const result = this.#dates.read(text)
    if (typeof result !== 'string') return result.value
    wrong.push({ parameter: TARGET_LABELS.until, problem: result })
    return FOREVER
  }

  #readNames(
    cells: readonly string[],
    take: (target: Target, read: (text: string) => Read<string | undefined>) => string | undefined,
    name: (text: string) => Read<string | undefined>,
  ): Pick<ImportRow, 'firstName' | 'lastName'> {
    const full = this.cellOf(cells, 'full_name')
    const parts = full === undefined || full === '' ? undefined : splitName(full)
    // The first and last name have their own columns in most files that also have one for both.
    const firstName = take('first_name', name)
    const lastName = take('last_name', name)
    if (!parts || firstName !== undefined || lastName !== undefined) return { firstName, lastName }
    return {
      firstName: take('full_name', () => name(parts.first)),
      lastName: take('full_name', () => name(parts.last)),
    }
  }

  /** Missing cells are not taken for empty ones: an end that nobody wrote would become access without an end. */
  #requireWidth(cells: readonly string[]): void {
    const { length } = this.#settings.targets
    const extra = cells.slice(length).some((cell) => trimmed(cell) !== '')
    if (cells.length >= length && !extra) return
    throw fail(
      'invalid_parameter',
      `The row has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}, but there are ${length} columns.`,
    )
  }
}

const refuseRevoked = (text: string): Read<undefined> =>
  text.toLowerCase() === 'revoked'
    ? 'the access was revoked; clear this cell to grant it again'
    : { value: undefined }

function refused(wrong: readonly ParameterProblem[]): Failure {
  return fail(
    'invalid_parameter',
    wrong.map(({ parameter, problem }) => `${parameter}: ${problem}`).join('; '),
  )
}
