import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { type Failure, fail } from '../../errors.ts'

const wrong = (field: string, problem: string): Failure =>
  fail('invalid_parameter', field === '' ? `The body ${problem}.` : `${field}: ${problem}.`)

const NUL = '\u0000'

/** No valid input is nested deeper, and unlimited recursion could overflow the stack. */
const DEEPEST = 20

/** PostgreSQL can't store this character, and no text needs it. */
function requireNoNul(value: unknown, field: string, depth = 0): void {
  if (depth > DEEPEST) throw wrong(field, 'is nested too deeply')
  if (typeof value === 'string') {
    if (value.includes(NUL)) throw wrong(field, 'has a control character in it')
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, one] of Object.entries(value)) {
      requireNoNul(name, field, depth)
      requireNoNul(one, field === '' ? name : field, depth + 1)
    }
  }
}

/** Validates a value against a schema, or throws what is wrong. */
export type Reader = (value: unknown) => unknown

/** Compiles the schema on first use, so that startup does not wait for it. */
export function readerOf(schema: TSchema): Reader {
  let compiled: Validator | undefined
  return (value) => {
    requireNoNul(value, '')
    requireKnown(schema, value)
    compiled ??= Compile(schema)
    const full = compiled.Default(value)
    const [error] = compiled.Check(full) ? [] : compiled.Errors(full)
    if (error) throw wrong(fieldOf(error), problemOf(error))
    return full
  }
}

interface ObjectSchema {
  type?: string
  properties?: Record<string, PropertySchema>
}

interface PropertySchema {
  type?: string
  const?: unknown
  enum?: readonly unknown[]
  items?: PropertySchema
  anyOf?: readonly PropertySchema[]
}

const propertiesOf = (schema: TSchema) => (schema as ObjectSchema).properties

function requireKnown(schema: TSchema, value: unknown): void {
  const known = propertiesOf(schema)
  if (!known || typeof value !== 'object' || value === null) return
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(known, name))
  if (unknown !== undefined) throw wrong(unknown.slice(0, 100), 'is not known here')
}

function fieldOf(error: TLocalizedValidationError): string {
  const path = error.instancePath.slice(1).replaceAll('/', '.')
  if (error.keyword !== 'required') return path
  const missing = error.params.requiredProperties[0] ?? ''
  return path === '' ? missing : `${path}.${missing}`
}

function problemOf(error: TLocalizedValidationError): string {
  switch (error.keyword) {
    case 'required':
      return 'is missing'
    case 'minLength':
      return error.params.limit === 1
        ? 'is empty'
        : `must have ${error.params.limit} characters or more`
    case 'maxLength':
      return `is longer than ${error.params.limit} characters`
    case 'minimum':
      return `must be ${error.params.limit} or more`
    case 'maximum':
      return `must be ${error.params.limit} or less`
    case 'minItems':
      return `must have ${error.params.limit} entries or more`
    case 'maxItems':
      return `must have ${error.params.limit} entries or less`
    case 'additionalProperties':
      return 'has something in it that is not known here'
    case 'anyOf':
    case 'const':
    case 'enum':
      return 'is none of the values that it can have'
    case 'type':
      return TYPE_PROBLEMS[String(error.params.type)] ?? 'cannot be read'
    default:
      return 'cannot be read'
  }
}

const TYPE_PROBLEMS: Record<string, string> = {
  string: 'must be text',
  integer: 'must be a whole number',
  number: 'must be a number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
}

const NUMBER = /^-?\d{1,16}(\.\d{1,9})?$/
const FLAGS = new Map<string, boolean>([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

/** Converts text to the schema's type, or returns it unchanged if it does not fit. */
function fromText(schema: PropertySchema, text: string): unknown {
  const choices = [schema.const, ...(schema.enum ?? [])].filter((one) => one !== undefined)
  const chosen = choices.find((one) => String(one) === text)
  if (chosen !== undefined) return chosen
  if (schema.anyOf) {
    const read = schema.anyOf.map((one) => fromText(one, text))
    return read.find((one) => one !== text) ?? text
  }
  if (schema.type === 'integer' || schema.type === 'number') {
    return NUMBER.test(text) ? Number(text) : text
  }
  return schema.type === 'boolean' ? (FLAGS.get(text) ?? text) : text
}

/** Reads the query string. Only list parameters may be repeated. */
export function queryIn(request: FastifyRequest, schema: TSchema): Record<string, unknown> {
  const url = request.raw.url ?? ''
  const mark = url.indexOf('?')
  const pairs = mark === -1 ? [] : [...new URLSearchParams(url.slice(mark + 1))]
  const known = propertiesOf(schema) ?? {}
  const query: Record<string, unknown> = {}
  for (const [name, text] of pairs) {
    const own = Object.hasOwn(known, name) ? known[name] : undefined
    if (!own) throw wrong(name.slice(0, 100), 'is not known here')
    if (own.type === 'array') {
      query[name] = [...((query[name] as unknown[]) ?? []), fromText(own.items ?? {}, text)]
    } else if (name in query) {
      throw wrong(name, 'is given twice')
    } else {
      query[name] = fromText(own, text)
    }
  }
  return query
}

/** Parses the JSON body, which the content type parser keeps as bytes. */
export function jsonIn({ body }: FastifyRequest): unknown {
  if (!(body instanceof Buffer)) throw fail('invalid_request', 'The body is missing.')
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw fail('invalid_request', 'The body is not JSON.')
  }
}

export function requireSoundParams(params: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(params)) requireNoNul(text, name)
}
