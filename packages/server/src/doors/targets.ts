import type { IncomingMessage } from 'node:http'
import type { Config } from '../config.ts'
import type { EnvironmentName } from '../context.ts'

/** The path prefix before `/r2/` in each environment. */
export type Prefixes = Readonly<Record<EnvironmentName, string>>

export function prefixesOf(config: Config): Prefixes {
  const base =
    config.baseUrl === undefined ? '' : new URL(config.baseUrl).pathname.replace(/\/$/, '')
  return { production: base, sandbox: `${base}/sandbox` }
}

/** The URL at which a program on this machine reaches a service that listens there. */
export function listeningAt(host: string, port: number): string {
  const own = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host
  return `http://${own.includes(':') ? `[${own}]` : own}:${port}`
}

/** The public base URLs, without a trailing slash. `listening` is used if none is configured. */
export function addressesOf(config: Config, listening: string): Record<EnvironmentName, string> {
  const base = config.baseUrl ?? listening
  const at = (host: string) => {
    const url = new URL(base)
    url.hostname = host
    return url.href.replace(/\/$/, '')
  }
  const { production, sandbox } = config.hostNames
  return {
    production: production === undefined ? base : at(production),
    sandbox: sandbox === undefined ? `${base}/sandbox` : at(sandbox),
  }
}

const SEGMENTS = /^(?:\/[A-Za-z0-9._~!$&'()*+,;=:@%-]*)+$/
const ODD = /\/\/|\/\.\.?(?:\/|$)/
/** The only path segment that may contain escapes is a name that a caller chose: of a user or a resource. */
const ESCAPED_NAME = /^(.*\/(?:r2\/user|checkout\/[A-Za-z0-9]{10})\/)[^/]+$/
/** Dashboard requests are not signed, and names are part of URLs that people see, so escapes are allowed there. */
const DASHBOARD = /^(?:(?!\/r2\/)[^%])*?\/dashboard\//
const ESCAPED_CONTROL = /%(?:[01][0-9A-Fa-f]|7[Ff])/

/**
 * Whether a request target is written in the one form that we route. The signature covers the bytes as sent; a router
 * that resolved or decoded them would serve something other than what was signed.
 */
export function isCanonical(target: string): boolean {
  if (target.includes('#') || target.includes('\\')) return false
  const mark = target.indexOf('?')
  const path = mark === -1 ? target : target.slice(0, mark)
  if (!SEGMENTS.test(path) || ODD.test(path)) return false
  if (!path.includes('%')) return true
  if (ESCAPED_CONTROL.test(path)) return false
  if (DASHBOARD.test(path)) return true
  const fixed = ESCAPED_NAME.exec(path)?.[1]
  return fixed !== undefined && !fixed.includes('%')
}

function hostNameOf(request: IncomingMessage): string {
  return (request.headers.host ?? '').replace(/:\d+$/, '').toLowerCase()
}

/** Rewrites the URL by host name. A configured host name leads to its environment only; the sandbox is served under
 * production's host name while it has none of its own. */
export function toEnvironment(
  config: Config,
  prefixes: Prefixes,
  request: IncomingMessage,
): string {
  const url = request.url as string
  const { production, sandbox } = config.hostNames
  if (production === undefined && sandbox === undefined) return url
  const host = hostNameOf(request)
  const inSandbox = url.startsWith(`${prefixes.sandbox}/`)
  if (host === production && inSandbox && sandbox !== undefined) return '//'
  if (host !== sandbox) return url
  if (inSandbox || !url.startsWith(`${prefixes.production}/`)) return '//'
  return prefixes.sandbox + url.slice(prefixes.production.length)
}
