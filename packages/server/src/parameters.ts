import { type TObject, Type } from 'typebox'
import { type Failure, fail, invalid } from './errors.ts'
import { CONTROL, CONTROL_BUT_LINE_BREAKS, type Field, problems } from './fields.ts'

export interface Parameter<T> {
  field: Field<T>
  required: boolean
  /** Whether an empty value is refused, not counted as absent. */
  refusesEmpty?: true
  fallback?: T
}

export const required = <T>(field: Field<T>): Parameter<T> => ({ field, required: true })

export function optional<T>(field: Field<T>): Parameter<T | undefined>
export function optional<T>(field: Field<T>, fallback: T): Parameter<T>
export function optional<T>(field: Field<T>, fallback?: T): Parameter<T | undefined> {
  return { field, required: false, ...(fallback === undefined ? {} : { fallback }) }
}

/** An optional parameter without which more is shown, or access lasts longer. Empty, it is refused: the caller forgot to
 * set a variable. */
export const optionalNonEmpty = <T>(field: Field<T>): Parameter<T | undefined> => ({
  field,
  required: false,
  refusesEmpty: true,
})

export type Parameters = Readonly<Record<string, Parameter<unknown>>>
export type Values<P extends Parameters> = {
  [K in keyof P]: P[K] extends Parameter<infer T> ? T : never
}

/** Returns the JSON schema of the parameters, for the contract. */
export function schemaOf(parameters: Parameters): TObject {
  const properties = Object.entries(parameters).map(([name, { field, required, fallback }]) => {
    const schema = fallback === undefined ? field.schema : { ...field.schema, default: fallback }
    return [name, required ? schema : Type.Optional(schema)]
  })
  return Type.Object(Object.fromEntries(properties))
}

/** Reads the declared parameters from the signed text and ignores others. */
export function readParameters<P extends Parameters>(parameters: P, encoded: string): Values<P> {
  const given = parseForm(encoded)
  const values: Record<string, unknown> = {}
  for (const [name, parameter] of Object.entries(parameters)) {
    values[name] = readParameter(name, given.get(name), parameter)
  }
  return values as Values<P>
}

function readParameter<T>(
  name: string,
  text: string | undefined,
  { field, required, refusesEmpty, fallback }: Parameter<T>,
): T | undefined {
  if (text === undefined && required) throw invalid(name, problems.required)
  const isAbsent = text === undefined || (text === '' && !required && !refusesEmpty)
  return isAbsent ? fallback : readField(name, text, field)
}

/** Reads one value, or throws what is wrong with it. */
export function readField<T>(name: string, text: string, field: Pick<Field<T>, 'read'>): T {
  const result = text === '' ? problems.empty : field.read(text)
  if (typeof result === 'string') throw invalid(name, result)
  return result.value
}

/** Does the same for a filter, which may be missing. Empty, it would show everything. */
export const readFilter = <T>(
  name: string,
  text: string | undefined,
  field: Pick<Field<T>, 'read'>,
): T | undefined => (text === undefined ? undefined : readField(name, text, field))

/** Does the same for a value that may be missing or empty. */
export function readOptionalField<T>(
  name: string,
  text: string | undefined,
  field: Pick<Field<T>, 'read'>,
): T | undefined {
  return text === undefined || text === '' ? undefined : readField(name, text, field)
}

/** Returns the value of a parameter with two names: `expiration`, and `expires` as the records call it. Ignoring the
 * alias would silently grant access that never ends. */
export function valueOfAlias<T>(
  [name, value]: [name: string, value: T | undefined],
  [alias, aliasValue]: [name: string, value: T | undefined],
): T | undefined {
  if (value !== undefined && aliasValue !== undefined) {
    throw invalid(alias, `means the same as ${name}; send only one of them`)
  }
  return value ?? aliasValue
}

/** Strict form decoding: every name once, no bad escape, no invalid UTF-8. */
export function parseForm(encoded: string): Map<string, string> {
  const values = new Map<string, string>()
  for (const pair of encoded.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const rawName = equals === -1 ? pair : pair.slice(0, equals)
    const name = decodeForm(rawName, invalidName)
    if (CONTROL.test(name)) throw invalidName(problems.controlCharacter)
    const invalidValue = (problem: string) => invalid(name, problem)
    const value = equals === -1 ? '' : decodeForm(pair.slice(equals + 1), invalidValue)
    const unwanted = name === 'message' ? CONTROL_BUT_LINE_BREAKS : CONTROL
    if (unwanted.test(value)) throw invalidValue(problems.controlCharacter)
    if (values.has(name)) throw invalidValue(problems.repeated)
    values.set(name, value)
  }
  return values
}

/** The message leaves out the invalid name, which can't be decoded or has control characters. */
const invalidName = (problem: string) =>
  fail('invalid_parameter', `The name of a parameter is invalid: ${problem}.`)

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const BAD_ESCAPE = /%(?![0-9A-Fa-f]{2})/
/** Plain ASCII without escapes needs no decoding. */
const PLAIN = /^[!-$&-*,-~]*$/

/** Decodes one name or value of a form, and throws `failure` unless it is UTF-8. */
export function decodeForm(encoded: string, failure: (problem: string) => Failure): string {
  if (PLAIN.test(encoded)) return encoded
  if (BAD_ESCAPE.test(encoded)) throw failure(problems.badEscape)
  const bytes = encoded
    .replaceAll('+', ' ')
    .replace(/%([0-9A-Fa-f]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  try {
    return utf8.decode(Buffer.from(bytes, 'latin1'))
  } catch {
    throw failure(problems.notUtf8)
  }
}
