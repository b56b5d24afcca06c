import { FOREVER } from '../../db/tables.ts'
import {
  id as anyId,
  personName,
  problems,
  refined,
  rid,
  seconds,
  tags,
  userRef,
} from '../../fields.ts'
import type { Grant } from '../access/grants/input.ts'
import { currencyField } from '../apps/currency-field.ts'
import { email } from '../users/email.ts'
import { type CellReader, type Layout, problemWithNames, readCells } from './layout.ts'

const id = refined(anyId, (value) =>
  /^[A-Za-z0-9_-]+$/.test(value) ? undefined : 'must contain only letters, digits, _ and -',
)

const MIN_UID = 10
const uid = refined(id, (value) =>
  value.length < MIN_UID ? problems.tooShort(MIN_UID) : undefined,
)

export const MAX_LISTED = 1_000

/** Reads a JSON array of texts, each of which `field` reads. */
const listOf = (
  what: 'reference' | 'address',
  field: CellReader<string>,
): CellReader<string[]> => ({
  read(value) {
    const wanted = 'must be a JSON array of strings, like ["a","b"]'
    let list: unknown
    try {
      list = JSON.parse(value)
    } catch {
      return wanted
    }
    if (!Array.isArray(list)) return wanted
    if (list.length > MAX_LISTED) return `must have at most ${MAX_LISTED} entries`
    for (const one of list) {
      if (typeof one !== 'string' || one === '') return wanted
      const result = field.read(one)
      if (typeof result === 'string') return `each ${what}: ${result}`
    }
    return { value: list }
  },
})

const references = listOf('reference', userRef)

/** Amounts come only from recorded payments, never from a file. */
const readAmount = (value: string) =>
  /^0+(\.0+)?$/.test(value)
    ? { value: 0 }
    : "must be 0 or empty; payments that were made elsewhere can't be imported"

/** The columns of the file in export order, and how each is parsed. */
const columns = {
  id,
  uid,
  rid,
  email,
  user_ref: userRef,
  /** The user's other references. */
  user_refs: references,
  first_name: personName,
  last_name: personName,
  created: seconds,
  /** Empty for access without an end date. */
  expires: seconds,
  tags,
  amount: { read: readAmount },
  currency: currencyField,
  /** Uids and references of users who were merged into this one. */
  aliases: references,
  /** Email addresses of users who were merged into this one. */
  former_addresses: listOf('address', email),
} satisfies Record<string, CellReader<unknown>>

type Column = keyof typeof columns
type Values = { [K in Column]?: (typeof columns)[K] extends CellReader<infer T> ? T : never }

export const COLUMNS = Object.keys(columns) as readonly Column[]
const layout: Layout = { columns, required: ['rid', 'email'] }

/** Describes the problem with the column names; undefined if there is none. */
export const problemWithHeader = (names: readonly string[]) => problemWithNames(names, layout)

export type ImportRow = Omit<Grant, 'aid' | 'actor' | 'notify'>

/** Parses a row. Throws everything that is wrong with it. */
export function readGrantRow(header: readonly string[], cells: readonly string[]): ImportRow {
  const values: Values = readCells(layout, header, cells)
  const { id, uid, created, user_refs: otherRefs, aliases } = values
  const { former_addresses: formerAddresses } = values
  return {
    rid: values.rid as string,
    email: values.email as string,
    userRef: values.user_ref,
    ends: values.expires ?? FOREVER,
    firstName: values.first_name,
    lastName: values.last_name,
    tags: values.tags,
    preserve: {
      ...(id === undefined ? {} : { id }),
      ...(uid === undefined ? {} : { uid }),
      ...(created === undefined ? {} : { created }),
      ...(otherRefs === undefined ? {} : { otherRefs }),
      ...(aliases === undefined ? {} : { aliases }),
      ...(formerAddresses === undefined ? {} : { formerAddresses }),
    },
  }
}
