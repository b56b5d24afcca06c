import type { IncomingMessage } from 'node:http'
import type { Prefixes } from '../config/addresses.ts'
import type { Config } from '../config/config.ts'

function hostNameOf(request: IncomingMessage): string {
  return (request.headers.host ?? '').replace(/:\d+$/, '').toLowerCase()
}

/** Whether a request came to the host name that leads to the sandbox alone. */
export const isAtSandboxHost = ({ hostNames }: Config, request: IncomingMessage): boolean =>
  hostNames.sandbox !== undefined && hostNameOf(request) === hostNames.sandbox

/** Whether a request came to the host name of files and images. */
export const isAtFilesHost = ({ hostNames }: Config, request: IncomingMessage): boolean =>
  hostNames.files !== undefined && hostNameOf(request) === hostNames.files

const isFilePath = (url: string, prefixes: Prefixes): boolean =>
  [prefixes.production, prefixes.sandbox].some(
    (prefix) => url.startsWith(`${prefix}/d/`) || url.startsWith(`${prefix}/images/`),
  )

/** Rewrites the URL by host name. A configured host name leads to its environment only, or to files and images
 * only; the sandbox is served under production's host name while it has none of its own. */
export function rewriteUrlByHost(
  config: Config,
  prefixes: Prefixes,
  request: IncomingMessage,
): string {
  const url = request.url as string
  const { production, sandbox, files } = config.hostNames
  if (production === undefined && sandbox === undefined && files === undefined) return url
  const host = hostNameOf(request)
  if (host === files) return isFilePath(url, prefixes) ? url : '//'
  const inSandbox = url.startsWith(`${prefixes.sandbox}/`)
  if (host === production && inSandbox && sandbox !== undefined) return '//'
  if (host !== sandbox) return url
  if (inSandbox || !url.startsWith(`${prefixes.production}/`)) return '//'
  return prefixes.sandbox + url.slice(prefixes.production.length)
}

/** Parameters of a path with only one way to write each value. All others are names or ids, which may be escaped. */
const UNESCAPED = new Set([':environment', ':aid'])

/** Whether a part of the target that a route prescribes is written with escapes. The router would decode them, so a rule
 * of a proxy about this path would not see that the request is for it. */
export function hasEscapedFixedPart(target: string, route: string | undefined): boolean {
  if (route === undefined || !target.includes('%')) return false
  const [path = ''] = target.split('?', 1)
  const parts = route.split('/')
  return path.split('/').some((segment, i) => segment.includes('%') && !mayBeEscaped(parts, i))
}

function mayBeEscaped(parts: readonly string[], i: number): boolean {
  // Everything below a `*` belongs to it.
  const part = parts[Math.min(i, parts.length - 1)] ?? ''
  return part === '*' || (part.startsWith(':') && !UNESCAPED.has(part))
}
