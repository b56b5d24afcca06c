import derived from './responses.json' with { type: 'json' }

/** What an operation of the management API answers. */
interface Response {
  /** The schema of a JSON body. */
  json?: object
  /** Whether the body is a CSV file. */
  file?: boolean
}

const RESPONSES: Readonly<Record<string, Response>> = {
  ...derived.responses,
  // Its handler writes the JSON itself.
  'GET /users/:uid/export': { json: { type: 'object' } },
}

/** The named schemas in the responses. */
export const RESPONSE_SCHEMAS: Readonly<Record<string, object>> = derived.schemas

/** Returns the response of an operation by its target. Where the source of a route computes its target, `*` stands for
 * what it computes; the longest text decides. */
export function responseOf(target: string): Response {
  const exact = RESPONSES[target]
  if (exact) return exact
  const patterns = Object.keys(RESPONSES)
    .filter((one) => one.includes('*'))
    .sort((a, b) => b.length - a.length)
  const found = patterns.find((one) => {
    const [start = '', end = ''] = one.split('*')
    return target.startsWith(start) && target.endsWith(end)
  })
  return RESPONSES[found ?? ''] ?? {}
}
