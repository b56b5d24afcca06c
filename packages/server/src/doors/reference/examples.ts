import { nameIn, type Schema, type Schemas } from './schema.ts'

/** One value for each name of the contract, so that all examples tell the same story. */
const VALUES: Readonly<Record<string, unknown>> = {
  id: '3vXhG7mQpR0aTz9K',
  aid: 'ExampleAID',
  rid: 'demo-article',
  uid: 'Xk29fTqLw0ZbN7cRyE5d',
  amount: 0,
  currency: 'USD',
  created: 1_804_064_400,
  expires: 1_835_600_400,
  revoked: 1_804_150_800,
  user_ref: 'demo-reader',
  user_email: 'reader@example.com',
  email: 'reader@example.com',
  first_name: 'Ada',
  last_name: 'Reader',
  tags: ['spring', 'press'],
  refunds: [],
  total: 1,
  page: 0,
  pagesize: 100,
  code: 'access_not_found',
  message: 'No such access.',
  request_id: 'bT4nW8sYc1JkV6uD',
}

/** A record as it could come, for people to look at. */
export function exampleOf(schemas: Schemas, schema: Schema, name = ''): unknown {
  if (schema.$ref !== undefined) return exampleOf(schemas, schemas[nameIn(schema.$ref)] ?? {})
  if (name in VALUES) return VALUES[name]
  if (schema.properties) {
    const fields = Object.entries(schema.properties)
    return Object.fromEntries(fields.map(([key, one]) => [key, exampleOf(schemas, one, key)]))
  }
  if (schema.items) return [exampleOf(schemas, schema.items)]
  // Nothing was paid in these examples, so there is nothing to pay back.
  return null
}

/** The request with its required parameters. */
export function exampleTarget(path: string, names: readonly string[]): string {
  const value = (name: string) => encodeURIComponent(String(VALUES[name] ?? ''))
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => value(name))
  const query = names.map((name) => `${name}=${value(name)}`).join('&')
  return query === '' ? filled : `${filled}?${query}`
}
