import type { ManagementOperation } from '@gatehouse/sdk/management'
import { OPERATIONS } from '../../records/management/operations.ts'
import { RESPONSE_SCHEMAS, responseOf } from '../../records/management/responses.ts'

interface Schema {
  [keyword: string]: unknown
  type?: string
}

/** The protocol allows only objects, as schemas and as results. */
interface OutputSchema extends Schema {
  type: 'object'
}

/** Returns the schema of what an operation returns. A client refuses a result that differs, and the service may be newer
 * than this command: so values that are known today are examples. Descriptions would cost an assistant more to read
 * than they help. */
export function outputSchemaOf(operation: ManagementOperation): OutputSchema {
  const target = Object.keys(OPERATIONS).find((one) => OPERATIONS[one]?.[0] === operation) ?? ''
  const used = new Set<string>()
  const root = resolve((responseOf(target).json ?? {}) as Schema)
  const output = toOutput(loosen(root, used) as Schema)
  // The set grows while it is walked: schemas refer to further ones.
  const definitions: Record<string, unknown> = {}
  for (const name of used) definitions[name] = loosen(RESPONSE_SCHEMAS[name], used)
  return used.size === 0 ? output : { ...output, $defs: definitions }
}

/** Makes a result an object, as its schema says. */
export const toStructured = (result: unknown): Record<string, unknown> =>
  Array.isArray(result) ? { data: result } : (result as Record<string, unknown>)

function toOutput(schema: Schema): OutputSchema {
  if (schema.type !== 'array') return { ...schema, type: 'object' }
  return { type: 'object', properties: { data: schema }, required: ['data'] }
}

const nameIn = (reference: unknown) => String(reference).split('/').at(-1) ?? ''

const resolve = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : (RESPONSE_SCHEMAS[nameIn(schema.$ref)] as Schema)

/** Copies a schema, and notes the names of those that it refers to. */
function loosen(schema: unknown, used: Set<string>): unknown {
  if (Array.isArray(schema)) return schema.map((one) => loosen(one, used))
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).flatMap(([keyword, value]) =>
    loosenKeyword(keyword, value, used),
  )
  return Object.fromEntries(entries)
}

type Entry = [keyword: string, value: unknown]

function loosenKeyword(keyword: string, value: unknown, used: Set<string>): Entry[] {
  switch (keyword) {
    case 'description':
      return []
    case 'enum':
      return isTexts(value)
        ? [
            ['type', 'string'],
            ['examples', value],
          ]
        : [[keyword, value]]
    case '$ref':
      used.add(nameIn(value))
      return [[keyword, `#/$defs/${nameIn(value)}`]]
    case 'properties':
      // Their names may be those of keywords.
      return [[keyword, mapValues(value as object, (one) => loosen(one, used))]]
    default:
      return [[keyword, loosen(value, used)]]
  }
}

const isTexts = (values: unknown): values is string[] =>
  Array.isArray(values) && values.every((one) => typeof one === 'string')

const mapValues = (record: object, change: (value: unknown) => unknown) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))
