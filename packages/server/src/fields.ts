import { type TSchema, Type } from 'typebox'

/** How a value is parsed from text, at every entry point, and how the API contract describes it. One declaration serves
 * both. */
export interface Field<T> {
  schema: TSchema
  /** Returns the value, or what is wrong with the text. */
  read(text: string): { value: T } | string
}

/** The same field with a description for one place where it is used. */
export const described = <T>(description: string, kind: Field<T>): Field<T> => ({
  ...kind,
  schema: { ...kind.schema, description },
})

/** Counts characters (code points), not UTF-16 units. */
const isLonger = (text: string, most: number) => text.length > most && [...text].length > most

export const CONTROL = /\p{Cc}/u
export const CONTROL_BUT_LINE_BREAKS = /[^\P{Cc}\r\n]/u

export function text(most: number, description: string): Field<string> {
  return {
    schema: Type.String({ minLength: 1, maxLength: most, description }),
    read(value) {
      if (CONTROL.test(value)) return 'has a control character in it'
      return isLonger(value, most) ? `is longer than ${most} characters` : { value }
    },
  }
}

export function refined(
  kind: Field<string>,
  problemWith: (text: string) => string | undefined,
): Field<string> {
  return {
    schema: kind.schema,
    read(value) {
      const result = kind.read(value)
      return typeof result === 'string' ? result : (problemWith(value) ?? result)
    },
  }
}

export const rid = refined(text(255, 'The resource.'), (value) =>
  /\s/u.test(value) ? 'has white space in it' : undefined,
)
export const userRef = text(255, 'Your own name for the user: unique, and the same every time.')
export const personName = text(255, "Part of the user's name.")
export const tag = refined(text(100, 'A tag.'), (value) =>
  value.includes(',') ? 'has a comma in it' : undefined,
)

export const message: Field<string> = {
  schema: Type.String({
    maxLength: 10_000,
    description: 'Shown in the notification, as plain text.',
  }),
  read(value) {
    if (CONTROL_BUT_LINE_BREAKS.test(value)) return 'has a control character in it'
    return isLonger(value, 10_000) ? 'is longer than 10000 characters' : { value }
  },
}

const MAX_TAGS = 100

export const tags: Field<string[]> = {
  schema: Type.String({
    description: `Up to ${MAX_TAGS} tags of 1 to 100 characters, with commas between them; they replace the old ones.`,
  }),
  read(value) {
    const list = value.split(',').map((one) => one.trim())
    if (list.length > MAX_TAGS) return `has more than ${MAX_TAGS} tags`
    for (const one of list) {
      if (one === '') return 'has an empty tag in it'
      const result = tag.read(one)
      if (typeof result === 'string') return `has a tag that ${result}`
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
    return known === undefined ? 'must be true or false' : { value: known }
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
      if (!INTEGER.test(value)) return 'must be a whole number'
      const number = Number(value)
      if (number < least) return `must be ${least} or more`
      if (number > most) return tooLarge ?? `must be ${most} or less`
      return { value: number === 0 ? 0 : number }
    },
  }
}

const LAST_SECOND = 253_402_300_799
export const seconds = integer(
  0,
  LAST_SECOND,
  'A time in whole seconds since 1970.',
  `must be ${LAST_SECOND} or less: it is in seconds, not in milliseconds`,
)

/** A lifetime below 1 second parses: the domain module refuses it. */
export const lifetime: Field<number> = {
  schema: Type.Integer({
    minimum: 1,
    maximum: LAST_SECOND,
    description: 'How long it lives, in seconds.',
  }),
  read: integer(
    Number.NEGATIVE_INFINITY,
    LAST_SECOND,
    '',
    `must be ${LAST_SECOND} or less: it is in seconds, not in milliseconds`,
  ).read,
}

export const page = integer(0, Number.MAX_SAFE_INTEGER, 'The page, counted from 0.')

const MAX_PAGE = 1_000
export const pagesize: Field<number> = {
  schema: Type.Integer({
    minimum: 1,
    description: `Records a page; more than ${MAX_PAGE} is lowered to that.`,
  }),
  read(value) {
    const result = integer(1, Number.POSITIVE_INFINITY, '').read(value)
    return typeof result === 'string' ? result : { value: Math.min(result.value, MAX_PAGE) }
  },
}
