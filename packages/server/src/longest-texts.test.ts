import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseMajor } from './domain/apps/currency.ts'
import { imageFormatOf } from './domain/images/sniff.js'
import { sender } from './domain/mail/sender.ts'
import { problemsWithTemplate } from './domain/mail/template.ts'
import { readGrantRow } from './domain/transfer/columns.ts'
import { unsealFormulas } from './domain/transfer/formulas.ts'
import { EndDates, orderOf } from './domain/transfer/sheets/dates.ts'
import { RowReader } from './domain/transfer/sheets/read-row.ts'
import { ResourceNameIndex } from './domain/transfer/sheets/resources.ts'
import { firstRows, recognizeDelimiter } from './domain/transfer/sheets/rows.ts'
import type { SheetSettings } from './domain/transfer/sheets/settings.ts'
import {
  COLUMN_TARGETS,
  completeTargets,
  looksLikeHeader,
  recognizeTargets,
} from './domain/transfer/sheets/targets.ts'
import { email } from './domain/users/email.ts'
import * as fields from './fields.ts'
import { isOneClick } from './http/dashboard/staff/unsubscribe.ts'
import { withoutAddresses } from './logging/addresses.ts'
import { parseForm } from './parameters.ts'
import { isCanonical } from './signing/canonical.ts'
import { halfPairs, repeatedUpTo, repetitions } from './testing/hostile/arbitraries.ts'
import { leastProcessorMs } from './testing/hostile/processor-time.ts'

const MAX_MS = 50

/** The longest body of JSON or of a form, the longest request line, the longest cell of a sheet and its head. */
const BODY = 64 * 1024
const LINE = 16 * 1024
const CELL = 32_768
const HEAD = 16 * 1024

const resources = new ResourceNameIndex([
  { rid: 'a', name: 'Twin (x' },
  { rid: 'b', name: 'twin (x' },
])
const settings: SheetSettings = {
  ...{ encoding: 'utf-8' as const, delimiter: 'comma' as const, hasHeader: true },
  ...{ targets: COLUMN_TARGETS, dateOrder: 'dmy' as const, rid: undefined, until: undefined },
}
const rows = new RowReader(settings, resources, 'Europe/Berlin')

/** Calls it although it may refuse the text. */
const tried = (work: () => unknown) => {
  try {
    return work()
  } catch {
    return undefined
  }
}

type Reader = readonly [name: string, longest: number, read: (text: string) => unknown]

const isField = (one: unknown): one is fields.Field<unknown> =>
  typeof one === 'object' && one !== null && 'read' in one
const allFields = Object.entries({ ...fields, email, sender }).flatMap(([name, one]) =>
  isField(one) ? [[name, one] as const] : [],
)

/** Everything that reads what strangers wrote, with the longest text that can reach it. */
const READERS: readonly Reader[] = [
  ...allFields.map(([name, field]) => [`the field ${name}`, BODY, field.read] as const),
  ['a form', BODY, (text) => tried(() => parseForm(text))],
  ['a request line', LINE, (text) => isCanonical(`/r2/${text}`)],
  ['an amount', BODY, (text) => parseMajor(text, 'EUR')],
  ['a template', 20_000, (text) => problemsWithTemplate(text)],
  ['the subject of a template', 19_990, (text) => problemsWithTemplate(`Subject:${text}`)],
  ['a row of a sheet', CELL, (text) => tried(() => rows.read(COLUMN_TARGETS.map(() => text)))],
  ['a row of an export', CELL, (text) => tried(() => readGrantRow(['rid', 'email'], [text, text]))],
  ['the name of a resource', CELL, (text) => resources.read(text)],
  ['a date', CELL, (text) => [orderOf(text), new EndDates('Europe/Berlin').read(text)]],
  ['a first row', CELL, (text) => [looksLikeHeader([text]), recognizeTargets([text])]],
  ['a column', CELL, (text) => completeTargets([null], [[text], [text]])],
  ['a sealed formula', CELL, unsealFormulas],
  ['the beginning of a sheet', HEAD, (text) => firstRows(text, recognizeDelimiter(text))],
  ['an image', BODY, (text) => imageFormatOf(Buffer.from(text))],
  ['a request to unsubscribe', 4 * 1024, isOneClick],
  ['a line of the log', 8_000, withoutAddresses],
]

describe('the longest text that can reach', () => {
  it.each(READERS)(
    '%s takes less than 50 ms of a processor, whatever is in it',
    (_, most, read) => {
      const property = fc.property(repetitions, (parts) => {
        const text = repeatedUpTo(most, parts)
        expect(leastProcessorMs(() => read(text), MAX_MS)).toBeLessThan(MAX_MS)
      })
      fc.assert(property, { numRuns: 60 })
    },
  )
})

describe('half a surrogate pair', () => {
  it.each(allFields)('is never taken by the field %s', (_, field) => {
    const property = fc.property(halfPairs, (text) => {
      expect(field.read(text)).toBeTypeOf('string')
    })
    fc.assert(property, { numRuns: 300 })
  })
})
