import type { IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import { hasUntrustedProxy } from '../config/public-origins.ts'
import { addressSubject } from '../domain/staff/login-throttle.ts'

/** Returns a function that finds the address of a request's client, like `request.ip` on a route: Fastify uses the same
 * library. What a proxy says counts only if it is trusted. */
export function createAddressReader({
  trustedProxies,
}: Config): (request: IncomingMessage) => string {
  if (trustedProxies.length === 0) return ({ socket }) => socket.remoteAddress as string
  const isTrusted = proxyAddr.compile([...trustedProxies])
  return (request) => proxyAddr(request, isTrusted)
}

/** Returns the subject that attempts of a client are counted for, or undefined if all clients would share it. */
export const throttleSubject = (config: Config, { ip }: FastifyRequest): string | undefined =>
  hasUntrustedProxy(config) ? undefined : addressSubject(ip)
