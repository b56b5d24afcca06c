import type { TSchema } from 'typebox'
import { OPERATIONS } from '../../../records/management/operations.ts'
import { RESPONSE_SCHEMAS, responseOf } from '../../../records/management/responses.ts'
import type { Route } from '../route.ts'
import { routes } from '../routes.ts'
import { managementPath } from './entry.ts'
import { MAX_KEY_LENGTH, takesKey } from './once.ts'

const DESCRIPTION = `Does for programs what staff do in the dashboard: for a CMS that registers articles, scripts, back-office tools.
Every request carries a management token: \`Authorization: Bearer ghm_…\`. Its role decides what the program may do.`

/** Returns the OpenAPI document of the management API. `prefix` is the path before `/management`. */
export function managementDocument(prefix: string): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes) {
    const path = managementPath(route)?.replace(/:(\w+)/g, '{$1}')
    if (path === undefined || route.management === undefined) continue
    const operation = operationOf(route, route.management)
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Gatehouse management API',
      version: '1',
      description: DESCRIPTION,
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: prefix || '/', description: 'This installation.' }],
    security: [{ token: [] }],
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'A management token.' },
      },
      schemas: { ...RESPONSE_SCHEMAS, Error: ERROR },
    },
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
  }
}

/** The groups of operations, by the first word of their path in an application. */
const TAGS: Readonly<Record<string, string>> = {
  access: 'Grant, extend, revoke and check access.',
  applications: 'List the applications: the sites that use Gatehouse.',
  deliveries: 'List the downloads that readers made.',
  downloads: 'Upload, change and publish the files of resources.',
  emails: 'Find emails to readers, and resend them.',
  exports: 'Export lists as CSV files.',
  figures: 'Read revenue, subscriber and trial figures.',
  payments: 'Find and refund payments.',
  'refused-calls': 'List API requests of the application that were refused.',
  resources: 'Create and change resources, their prices and images.',
  search: 'Search all kinds of records at once.',
  settings: 'Read and change the settings of an application.',
  subscriptions: 'Find, cancel and resume subscriptions.',
  users: 'Find readers, and change their data and notes.',
}

const ERROR = {
  type: 'object',
  properties: {
    error: {
      type: 'object',
      description: 'Why the request failed.',
      properties: {
        message: {
          type: 'string',
          description: 'The problem and what to do about it, as a sentence for people.',
        },
        code: { type: 'string', description: 'The error code, for programs.' },
        parameter: {
          type: 'string',
          description: 'Name of the wrong parameter; left out if the error is not about one.',
        },
        request_id: {
          type: 'string',
          description: 'ID of the request, to quote when you ask the operator for help.',
        },
      },
      required: ['message', 'code', 'request_id'],
    },
  },
  required: ['error'],
}

function operationOf(route: Route, target: string): object {
  const [operationId, summary] = OPERATIONS[target] ?? ['', '']
  const [tag = ''] = target.split('/').slice(1)
  const roles = Array.isArray(route.allowed) ? route.allowed.filter((role) => role !== 'owner') : []
  return {
    ...{ operationId, summary, tags: [tag] },
    description: `Roles: ${roles.map((role) => (role === 'reader' ? 'viewer' : role)).join(', ')}.`,
    parameters: [...pathParameters(route), ...queryParameters(route.query), ...keyHeader(route)],
    ...requestBody(route, target),
    responses: { ...success(target), default: FAILURE },
  }
}

const FAILURE = {
  description: 'The error: what is wrong, where, and what to do.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
}

const MEANINGS: Readonly<Record<string, string>> = {
  aid: 'The id of the application.',
  rid:
    'The id of the resource, as your site names it, percent-encoded. The ids `.` and `..`, which a URL can’t have, are ' +
    'written with a space before: `%20.` and `%20..`.',
  uid: 'The id of the person.',
  price: 'The id of the price.',
  id: 'The id of the record.',
}

function pathParameters(route: Route): object[] {
  const names = [...(managementPath(route) ?? '').matchAll(/:(\w+)/g)].map(([, name]) => name ?? '')
  return names.map((name) => ({
    ...{ name, in: 'path', required: true },
    description: MEANINGS[name] ?? 'The environment: production or sandbox.',
    schema:
      name === 'environment'
        ? { type: 'string', enum: ['production', 'sandbox'] }
        : { type: 'string' },
  }))
}

interface ObjectSchema {
  properties?: Record<string, { description?: string }>
  required?: readonly string[]
}

/** Query parameters that mean the same wherever they are. A schema with a description of its own goes first. */
const QUERY_MEANINGS: Readonly<Record<string, string>> = {
  page: 'The number of the page, counted from 0.',
  pagesize: 'The number of records that a page can have; 50 by default.',
  sort: 'The column to sort by; with `-`, the largest or latest first.',
  q: "The text to search for, as in the search box of the dashboard's list.",
  rid: 'Only records of this resource.',
  uid: 'Only records of this person.',
  from: 'Only records since this time, in seconds since 1970.',
  to: 'Only records before this time, in seconds since 1970.',
  first: "The first day, such as `2027-03-28`, in the application's time zone.",
  last: "The last day, inclusive, such as `2027-03-31`, in the application's time zone.",
  status: 'Only records in this state.',
  delimiter: 'The character between the columns of the file.',
}

function queryParameters(query: TSchema | undefined): object[] {
  const { properties = {}, required = [] } = (query ?? {}) as ObjectSchema
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    ...{ name, in: 'query', description: description ?? QUERY_MEANINGS[name], schema },
    ...(required.includes(name) ? { required: true } : {}),
  }))
}

function keyHeader(route: Route): object[] {
  if (!takesKey(route) || UPLOADS.test(String(route.management))) return []
  const description =
    'Your own name for this operation: a repeated request with the same key takes effect once, and is answered as the ' +
    'first one was. Kept for 7 days.'
  const schema = { type: 'string', minLength: 1, maxLength: MAX_KEY_LENGTH }
  return [{ name: 'Idempotency-Key', in: 'header', description, schema }]
}

/** Targets whose body is a file. */
const UPLOADS = /^POST \/resources\/:rid\/downloads$|\/(?:file|image|logo)$/

function requestBody({ method, body }: Route, target: string): object {
  if (body) {
    return { requestBody: { required: true, content: { 'application/json': { schema: body } } } }
  }
  if (!['POST', 'PUT'].includes(method) || !UPLOADS.test(target)) return {}
  const schema = { type: 'string', format: 'binary' }
  return { requestBody: { required: true, content: { 'application/octet-stream': { schema } } } }
}

function success(target: string): object {
  const { json, file } = responseOf(target)
  const schema = file ? { type: 'string' } : json
  if (!schema) return { 204: { description: 'Done.' } }
  const type = file ? 'text/csv' : 'application/json'
  return { 200: { description: 'Done.', content: { [type]: { schema } } } }
}
