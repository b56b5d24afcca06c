import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'
import { dashboardHosts, publicOrigins } from '../../config/public-origins.ts'
import type { PasskeyHosts } from '../../domain/staff/passkey-only.ts'
import type { Site } from '../../domain/staff/passkeys.ts'
import { fail } from '../../errors.ts'
import { hostNameIn, isLocalName, isProxied } from '../plain-http.ts'

export { throttleSubject } from '../client-address.ts'

/** How the browser reaches the service, as far as it can be determined. */
export interface Address extends Site {
  /** `local` is trusted by browsers without https. On `plain`, anyone on the network path can read along. */
  kind: 'https' | 'local' | 'plain'
}

/**
 * A local host name does not prove where a request comes from, but it shows that the browser is talking to
 * its own machine, so that nobody in between can read along. A proxy on this machine may send such a name
 * too, but its headers reveal it.
 */
export function addressOf(config: Config, request: FastifyRequest): Address {
  const host = request.host
  const hostname = hostNameIn(host)
  const isProxy = isProxied(request)
  if (request.protocol === 'http' && isLocalName(hostname) && !isProxy) {
    return { kind: 'local', hostname, origins: [`http://${host}`] }
  }
  const known = publicOrigins(config)
  const isMeant = isProxy || known.some((url) => url.host === host)
  if (request.protocol !== 'https' && !(known.length > 0 && isMeant)) {
    return { kind: 'plain', hostname, origins: [] }
  }
  const own = known.find((url) => url.host === host) ?? known[0]
  return {
    kind: 'https',
    hostname: own?.hostname ?? hostname,
    origins: known.length > 0 ? known.map(({ origin }) => origin) : [`https://${host}`],
  }
}

/**
 * The hosts whose passkeys decide whether a password is enough for this request. Under a configured host name, passkeys for
 * another one, such as localhost, can't be used. Everywhere else all passkeys count, because the host name is what the client
 * says: nobody must escape the rule by choosing another.
 */
export function passkeyHostsAt(config: Config, request: FastifyRequest): PasskeyHosts {
  const hosts = dashboardHosts(config)
  return hosts?.includes(addressOf(config, request).hostname) ? hosts : undefined
}

/** Refuses a change sent by another site. Browsers state the origin; a request without one does not come from
 * the app. */
export function requireOwnOrigin({ headers }: FastifyRequest, { origins }: Address): void {
  const site = headers['sec-fetch-site']
  if (site !== undefined ? site === 'same-origin' : origins.includes(headers.origin ?? '')) return
  throw fail('foreign_origin')
}
