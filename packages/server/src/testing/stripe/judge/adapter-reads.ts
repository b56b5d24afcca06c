import type { TSchema } from 'typebox'
import {
  Account,
  Deleted,
  Endpoint,
  NewEndpoint,
} from '../../../domain/payments/stripe/account-api.ts'
import { NEEDED_EVENTS } from '../../../domain/payments/stripe/events-needed.ts'
import * as schemas from '../../../domain/payments/stripe/schemas.ts'
import { alternativesOf, objectNamesIn, type Shape, type StripeTypes } from './shapes.ts'

/** The parts of a typebox schema that say which fields are read. */
interface ReadSchema {
  type?: string
  const?: string | number | boolean
  properties?: Record<string, ReadSchema>
  required?: readonly string[]
  anyOf?: readonly ReadSchema[]
  items?: ReadSchema
}

/** The routes whose answers, or items of a list, are read with a schema of the adapter. */
const ROUTES_READ: Record<string, string> = {
  Account: 'GET /v1/account',
  CheckoutSession: 'GET /v1/checkout/sessions/:id',
  Deleted: 'DELETE /v1/webhook_endpoints/:id',
  Dispute: 'GET /v1/disputes',
  Endpoint: 'GET /v1/webhook_endpoints',
  ExpiredCheckoutSession: 'POST /v1/checkout/sessions/:id/expire',
  Intent: 'GET /v1/payment_intents/:id',
  ListedCheckoutSession: 'GET /v1/checkout/sessions',
  Method: 'GET /v1/payment_methods/:id',
  NewCheckoutSession: 'POST /v1/checkout/sessions',
  NewEndpoint: 'POST /v1/webhook_endpoints',
  Refund: 'GET /v1/refunds',
}

/** What the adapter refuses although Stripe's types allow it, and why that is right. */
export const REFUSED_ON_PURPOSE: Record<string, string> = {
  'CheckoutSession.metadata': 'all our pages have metadata, so a page without is not ours',
  'CheckoutSession.setup_intent.metadata': 'all our pages have metadata',
  'CheckoutSession.status': 'only pages made by other means have none',
  'ExpiredCheckoutSession.status': 'a page that was expired has a status',
  'NewCheckoutSession.client_reference_id': 'we send it',
  'NewCheckoutSession.url': 'a new page on Stripe has a URL',
  'NewEndpoint.secret': 'a new endpoint has a secret',
  'Refund.status': 'nothing can be decided about a refund without a status',
}

export interface AdapterReads {
  /** The fields that are read, by the name of the object in Stripe's types. */
  reads: Map<string, Set<string>>
  problems: string[]
  /** The entries of `REFUSED_ON_PURPOSE` that were needed. */
  excused: Set<string>
}

/** All schemas that the adapter exports, by name. */
export function adapterSchemas(): Record<string, TSchema> {
  const all = Object.entries<unknown>({ ...schemas, Account, Deleted, Endpoint, NewEndpoint })
  const isSchema = (value: unknown): value is TSchema =>
    typeof value === 'object' && value !== null && 'properties' in value
  return Object.fromEntries(all.filter((one): one is [string, TSchema] => isSchema(one[1])))
}

/** Compares the fields that the adapter reads with Stripe's types. */
export function readsOfAdapter(
  types: StripeTypes,
  all: Record<string, object> = adapterSchemas(),
): AdapterReads {
  const result: AdapterReads = { reads: new Map(), problems: [], excused: new Set() }
  for (const [name, schema] of Object.entries(all)) {
    const shape = shapeRead(types, name)
    if (shape) walk(types, name === 'Event' ? aboutIn(schema) : schema, shape, name, result)
    else result.problems.push(`${name}: adapter-reads.ts doesn't say which answer it reads`)
  }
  return result
}

function shapeRead(types: StripeTypes, name: string): Shape | undefined {
  if (name === 'Event') return eventShape(types)
  const route = ROUTES_READ[name]
  const answer = route === undefined ? undefined : types.routes[route]?.answer
  const [object] = answer === undefined ? [] : objectNamesIn(answer)
  const items = types.objects[object ?? '']?.data?.shape
  return typeof items === 'object' && 'listOf' in items ? items.listOf : answer
}

