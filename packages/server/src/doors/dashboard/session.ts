import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { findSession, SESSION_LIFE, type SignedInStaff } from '../../staff/sessions.ts'
import type { Address } from './origin.ts'

/** `__Host-` binds a cookie to this very host, and to https: no neighbour can plant one. Browsers take
 * it from no other address, so that a name of its own is needed on this machine. */
const nameOn = ({ kind }: Address) => (kind === 'https' ? '__Host-gatehouse' : 'gatehouse-session')

function cookieOn(address: Address, value: string, seconds: number): string {
  const secure = address.kind === 'https' ? '; Secure' : ''
  return `${nameOn(address)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`
}

export function giveCookie(reply: FastifyReply, address: Address, token: string): void {
  reply.header('set-cookie', cookieOn(address, token, SESSION_LIFE / 1000))
}

export function takeCookie(reply: FastifyReply, address: Address): void {
  reply.header('set-cookie', cookieOn(address, '', 0))
}

const TOKEN = /^[A-Za-z0-9]{43}$/

function tokenIn({ headers }: FastifyRequest, address: Address): string | undefined {
  const start = `${nameOn(address)}=`
  const pair = (headers.cookie ?? '').split(/; */).find((one) => one.startsWith(start))
  const token = pair?.slice(start.length)
  return token !== undefined && TOKEN.test(token) ? token : undefined
}

/** Who asks, if somebody is signed in. */
export async function identify(
  ctx: Context,
  request: FastifyRequest,
  address: Address,
): Promise<SignedInStaff | undefined> {
  const token = tokenIn(request, address)
  if (token === undefined) return undefined
  return await findSession(ctx.control, token, ctx.environments.production.wall())
}
