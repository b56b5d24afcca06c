import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { type Context, ENVIRONMENTS, type Environment } from '../../context.ts'
import { type Failure, fail, invalid } from '../../errors.ts'
import { flag, HALF_PAIR, problems } from '../../fields.ts'
import { decodeForm } from '../../parameters.ts'

/** An empty name stands for the body as a whole. */
const wrong = (field: string, problem: string): Failure =>
  field === ''
    ? fail('invalid_parameter', `The body is invalid: ${problem}.`)
    : invalid(field, problem)

const NUL = '\u0000'

/** No valid input is nested deeper, and unlimited recursion could overflow the stack. */
const DEEPEST = 20

/** PostgreSQL can't store NUL, no database stores half a surrogate pair, and no text needs them. */
function requireSoundText(value: unknown, field: string, depth = 0): void {
  if (depth > DEEPEST) throw wrong(field, 'nested too deeply')
  if (typeof value === 'string') {
    if (value.includes(NUL)) throw wrong(field, problems.controlCharacter)
    if (HALF_PAIR.test(value)) throw wrong(field, problems.halfPair)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, one] of Object.entries(value)) {
      requireSoundText(name, field, depth)
      requireSoundText(one, field === '' ? name : field, depth + 1)
    }
  }
}

/** Validates a value against a schema, or throws what is wrong. */
export type Reader = (value: unknown) => unknown

/** Compiles the schema on first use, so that startup does not wait for it. */
export function readerOf(schema: TSchema): Reader {
  let compiled: Validator | undefined
  return (value) => {
    requireSoundText(value, '')
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
  if (unknown !== undefined) throw wrong(unknown.slice(0, 100), problems.unknown)
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
      return problems.required
    case 'minLength':
      return error.params.limit === 1 ? problems.empty : problems.tooShort(error.params.limit)
    case 'maxLength':
      return problems.tooLong(error.params.limit)
    case 'minimum':
      return problems.tooSmall(Number(error.params.limit))
    case 'maximum':
      return problems.tooLarge(Number(error.params.limit))
    case 'minItems':
      return `must have at least ${error.params.limit} entries`
    case 'maxItems':
      return `must have at most ${error.params.limit} entries`
    case 'additionalProperties':
      return 'contains an unknown property'
    case 'anyOf':
    case 'const':
    case 'enum':
      return 'not one of the allowed values'
    case 'type':
      return TYPE_PROBLEMS[String(error.params.type)] ?? UNREADABLE
    default:
      return UNREADABLE
  }
}

const UNREADABLE = "can't be read"

const TYPE_PROBLEMS: Record<string, string> = {
  string: 'must be text',
  integer: problems.notWhole,
  number: 'must be a number',
  boolean: problems.notFlag,
  array: 'must be a list',
  object: 'must be an object',
}

const NUMBER = /^-?\d{1,16}(\.\d{1,9})?$/

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
  if (schema.type !== 'boolean') return text
  const result = flag.read(text)
  return typeof result === 'string' ? text : result.value
}

function decodePair(pair: string): [name: string, value: string] {
  const equals = pair.indexOf('=')
  const name = decodeForm(equals === -1 ? pair : pair.slice(0, equals), (problem) =>
    fail('invalid_parameter', `The name of a parameter is invalid: ${problem}.`),
  )
  const text = equals === -1 ? '' : pair.slice(equals + 1)
  return [name, decodeForm(text, (problem) => wrong(name.slice(0, 100), problem))]
}

/** Reads the query string. Only list parameters may be repeated. */
export function readQuery(request: FastifyRequest, schema: TSchema): Record<string, unknown> {
  const url = request.raw.url ?? ''
  const mark = url.indexOf('?')
  const pairs = mark === -1 ? [] : url.slice(mark + 1).split('&')
  const known = propertiesOf(schema) ?? {}
  const query: Record<string, unknown> = {}
  for (const pair of pairs) {
    if (pair === '') continue
    const [name, text] = decodePair(pair)
    const own = Object.hasOwn(known, name) ? known[name] : undefined
    if (!own) throw wrong(name.slice(0, 100), problems.unknown)
    if (own.type === 'array') {
      const list = (query[name] as unknown[] | undefined) ?? []
      list.push(fromText(own.items ?? {}, text))
      query[name] = list
    } else if (name in query) {
      throw wrong(name, problems.repeated)
    } else {
      query[name] = fromText(own, text)
    }
  }
  return query
}

/** Parses the JSON body, which the content type parser keeps as bytes. */
export function readJsonBody({ body }: FastifyRequest): unknown {
  if (!(body instanceof Buffer)) throw fail('invalid_request', 'The body is missing.')
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw fail('invalid_request', 'The body is not JSON.')
  }
}

/** Refuses a body that is not a file. */
export function requireFileBody({ headers }: FastifyRequest): void {
  if (headers['content-type'] === 'application/octet-stream') return
  throw fail('invalid_request', 'The body must be of type application/octet-stream.')
}

/** Returns the environment that a path names. */
export function environmentIn({ config, environments }: Context, params: Params): Environment {
  const name = ENVIRONMENTS.find((one) => one === params.environment)
  if (!name) throw fail('path_not_found')
  if (name === 'sandbox' && config.exposure.sandbox === 'off') throw fail('sandbox_off')
  return environments[name]
}

export type Params = Readonly<Record<string, string>>

export function requireSoundParams(params: Params): void {
  for (const [name, text] of Object.entries(params)) requireSoundText(text, name)
}
