import { type Html, html, join, NOTHING } from '../pages/html.ts'

/** The parts of a JSON schema that our contract uses. */
export interface Schema {
  $ref?: string
  type?: string
  description?: string
  enum?: readonly string[]
  anyOf?: readonly Schema[]
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  default?: string | number | boolean
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
}

export type Schemas = Readonly<Record<string, Schema>>

export const nameIn = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1)

/** Returns the names of all referenced records. */
export function recordsIn(schemas: readonly Schema[]): Set<string> {
  const names = schemas.flatMap(({ $ref, anyOf = [], items, properties = {} }) => [
    ...($ref === undefined ? [] : [nameIn($ref)]),
    ...recordsIn([...anyOf, ...(items ? [items] : []), ...Object.values(properties)]),
  ])
  return new Set(names)
}

/** Describes a type; a record is a link to its table. */
export function typeOf(schema: Schema): Html {
  if (schema.$ref !== undefined) {
    const name = nameIn(schema.$ref)
    return html`<a href="#record-${name}">${name}</a>`
  }
  if (schema.enum)
    return join(
      schema.enum.map((value) => html`<code>${value}</code>`),
      ', ',
    )
  if (schema.anyOf) return join(schema.anyOf.map(typeOf), ' or ')
  if (schema.items) return html`list of ${typeOf(schema.items)}`
  return html`${schema.type ?? 'any'}`
}

/** Describes the limits of a value. */
export function limitsOf(schema: Schema): Html {
  const { minLength = 0, maxLength, minimum, maximum = Number.MAX_SAFE_INTEGER } = schema
  if (maxLength !== undefined) {
    const from = minLength > 0 ? `${minLength} to ` : 'up to '
    return html`${from}${grouped(maxLength)} characters`
  }
  if (minimum === undefined) return NOTHING
  if (maximum >= Number.MAX_SAFE_INTEGER) return html`${minimum} or more`
  return html`${minimum} to ${maximum}`
}

const grouped = (value: number) => value.toLocaleString('en')

export const defaultOf = ({ default: value }: Schema): Html =>
  value === undefined ? NOTHING : html`<code>${String(value)}</code>`
