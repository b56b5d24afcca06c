import { isIP } from 'node:net'
import { invalid } from '../../../errors.ts'
import * as fields from '../../../fields.ts'
import { readField } from '../../../parameters.ts'
import { parseUrl } from '../../../parse-url.ts'
import { isTypePattern } from '../../events/catalogue.ts'
import { createAddressCheck } from '../calls/http-client.ts'
import { WebhookCallError } from '../calls/problems.ts'

const MAX_URL = 2_000
const MAX_DESCRIPTION = 255
/** The maximum number of type filters; more than there are types would make no sense. */
const MAX_TYPES = 50

/** The settings of an endpoint that staff choose. */
export interface EndpointInput {
  url: string
  /** Types of events, with wildcards. */
  types: readonly string[]
  description: string
}

const description = fields.text(MAX_DESCRIPTION, 'What the endpoint is for.')

/** Returns a field for the URL of an endpoint. `allow` is what the operator allows beside public addresses; a name is
 * looked up only when something is sent. */
function urlField(allow: readonly string[]): Pick<fields.Field<string>, 'read'> {
  const requireAllowed = createAddressCheck(allow)
  const base = fields.text(MAX_URL, 'A URL.')
  return {
    read(text) {
      const result = base.read(text)
      if (typeof result === 'string') return result
      const url = parseUrl(text)
      if (!url || !/^https?:$/.test(url.protocol))
        return 'must be a URL like https://example.com/webhooks'
      if (url.username || url.password) return 'must not contain a user name or a password'
      if (url.hash) return 'must not contain a #'
      const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
      if (isIP(host) > 0)
        return problemOf(() => requireAllowed(url.protocol, host)) ?? { value: url.href }
      if (url.protocol === 'http:' && allow.length === 0) return PROBLEMS.http_refused
      return { value: url.href }
    },
  }
}

const PROBLEMS = {
  http_refused: 'must begin with https://',
  address_refused:
    'leads to a private network, which only the operator can allow (GATEHOUSE_WEBHOOK_ALLOW)',
} as const

function problemOf(check: () => void): string | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    if (!(error instanceof WebhookCallError)) throw error
    return error.problem === 'http_refused' ? PROBLEMS.http_refused : PROBLEMS.address_refused
  }
}

/** Reads what was given, or throws what is wrong with it. */
export function readEndpointInput<I extends Partial<EndpointInput>>(
  input: I,
  allow: readonly string[],
): I {
  const { url, types, description: text } = input
  return {
    ...input,
    ...(url === undefined ? {} : { url: readField('url', url.trim(), urlField(allow)) }),
    ...(types === undefined ? {} : { types: readTypes(types) }),
    ...(text ? { description: readField('description', text.trim(), description) } : {}),
  }
}

function readTypes(types: readonly string[]): string[] {
  const wanted = [...new Set(types.map((type) => type.trim()).filter(Boolean))]
  if (wanted.length === 0) throw invalid('types', 'choose at least one')
  if (wanted.length > MAX_TYPES) throw invalid('types', `must have at most ${MAX_TYPES} entries`)
  const unknown = wanted.find((type) => !isTypePattern(type))
  if (unknown !== undefined) {
    throw invalid(
      'types',
      `${unknown.slice(0, 100)} is no type of event, such as access.granted, access.* or *`,
    )
  }
  return wanted.includes('*') ? ['*'] : wanted
}
