import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import { fail } from '../../errors.ts'
import type { Site } from '../../staff/passkeys.ts'
import { addressSubject } from '../../staff/tries.ts'

/** How the browser reaches us, as far as it can be told. */
export interface Address extends Site {
  /** `https`; `local`, which browsers trust without it; or `plain`, where anybody on the way reads along. */
  kind: 'https' | 'local' | 'plain'
}

const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]'])

function hostNameOf(host: string): string {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : ''
}

function isProxied({ headers }: FastifyRequest): boolean {
  return ['forwarded', 'x-forwarded-for', 'x-forwarded-proto', 'via'].some(
    (name) => name in headers,
  )
}

/** The public addresses of production, where they are https. */
function publicOrigins({ baseUrl, hostNames }: Config): URL[] {
  if (baseUrl === undefined) return []
  const base = new URL(baseUrl)
  if (base.protocol !== 'https:') return []
  if (hostNames.production === undefined) return [base]
  const own = new URL(baseUrl)
  own.hostname = hostNames.production
  return [own, base]
}

/**
 * A name of this machine is no proof of where a request comes from, but of where the browser believes to
 * be: its own machine, so that nobody in between reads along. A proxy on this machine may write it too,
 * and then says that it is one.
 */
export function addressOf(config: Config, request: FastifyRequest): Address {
  const host = request.host
  const hostname = hostNameOf(host)
  const isProxy = isProxied(request)
  if (request.protocol === 'http' && LOCAL.has(hostname) && !isProxy) {
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

/** Behind a proxy that is not named, everybody comes from the same address. */
export const isUnknownProxied = (config: Config) =>
  publicOrigins(config).length > 0 && config.trustedProxies.length === 0

/** Whose tries are counted together; undefined where that would be everybody's. */
export const cameFrom = (config: Config, { ip }: FastifyRequest): string | undefined =>
  isUnknownProxied(config) ? undefined : addressSubject(ip)

/** Refuses a change that another site has sent: browsers say where it comes from, and a program that
 * says nothing is none of ours. */
export function requireOwnOrigin({ headers }: FastifyRequest, { origins }: Address): void {
  const site = headers['sec-fetch-site']
  if (site !== undefined ? site === 'same-origin' : origins.includes(headers.origin ?? '')) return
  throw fail('foreign_origin')
}
