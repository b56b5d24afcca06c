import { type FailureCode, fail, type ParameterProblem } from '../../errors.ts'
import { nameIn, type Schema, type Schemas } from './schema.ts'

/** One value for each field name, so that all examples are consistent. A key that starts with a record's name applies
 * to that record only. */
const VALUES: Readonly<Record<string, unknown>> = {
  id: '3vXhG7mQpR0aTz9K',
  aid: 'ExampleAID',
  rid: 'demo-article',
  rids: 'demo-article demo-pass',
  uid: 'Xk29fTqLw0ZbN7cRyE5d',
  amount: 0,
  currency: 'USD',
  created: 1_804_064_400,
  expires: 1_835_600_400,
  revoked: 1_804_150_800,
  user_ref: 'demo-reader',
  user_email: 'reader@example.com',
  contact_email: '',
  email: 'reader@example.com',
  first_name: 'Ada',
  last_name: 'Reader',
  tags: ['spring', 'press'],
  title: 'The spring issue',
  description: 'All articles of the season, to read offline.',
  image: 'https://example.com/spring.png',
  price: '9.99 USD',
  created_date: 1_804_064_400,
  published_date: 1_804_064_400,
  modified_date: 1_804_150_800,
  lifetime: 3_600,
  'DownloadUrl.url': 'https://access.example.com/d/ExampleAID.8sKd0…',
  'ManageLink.url': 'https://access.example.com/manage/5rTz2…',
  payment: '7pQmW2xKc9LdR4sB',
  endpoint: 'we_4hTq9ZbN2mXc7LsK',
  from: '1803200400',
  seconds: 86_400,
  refunds: [],
  total: 1,
  page: 0,
  pagesize: 100,
  code: 'access_not_found',
  message: 'No such access.',
  request_id: 'bT4nW8sYc1JkV6uD',
  environment: 'sandbox',
  q: 'ada',
  name: 'spring.pdf',
}

/** Returns an example value for a schema. */
export function exampleOf(schemas: Schemas, schema: Schema, name = '', record = ''): unknown {
  if (schema.$ref !== undefined) {
    const named = nameIn(schema.$ref)
    return exampleOf(schemas, schemas[named] ?? {}, '', named)
  }
  const known = [`${record}.${name}`, name].find((key) => key in VALUES)
  if (known !== undefined) return VALUES[known]
  if (schema.properties) {
    const { required = [] } = schema
    // Fields that can be left out are, unless there is a value for them.
    const fields = Object.entries(schema.properties).filter(
      ([key]) => required.includes(key) || key in VALUES,
    )
    return Object.fromEntries(
      fields.map(([key, one]) => [key, exampleOf(schemas, one, key, record)]),
    )
  }
  if (schema.items) return [exampleOf(schemas, schema.items)]
  // Fields without a value above, such as `refund`: nothing was paid in these examples.
  return null
}

/** Returns an example of the body of an error, as OpenAPI describes examples. */
export function errorExample(code: FailureCode): { summary: string; value: object } {
  const { message: summary } = fail(code)
  const about = PROBLEMS[code]
  const message = about ? `${about.parameter}: ${about.problem}` : summary
  const parameter = about ? { parameter: about.parameter } : {}
  return {
    summary,
    value: { error: { message, code, ...parameter, request_id: VALUES.request_id } },
  }
}

/** Codes whose message says what is wrong with which parameter. */
const PROBLEMS: Partial<Record<FailureCode, ParameterProblem>> = {
  invalid_parameter: { parameter: 'rid', problem: 'required' },
  link_end_passed: {
    parameter: 'expiration',
    problem: 'in the past; the current time is 1804064400',
  },
  ts_out_of_range: {
    parameter: 'ts',
    problem:
      '900 s behind the time of the service, which is 1804064400; at most 300 s are accepted',
  },
}

/** If one of several parameters is required: the one that the example uses. */
const ONE_OF: Readonly<Record<string, string>> = { '/r2/downloads/url': 'lifetime' }

/** The parameters that the example of a path uses. */
export const namesInExample = (path: string, names: readonly string[]): string[] =>
  [...names, ONE_OF[path] ?? []].flat()

export const exampleValue = (name: string): unknown => VALUES[name] ?? ''

/** A path names a price by its id. */
const PATH_VALUES: Readonly<Record<string, string>> = { price: '3vXhG7mQpR0aTz9K' }

/** Returns an example request target with the required parameters. */
export function exampleTarget(path: string, names: readonly string[]): string {
  const value = (name: string) => encodeURIComponent(String(exampleValue(name)))
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => PATH_VALUES[name] ?? value(name))
  const query = namesInExample(path, names)
    .map((name) => `${name}=${value(name)}`)
    .join('&')
  return query === '' ? filled : `${filled}?${query}`
}

/** Returns a body with the required fields, or with one if none is required. */
export function bodyExample({ properties = {}, required = [] }: Schema): object {
  const names = Object.keys(properties)
  const used = required.length > 0 ? required : names.slice(0, 1)
  return Object.fromEntries(used.map((name) => [name, bodyValue(name, properties[name] ?? {})]))
}

function bodyValue(name: string, { type, anyOf, items, enum: values }: Schema): unknown {
  if (items) return name in LISTS ? LISTS[name] : []
  if (values) return values[0]
  if (name in BODY_VALUES) return BODY_VALUES[name]
  if (name in VALUES) return VALUES[name]
  if (anyOf) return bodyValue(name, anyOf[0] ?? {})
  return type === 'boolean' ? false : type === 'integer' ? 1 : 'text'
}

const LISTS: Readonly<Record<string, unknown>> = { rids: ['demo-article'] }

/** Values of bodies that are not those of records. */
const BODY_VALUES: Readonly<Record<string, unknown>> = {
  amount: 499,
  into: 'Ab29fTqLw0ZbN7cRyE5d',
  name: 'Spring issue',
  ref: 'demo-reader',
  text: 'Called about the invoice.',
}