/** The events that we need, as one object: the parts that are read are the same in all of them. */
function eventShape(types: StripeTypes): Shape | undefined {
  const shapes = NEEDED_EVENTS.map((type) => types.events[type])
  if (shapes.includes(undefined)) return undefined
  const objects = shapes.flatMap((shape) => objectNamesIn(shape as Shape))
  return { anyOf: objects.map((object) => ({ object })) }
}

/** The schema of what an event is about. */
const aboutIn = (event: ReadSchema): ReadSchema => event.properties?.data?.properties?.object ?? {}

function walk(
  types: StripeTypes,
  schema: ReadSchema,
  shape: Shape,
  path: string,
  result: AdapterReads,
): void {
  for (const one of schema.anyOf ?? []) walk(types, one, shape, path, result)
  if (schema.items) {
    for (const one of alternativesOf(shape)) {
      if (typeof one === 'object' && 'listOf' in one) {
        walk(types, schema.items, one.listOf, `${path}[]`, result)
      }
    }
  }
  for (const [field, inner] of Object.entries(schema.properties ?? {})) {
    walkField(
      types,
      { field, inner, isRequired: schema.required?.includes(field) === true },
      shape,
      path,
      result,
    )
  }
}

interface ReadField {
  field: string
  inner: ReadSchema
  isRequired: boolean
}

function walkField(
  types: StripeTypes,
  { field, inner, isRequired }: ReadField,
  shape: Shape,
  above: string,
  result: AdapterReads,
): void {
  const path = `${above}.${field}`
  const owners = objectNamesIn(shape).filter((name) =>
    Object.hasOwn(types.objects[name] ?? {}, field),
  )
  if (owners.length === 0) {
    result.problems.push(`${path} is read, but Stripe's types have no such field`)
  }
  for (const owner of owners) {
    const known = types.objects[owner]?.[field]
    if (!known) continue
    result.reads.set(owner, (result.reads.get(owner) ?? new Set()).add(field))
    const mayBeAbsent = known.optional === true && isRequired
    const refused = [...refusedKinds(inner, known.shape), ...(mayBeAbsent ? ['nothing'] : [])]
    if (refused.length > 0 && REFUSED_ON_PURPOSE[path] !== undefined) result.excused.add(path)
    else if (refused.length > 0) {
      result.problems.push(`${path}: Stripe may give ${refused.join(' or ')}, which is refused`)
    }
    walk(types, inner, known.shape, path, result)
  }
}

type Kind = 'null' | 'text' | 'a number' | 'true or false' | 'a list' | 'an object'

/** The kinds of values that Stripe may give and a schema of ours refuses. */
function refusedKinds(schema: ReadSchema, shape: Shape): Kind[] {
  const accepted = kindsAccepted(schema)
  if (accepted === undefined) return []
  const given = new Set(alternativesOf(shape).map(kindGiven))
  // An id stands for an object: which of the two is given depends on what was asked for.
  const isExpandable = given.has('text') && given.has('an object')
  if (isExpandable && (accepted.has('text') || accepted.has('an object'))) {
    given.delete('text')
    given.delete('an object')
  }
  return [...given].filter((kind): kind is Kind => kind !== undefined && !accepted.has(kind))
}

function kindGiven(shape: Shape): Kind | undefined {
  if (typeof shape === 'object') {
    if ('oneOf' in shape) return typeof shape.oneOf[0] === 'string' ? 'text' : 'true or false'
    return 'listOf' in shape ? 'a list' : 'an object'
  }
  const kinds = {
    string: 'text',
    number: 'a number',
    boolean: 'true or false',
    null: 'null',
  } as const
  return shape === 'anything' ? undefined : kinds[shape]
}

const KINDS: Record<string, Kind> = {
  string: 'text',
  integer: 'a number',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
  array: 'a list',
  object: 'an object',
}

/** Undefined for a schema that accepts everything. */
function kindsAccepted({ type, anyOf }: ReadSchema): Set<Kind> | undefined {
  if (anyOf) {
    const all = anyOf.map(kindsAccepted)
    return all.includes(undefined) ? undefined : new Set(all.flatMap((one) => [...(one ?? [])]))
  }
  const kind = KINDS[type ?? '']
  return kind === undefined ? undefined : new Set([kind])
}
