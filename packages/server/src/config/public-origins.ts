import { isIP } from 'node:net'
import type { Config } from './config.ts'

/** The public URLs of production, if they use https. */
export function publicOrigins({ baseUrl, hostNames }: Config): URL[] {
  if (baseUrl === undefined) return []
  const base = new URL(baseUrl)
  if (base.protocol !== 'https:') return []
  if (hostNames.production === undefined) return [base]
  const own = new URL(baseUrl)
  own.hostname = hostNames.production
  return [own, base]
}

/** The host names at which the dashboard is used; undefined if none is configured, so that it has those that browsers say. */
export function dashboardHosts(config: Config): string[] | undefined {
  const known = publicOrigins(config)
  return known.length === 0 ? undefined : known.map(({ hostname }) => hostname)
}

/** Every public `host`, with the port where there is one, if they use https. */
export function publicHosts(config: Config): string[] {
  const [base] = publicOrigins(config).slice(-1)
  if (base === undefined) return []
  const { production, sandbox, files } = config.hostNames
  const port = base.port === '' ? '' : `:${base.port}`
  const named = [production, sandbox, files].filter((name) => name !== undefined)
  return [base.host, ...named.map((name) => name + port)]
}

/** What Gatehouse calls itself to mail servers: the host of the base URL, if that is a full name. Without one, many take
 * the client for a spammer. */
export function mailClientName({ baseUrl }: Config): string | undefined {
  if (baseUrl === undefined) return undefined
  const { hostname } = new URL(baseUrl)
  return hostname.includes('.') && isIP(hostname) === 0 ? hostname : undefined
}

/** Behind a proxy that is not configured as trusted, all clients share one address. */
export const hasUntrustedProxy = (config: Config) =>
  publicOrigins(config).length > 0 && config.trustedProxies.length === 0
