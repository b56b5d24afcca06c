import { type TSchema, Type } from 'typebox'
import { hasManyMarks } from './unicode.ts'

/** How a value is parsed from text, at every entry point, and how the API contract describes it. One declaration serves
 * both. */
export interface Field<T> {
  schema: TSchema
  /** Returns the value, or what is wrong with the text: a phrase that follows the field's name, as in `rid: must not
   * contain white space`. */
  read(text: string): { value: T } | string
}

/** The wording of problems that many fields share. */
export const problems = {
  required: 'required',
  empty: 'must not be empty',
  unknown: 'unknown parameter',
  repeated: 'must be given only once',
  controlCharacter: 'must not contain control characters',
  directionMark:
    'must not contain invisible characters that turn the direction of writing (such as U+202E); type the name again instead of pasting it',
  manyMarks:
    'must not have more than 10 accents or other marks on one letter; type the name again instead of pasting it',
  halfPair: 'must not contain half a surrogate pair',
  whiteSpace: 'must not contain white space',
  notUtf8: 'not valid UTF-8',
  badEscape: 'contains a % that is not followed by two hex digits',
  notFlag: 'must be true or false',
  notWhole: 'must be a whole number',
  tooShort: (least: number) => `must have at least ${least} characters`,
  tooLong: (most: number) => `must have at most ${most} characters`,
  tooSmall: (least: number) => `must be ${least} or more`,
  tooLarge: (most: number) => `must be ${most} or less`,
} as const

/** The same field with a description for one place where it is used. */
export const described = <T>(description: string, field: Field<T>): Field<T> => ({
  ...field,
  schema: { ...field.schema, description },
})

/** Counts characters (code points), not UTF-16 units. */
const isLonger = (text: string, most: number) => text.length > most && [...text].length > most

export const CONTROL = /\p{Cc}/u
export const CONTROL_BUT_LINE_BREAKS = /[^\P{Cc}\r\n]/u
/** No encoding of Unicode has it, so databases store another character in its place. Only JSON can have it. */
export const HALF_PAIR = /\p{Cs}/u

export function text(most: number, description: string): Field<string> {
  return {
    schema: Type.String({ minLength: 1, maxLength: most, description }),
    read(value) {
      if (CONTROL.test(value)) return problems.controlCharacter
      if (HALF_PAIR.test(value)) return problems.halfPair
      return isLonger(value, most) ? problems.tooLong(most) : { value }
    },
  }
}

/** Characters that are not seen and turn the direction of writing: with them, a name looks like another one. */
export const DIRECTION_MARK = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/** A name that is shown to other people. */
export const nameText = (most: number, description: string): Field<string> =>
  refined(text(most, description), (value) => {
    if (hasManyMarks(value)) return problems.manyMarks
    return DIRECTION_MARK.test(value) ? problems.directionMark : undefined
  })

export function refined(
  field: Field<string>,
  problemWith: (text: string) => string | undefined,
): Field<string> {
  return {
    schema: field.schema,
    read(value) {
      const result = field.read(value)
      return typeof result === 'string' ? result : (problemWith(value) ?? result)
    },
  }
}

/** A field that allows no white space. */
export const solid = (field: Field<string>): Field<string> =>
  refined(field, (value) => (/\s/u.test(value) ? problems.whiteSpace : undefined))

/** A field with a fixed set of values. */
export function oneOf<T extends string>(values: readonly T[]): Field<T> {
  return {
    schema: Type.Enum([...values]),
    read(text) {
      const value = values.find((one) => one === text)
      return value === undefined ? `must be ${values.join(' or ')}` : { value }
    },
  }
}

export const rid = solid(text(255, 'ID of the resource, as your site names it.'))
export const userRef = text(
  255,
  "Your own name for the user, or the user's `uid`, which is accepted in its place, for good.",
)
export const personName = nameText(255, "Part of the user's name.")
/** The name of an application, a resource or a download. */
export const title = nameText(255, 'A name to show to people.')
/** An id that the service made, such as that of a payment. */
export const id = text(64, 'An id.')
/** The caller's own name for a refund. */
export const reference = text(100, 'Your own name for the refund.')
/** The text of a search box. */
export const searchText = text(255, 'The text to search for.')
export const tag = refined(text(100, 'A tag of access records.'), (value) =>
  value.includes(',') ? 'must not contain a comma' : undefined,
)

const MAX_MESSAGE = 10_000

export const message: Field<string> = {
  schema: Type.String({
    maxLength: MAX_MESSAGE,
    description: 'Shown in the notification, as plain text.',
  }),
  read(value) {
    if (CONTROL_BUT_LINE_BREAKS.test(value)) return problems.controlCharacter
    if (HALF_PAIR.test(value)) return problems.halfPair
    return isLonger(value, MAX_MESSAGE) ? problems.tooLong(MAX_MESSAGE) : { value }
  },
}

const MAX_TAGS = 100

export const tags: Field<string[]> = {
  schema: Type.String({
    description: `Up to ${MAX_TAGS} tags of 1 to 100 characters, with commas between them; they replace the old ones.`,
  }),
  read(value) {
    const list = value.split(',').map((one) => one.trim())
    if (list.length > MAX_TAGS) return `must have at most ${MAX_TAGS} tags`
    for (const one of list) {
      const result = one === '' ? problems.empty : tag.read(one)
      if (typeof result === 'string') return `each tag ${result}`
    }
    return { value: [...new Set(list)] }
  },
}

const FLAGS = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

export const flag: Field<boolean> = {
  schema: Type.Boolean({ description: '`true`, `false`, `1` or `0`.' }),
  read(value) {
    const known = FLAGS.get(value.toLowerCase())
    return known === undefined ? problems.notFlag : { value: known }
  },
}

const INTEGER = /^-?\d+$/

export function integer(
  least: number,
  most: number,
  described: string,
  tooLarge?: string,
): Field<number> {
  return {
    schema: Type.Integer({ minimum: least, maximum: most, description: described }),
    read(value) {
      if (!INTEGER.test(value)) return problems.notWhole
      const number = Number(value)
      if (number < least) return problems.tooSmall(least)
      if (number > most) return tooLarge ?? problems.tooLarge(most)
      return { value: number === 0 ? 0 : number }
    },
  }
}

/** The latest time that the service can express: 9999-12-31T23:59:59Z. */
export const LAST_SECOND = 253_402_300_799
const NOT_SECONDS = `must be ${LAST_SECOND} or less; use seconds, not milliseconds`

export const seconds = integer(0, LAST_SECOND, 'A time in whole seconds since 1970.', NOT_SECONDS)

export const lifetime = integer(1, LAST_SECOND, 'The lifetime of the link in seconds.', NOT_SECONDS)

export const page = integer(0, Number.MAX_SAFE_INTEGER, 'Number of the page, counted from 0.')

const MAX_PAGE = 1_000
export const pagesize: Field<number> = {
  schema: Type.Integer({
    minimum: 1,
    description: `Records per page; more than ${MAX_PAGE.toLocaleString('en')} is lowered to ${MAX_PAGE.toLocaleString('en')}.`,
  }),
  read(value) {
    const result = integer(1, Number.POSITIVE_INFINITY, '').read(value)
    return typeof result === 'string' ? result : { value: Math.min(result.value, MAX_PAGE) }
  },
}
