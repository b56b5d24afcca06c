import type { Config } from '../config/config.ts'
import { publicOrigins } from '../config/public-origins.ts'
import type { Failure } from '../errors.ts'

/** The headers of a response of which nothing else is known: JSON that may only be read where it was asked for. */
export const RESPONSE_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  'cross-origin-resource-policy': 'same-origin',
} as const

/** Whatever its type, a browser must never run a file as part of this site. Pages of other sites may show it. */
export const FILE_HEADERS = {
  'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'; base-uri 'none'",
  'cross-origin-resource-policy': 'cross-origin',
} as const

const ONE_YEAR_SECONDS = 31_536_000

/** By `GATEHOUSE_HSTS`. */
const TRANSPORT_SECURITY = {
  subdomains: `max-age=${ONE_YEAR_SECONDS}; includeSubDomains`,
  host: `max-age=${ONE_YEAR_SECONDS}`,
  off: undefined,
} as const

/** What every response of a service begins with. With a public https address, browsers are told to use nothing else. */
export function commonHeaders(config: Config): Record<string, string> {
  const value = publicOrigins(config).length > 0 ? TRANSPORT_SECURITY[config.hsts] : undefined
  return {
    ...RESPONSE_HEADERS,
    ...(value === undefined ? {} : { 'strict-transport-security': value }),
  }
}

/** The headers that a failure needs in every response. */
export const headersFor = ({ code, retryAfter }: Failure): Record<string, string> => ({
  ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
  // HTTP wants the scheme to be named: a signature, which no browser asks its user for.
  ...(code === 'unauthorized' ? { 'www-authenticate': 'Gatehouse' } : {}),
})
