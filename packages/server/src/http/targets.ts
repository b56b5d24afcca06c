import type { IncomingMessage } from 'node:http'
import type { Prefixes } from '../config/addresses.ts'
import type { Config } from '../config/config.ts'

function hostNameOf(request: IncomingMessage): string {
  return (request.headers.host ?? '').replace(/:\d+$/, '').toLowerCase()
}

/** Whether a request came to the host name that leads to the sandbox alone. */
export const isAtSandboxHost = ({ hostNames }: Config, request: IncomingMessage): boolean =>
  hostNames.sandbox !== undefined && hostNameOf(request) === hostNames.sandbox

/** Rewrites the URL by host name. A configured host name leads to its environment only; the sandbox is served under
 * production's host name while it has none of its own. */
export function rewriteUrlByHost(
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
