import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Config } from '../config/config.ts'
import { publicHosts } from '../config/public-origins.ts'
import { isIn, listOf } from '../network-addresses.ts'
import { parseUrl } from '../parse-url.ts'

const LOCAL_NAMES = new Set(['localhost', '127.0.0.1', '[::1]'])
const LOOPBACK = listOf(['127.0.0.0/8', '::1'])

/** Longer than any host name with a port. A header may be 160 KiB long, and a URL parser normalizes the host: that takes time in
 * proportion to the square of its length. */
const MAX_HOST = 300

/** The host name of a `Host` header, without a port; empty if it can't be read. */
export function hostNameIn(host: string): string {
  if (host.length > MAX_HOST) return ''
  return parseUrl(`http://${host}`)?.hostname ?? ''
}

/** Whether a host name is that of the machine that says it. */
export const isLocalName = (hostname: string): boolean => LOCAL_NAMES.has(hostname)

/** Whether a proxy has passed the request on. Most don't say how they got it. */
export const isProxied = ({ headers }: { headers: IncomingHttpHeaders }): boolean =>
  ['forwarded', 'x-forwarded-for', 'x-forwarded-proto', 'via'].some((name) => name in headers)

/** Tells whether a request has come over plain HTTP from another machine, where others could read it on the way. */
export type PlainHttpCheck = (request: IncomingMessage) => boolean

/**
 * Without a public https address, no request counts as plain. A trusted proxy is believed about how it got the request. A
 * request that any proxy has passed on, or that names a public host, counts as sent over https: proxies that add no headers
 * can't be told from clients. So this is for clients that were set up wrong, not against those that pretend.
 */
export function createPlainHttpCheck(config: Config): PlainHttpCheck {
  const hosts = new Set(publicHosts(config))
  if (hosts.size === 0) return () => false
  const trusted = listOf(config.trustedProxies)
  const allowed = listOf(config.plainHttpAllow)
  return (request) => {
    const { headers, socket } = request
    const peer = socket.remoteAddress ?? ''
    const protocol = headers['x-forwarded-proto']
    if (protocol !== undefined && isIn(trusted, peer)) return lastOf(String(protocol)) !== 'https'
    const host = headers.host ?? ''
    if (isProxied(request) || hosts.has(host.toLowerCase())) return false
    return !isLocalName(hostNameIn(host)) && !isIn(LOOPBACK, peer) && !isIn(allowed, peer)
  }
}

/** The entry that the proxy next to us has added. */
const lastOf = (list: string) => list.split(',').at(-1)?.trim().toLowerCase()
