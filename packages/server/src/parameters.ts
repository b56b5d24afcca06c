import { type TObject, Type } from 'typebox'
import { fail } from './errors.ts'
import { CONTROL, CONTROL_BUT_LINE_BREAKS, type Field } from './fields.ts'

export interface Parameter<T> {
  kind: Field<T>
  required: boolean
  fallback?: T
}

export const required = <T>(kind: Field<T>): Parameter<T> => ({ kind, required: true })

export function optional<T>(kind: Field<T>): Parameter<T | undefined>
export function optional<T>(kind: Field<T>, fallback: T): Parameter<T>
export function optional<T>(kind: Field<T>, fallback?: T): Parameter<T | undefined> {
  return { kind, required: false, ...(fallback === undefined ? {} : { fallback }) }
}

type Parameters = Readonly<Record<string, Parameter<unknown>>>
type Values<P extends Parameters> = {
  [K in keyof P]: P[K] extends Parameter<infer T> ? T : never
}

/** Returns the JSON schema of the parameters, for the contract. */
export function schemaOf(parameters: Parameters): TObject {
  const properties = Object.entries(parameters).map(([name, { kind, required, fallback }]) => {
    const schema = fallback === undefined ? kind.schema : { ...kind.schema, default: fallback }
    return [name, required ? schema : Type.Optional(schema)]
  })
  return Type.Object(Object.fromEntries(properties))
}

const bad = (name: string, problem: string) => fail('invalid_parameter', `${name}: ${problem}.`)

/** Reads the declared parameters from the signed text and ignores others. */
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

/** Returns the value of a parameter with two names: `expiration`, and `expires` as the records call it. Ignoring the
 * alias would silently grant access that never ends. */
export function valueOfAlias<T>(
  [name, value]: [name: string, value: T | undefined],
  [alias, aliasValue]: [name: string, value: T | undefined],
): T | undefined {
  if (value !== undefined && aliasValue !== undefined) {
    throw bad(alias, `means the same as ${name}: give one of them`)
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
    const name = decode(rawName, 'The name of a parameter')
    if (CONTROL.test(name)) throw bad('The name of a parameter', 'has a control character in it')
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1), name)
    const unwanted = name === 'message' ? CONTROL_BUT_LINE_BREAKS : CONTROL
    if (unwanted.test(value)) throw bad(name, 'has a control character in it')
    if (values.has(name)) throw bad(name, 'is given twice')
    values.set(name, value)
  }
  return values
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const BAD_ESCAPE = /%(?![0-9A-Fa-f]{2})/
/** Plain ASCII without escapes needs no decoding. */
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
