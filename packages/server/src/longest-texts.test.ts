import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseMajor } from './domain/apps/currency.ts'
import { imageFormatOf } from './domain/images/sniff.js'
import { sender } from './domain/mail/sender.ts'
import { MAX_TEMPLATE, problemsWithTemplate } from './domain/mail/template.ts'
import { MAX_LISTED, readGrantRow } from './domain/transfer/columns.ts'
import { unsealFormulas } from './domain/transfer/formulas.ts'
import { EndDates, orderOf } from './domain/transfer/sheets/dates.ts'
import { RowReader } from './domain/transfer/sheets/read-row.ts'
import { ResourceNameIndex } from './domain/transfer/sheets/resources.ts'
import {
  firstRows,
  HEAD_BYTES,
  MAX_CELL,
  MAX_LIST_CELL,
  MAX_ROW,
  recognizeDelimiter,
} from './domain/transfer/sheets/rows.ts'
import type { SheetSettings } from './domain/transfer/sheets/settings.ts'
import {
  COLUMN_TARGETS,
  completeTargets,
  looksLikeHeader,
  recognizeTargets,
} from './domain/transfer/sheets/targets.ts'
import { email } from './domain/users/email.ts'
import * as fields from './fields.ts'
import { isOneClick, MAX_BODY as MAX_UNSUBSCRIBE } from './http/dashboard/staff/unsubscribe.ts'
import { parseOrigin } from './http/pages/form.ts'
import { hostNameIn } from './http/plain-http.ts'
import { MAX_REQUEST } from './http/r2/r2.ts'
import { withoutAddresses } from './logging/addresses.ts'
import { MAX_STACK } from './logging/logger.ts'
import { parseForm } from './parameters.ts'
import { isCanonical } from './signing/canonical.ts'
import { linkDigest } from './signing/links.ts'
import { halfPairs, repeatedUpTo, repetitions } from './testing/hostile/arbitraries.ts'
import { PIECES } from './testing/hostile/pieces.ts'
import { leastProcessorMs } from './testing/hostile/processor-time.ts'

const MAX_MS = 50

const resources = new ResourceNameIndex([
  { rid: 'a', name: 'Twin (x' },
  { rid: 'b', name: 'twin (x' },
])
const settings: SheetSettings = {
  ...{ encoding: 'utf-8' as const, delimiter: 'comma' as const, hasHeader: true },
  ...{ targets: COLUMN_TARGETS, dateOrder: 'dmy' as const, rid: undefined, until: undefined },
}
const rows = new RowReader(settings, resources, 'Europe/Berlin')

/** Reads long cells of a row, which is limited in bytes. */
function readRow(text: string): void {
  const cell = Buffer.from(text)
    .subarray(0, MAX_ROW / 3)
    .toString()
  tried(() => readGrantRow(['rid', 'email', 'tags'], [cell, cell, cell]))
}

/** Makes a cell of an export that lists as many texts as it may, as long as all of them fit. */
function listOf(text: string): string {
  const escaped = JSON.stringify(text).length / text.length
  const each = Math.floor((MAX_LIST_CELL / MAX_LISTED - '"",'.length) / escaped)
  const parts = Array.from({ length: MAX_LISTED }, (_, n) => text.slice(n * each, (n + 1) * each))
  return JSON.stringify(parts.map((part) => part || 'a'))
}

const LISTS = ['user_refs', 'aliases', 'former_addresses']

const readLists = (cell: string) =>
  tried(() =>
    readGrantRow(['rid', 'email', ...LISTS], ['news', 'a@b.co', ...LISTS.map(() => cell)]),
  )

/** Calls it although it may refuse the text. */
const tried = (work: () => unknown) => {
  try {
    return work()
  } catch {
    return undefined
  }
}

type Reader = readonly [
  name: string,
  longest: number,
  read: (text: string) => unknown,
  /** What is read, made of the text. */
  make?: (text: string) => string,
]

const isField = (one: unknown): one is fields.Field<unknown> =>
  typeof one === 'object' && one !== null && 'read' in one
const allFields = Object.entries({ ...fields, email, sender }).flatMap(([name, one]) =>
  isField(one) ? [[name, one] as const] : [],
)

/** Everything that reads what strangers wrote, with the longest text that can reach it. */
const READERS: readonly Reader[] = [
  ...allFields.map(([name, field]) => [`the field ${name}`, MAX_REQUEST, field.read] as const),
  ['a form', MAX_REQUEST, (text) => tried(() => parseForm(text))],
  ['a request line', MAX_REQUEST, (text) => isCanonical(`/r2/${text}`)],
  ['a host', MAX_REQUEST, hostNameIn],
  ['an origin', MAX_REQUEST, (text) => parseOrigin(`https://${text}`)],
  ['a path of a purchase link', MAX_REQUEST, (text) => linkDigest(`/checkout/${text}`)],
  ['an amount', MAX_REQUEST, (text) => parseMajor(text, 'EUR')],
  ['a template', MAX_TEMPLATE, (text) => problemsWithTemplate(text)],
  [
    'the subject of a template',
    MAX_TEMPLATE - 'Subject:'.length,
    (text) => problemsWithTemplate(`Subject:${text}`),
  ],
  ['a row of a sheet', MAX_CELL, (text) => tried(() => rows.read(COLUMN_TARGETS.map(() => text)))],
  ['a row of an export', MAX_LIST_CELL, readRow],
  ['the lists in a row of an export', MAX_LIST_CELL, readLists, listOf],
  ['the name of a resource', MAX_CELL, (text) => resources.read(text)],
  ['a date', MAX_LIST_CELL, (text) => [orderOf(text), new EndDates('Europe/Berlin').read(text)]],
  ['a first row', HEAD_BYTES, (text) => [looksLikeHeader([text]), recognizeTargets([text])]],
  ['a column', HEAD_BYTES, (text) => completeTargets([null], [[text], [text]])],
  ['a sealed formula', MAX_CELL, unsealFormulas],
  ['the beginning of a sheet', HEAD_BYTES, (text) => firstRows(text, recognizeDelimiter(text))],
  ['an image', MAX_REQUEST, (text) => imageFormatOf(Buffer.from(text))],
  ['a request to unsubscribe', MAX_UNSUBSCRIBE, isOneClick],
  ['a line of the log', MAX_STACK, withoutAddresses],
]

/** Each piece is tried in each run, besides random ones. */
const examples: [Parameters<typeof repeatedUpTo>[1]][] = PIECES.map((piece) => [
  { start: 'a', piece, end: '' },
])

describe('the longest text that can reach', () => {
  const readers = READERS.map(
    ([name, most, read, make = (text: string) => text]) => [name, most, read, make] as const,
  )
  it.each(readers)(
    '%s takes less than 50 ms of a processor, whatever is in it',
    (_, most, read, make) => {
      const property = fc.property(repetitions, (parts) => {
        const text = make(repeatedUpTo(most, parts))
        expect(leastProcessorMs(() => read(text), MAX_MS)).toBeLessThan(MAX_MS)
      })
      fc.assert(property, { examples, numRuns: examples.length + 60, endOnFailure: true })
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
