import type { IncomingMessage } from 'node:http'
import type { Config } from '../config.ts'
import type { EnvironmentName } from '../context.ts'

/** What stands before `/r2/` in each environment. */
export type Prefixes = Readonly<Record<EnvironmentName, string>>

export function prefixesOf(config: Config): Prefixes {
  const base =
    config.baseUrl === undefined ? '' : new URL(config.baseUrl).pathname.replace(/\/$/, '')
  return { production: base, sandbox: `${base}/sandbox` }
}

/** How a program on this machine reaches a service that listens there. */
export function listeningAt(host: string, port: number): string {
  const own = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host
  return `http://${own.includes(':') ? `[${own}]` : own}:${port}`
}

/** The public addresses, without a trailing slash. `listening` is used where none was set. */
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
/** The only part of a path that may be escaped is a name that we were given: of a user, of a resource. */
const ESCAPED_NAME = /^(.*\/(?:r2\/user|checkout\/[A-Za-z0-9]{10})\/)[^/]+$/
/** Behind it nothing is signed, and names are parts of addresses that people see. */
const DASHBOARD = /^(?:(?!\/r2\/)[^%])*?\/dashboard\//
const ESCAPED_CONTROL = /%(?:[01][0-9A-Fa-f]|7[Ff])/

/**
 * Whether a request target is written in the one way that we route. The signature covers the bytes as
 * they came; a router that resolved or decoded them would serve something else than what was signed.
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

/** A host name of its own leads to its environment, and to no other; the sandbox stays under the
 * production's name as long as it has none. */
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
