import { type TObject, type TSchema, Type } from 'typebox'
import { fail } from '../../errors.ts'
import { problemWithEmail } from '../../users/email.ts'

/** How a parameter is read from text, and how the contract describes it. One declaration serves both. */
interface Kind<T> {
  schema: TSchema
  /** The value, or what is wrong with the text. */
  read(text: string): { value: T } | string
}

interface Parameter<T> {
  kind: Kind<T>
  required: boolean
  fallback?: T
}

export const required = <T>(kind: Kind<T>): Parameter<T> => ({ kind, required: true })

export function optional<T>(kind: Kind<T>): Parameter<T | undefined>
export function optional<T>(kind: Kind<T>, fallback: T): Parameter<T>
export function optional<T>(kind: Kind<T>, fallback?: T): Parameter<T | undefined> {
  return { kind, required: false, ...(fallback === undefined ? {} : { fallback }) }
}

type Parameters = Readonly<Record<string, Parameter<unknown>>>
type Values<P extends Parameters> = {
  [K in keyof P]: P[K] extends Parameter<infer T> ? T : never
}

/** In characters as people count them, not in UTF-16 units. */
const isLonger = (text: string, most: number) => text.length > most && [...text].length > most

const CONTROL = /\p{Cc}/u
const CONTROL_BUT_LINE_BREAKS = /[^\P{Cc}\r\n]/u

function text(most: number, description: string): Kind<string> {
  return {
    schema: Type.String({ minLength: 1, maxLength: most, description }),
    read(value) {
      if (CONTROL.test(value)) return 'has a control character in it'
      return isLonger(value, most) ? `is longer than ${most} characters` : { value }
    },
  }
}

function refined(
  kind: Kind<string>,
  problemWith: (text: string) => string | undefined,
): Kind<string> {
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
export const email = refined(
  text(254, "The user's e-mail address; names the user within your application."),
  problemWithEmail,
)
export const personName = text(255, "Part of the user's name.")
export const tag = refined(text(100, 'A tag.'), (value) =>
  value.includes(',') ? 'has a comma in it' : undefined,
)

export const message: Kind<string> = {
  schema: Type.String({
    maxLength: 10_000,
    description: 'Shown in the notification, as plain text.',
  }),
  read(value) {
    if (CONTROL_BUT_LINE_BREAKS.test(value)) return 'has a control character in it'
    return isLonger(value, 10_000) ? 'is longer than 10000 characters' : { value }
  },
}

export const tags: Kind<string[]> = {
  schema: Type.String({ description: 'Tags with commas between them; replace the old ones.' }),
  read(value) {
    const list = value.split(',').map((one) => one.trim())
    for (const one of list) {
      if (one === '') return 'has an empty tag in it'
      const result = tag.read(one)
      if (typeof result === 'string') return `has a tag that ${result}`
    }
    return { value: [...new Set(list)] }
  },
}

export const flag: Kind<boolean> = {
  schema: Type.Boolean({ description: '`true`, `false`, `1` or `0`.' }),
  read(value) {
    const known = { true: true, '1': true, false: false, '0': false }[value.toLowerCase()]
    return known === undefined ? 'must be true or false' : { value: known }
  },
}

const INTEGER = /^-?\d+$/

function integer(least: number, most: number, described: string, tooLarge?: string): Kind<number> {
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

export const LAST_SECOND = 253_402_300_799
export const seconds = integer(
  0,
  LAST_SECOND,
  'A time in whole seconds since 1970.',
  `must be ${LAST_SECOND} or less: it is in seconds, not in milliseconds`,
)
export const page = integer(0, Number.MAX_SAFE_INTEGER, 'The page, counted from 0.')

export const LARGEST_PAGE = 1_000
export const pagesize: Kind<number> = {
  schema: Type.Integer({
    minimum: 1,
    description: `Records a page; more than ${LARGEST_PAGE} is lowered to that.`,
  }),
  read(value) {
    const result = integer(1, Number.POSITIVE_INFINITY, '').read(value)
    return typeof result === 'string' ? result : { value: Math.min(result.value, LARGEST_PAGE) }
  },
}

/** For the contract. */
export function schemaOf(parameters: Parameters): TObject {
  const properties = Object.entries(parameters).map(([name, { kind, required, fallback }]) => {
    const schema = fallback === undefined ? kind.schema : { ...kind.schema, default: fallback }
    return [name, required ? schema : Type.Optional(schema)]
  })
  return Type.Object(Object.fromEntries(properties))
}

const bad = (name: string, problem: string) => fail('invalid_parameter', `${name}: ${problem}.`)

/** Reads the declared parameters from the signed text; what isn't declared is ignored. */
export function readParameters<P extends Parameters>(parameters: P, encoded: string): Values<P> {
  const given = parseForm(encoded)
  const values: Record<string, unknown> = {}
  for (const [name, parameter] of Object.entries(parameters)) {
    const text = given.get(name)
    if (text === undefined || text === '') {
      if (parameter.required) throw bad(name, text === '' ? 'is empty' : 'is missing')
      values[name] = parameter.fallback
      continue
    }
    const result = parameter.kind.read(text)
    if (typeof result === 'string') throw bad(name, result)
    values[name] = result.value
  }
  return values as Values<P>
}

/** Form decoding, strict: every name once, no bad escape, no broken UTF-8. */
export function parseForm(encoded: string): Map<string, string> {
  const values = new Map<string, string>()
  for (const pair of encoded.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const rawName = equals === -1 ? pair : pair.slice(0, equals)
    const name = decode(rawName, 'The name of a parameter')
    if (CONTROL.test(name)) throw bad('The name of a parameter', 'has a control character in it')
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1), name)
    if (CONTROL_BUT_LINE_BREAKS.test(value)) throw bad(name, 'has a control character in it')
    if (values.has(name)) throw bad(name, 'is given twice')
    values.set(name, value)
  }
  return values
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const BAD_ESCAPE = /%(?![0-9A-Fa-f]{2})/
/** Plain ASCII without escapes stands for itself. */
const PLAIN = /^[!-$&-*,-~]*$/

function decode(encoded: string, name: string): string {
  if (PLAIN.test(encoded)) return encoded
  if (BAD_ESCAPE.test(encoded)) throw bad(name, 'has a % that is not followed by two hex digits')
  const bytes = encoded
    .replaceAll('+', ' ')
    .replace(/%([0-9A-Fa-f]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  try {
    return utf8.decode(Buffer.from(bytes, 'latin1'))
  } catch {
    throw bad(name, 'is not valid UTF-8')
  }
}
