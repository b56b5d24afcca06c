import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../../config/config.ts'
import type { Context } from '../../../context.ts'
import { createDevices } from '../../../domain/staff/devices.ts'
import {
  endSessionOf,
  findSession,
  MAX_SESSION_MS,
  type SignedInStaff,
} from '../../../domain/staff/sessions.ts'
import { type Address, addressOf } from '../origin.ts'

/** `__Host-` binds a cookie to this exact host and to https, so that no other subdomain can set one. Browsers
 * accept the prefix only with https, so `localhost` needs another name. */
const nameOn = ({ kind }: Address) => (kind === 'https' ? '__Host-gatehouse' : 'gatehouse-session')

const deviceNameOn = (address: Address) =>
  address.kind === 'https' ? '__Host-gatehouse-device' : 'gatehouse-device'

function cookieOn(address: Address, name: string, value: string, seconds: number): string {
  const secure = address.kind === 'https' ? '; Secure' : ''
  return `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`
}

/** The longest time browsers keep a cookie. It is renewed at every sign-in. */
const DEVICE_LIFE_SECONDS = 400 * 86_400

/** Sets the session cookie, and the cookie that identifies the browser at later sign-ins. */
export async function setSessionCookies(
  { ctx, request, reply }: { ctx: Context; request: FastifyRequest; reply: FastifyReply },
  staffId: string,
  token: string,
): Promise<void> {
  const address = addressOf(ctx.config, request)
  reply.header('set-cookie', cookieOn(address, nameOn(address), token, MAX_SESSION_MS / 1000))
  const device = createDevices(await ctx.staffSecret()).issue(staffId)
  const name = deviceNameOn(address)
  reply.header('set-cookie', cookieOn(address, name, device, DEVICE_LIFE_SECONDS))
}

/** Sets the cookies of a new session and ends the one whose cookie came along: nobody could see or end it any more. */
export async function replaceSession(
  call: { ctx: Context; request: FastifyRequest; reply: FastifyReply },
  staffId: string,
  token: string,
): Promise<void> {
  const { ctx, request } = call
  await setSessionCookies(call, staffId, token)
  const old = readSessionCookie(request, addressOf(ctx.config, request))
  if (old !== undefined) await endSessionOf(ctx.control, old)
}

/** Removes the session cookie, and lets the browser forget what it has stored for us: the next person at it may be somebody
 * else. The browser can still be identified. */
export function clearSessionCookie(reply: FastifyReply, address: Address): void {
  reply.header('clear-site-data', '"cache", "storage"')
  reply.header('set-cookie', cookieOn(address, nameOn(address), '', 0))
}

const TOKEN = /^[A-Za-z0-9]{43}$/
const DEVICE = /^[A-Za-z0-9]{43}\.[A-Za-z0-9_-]{43}$/

function cookieNamed(name: string, { headers }: FastifyRequest): string {
  const start = `${name}=`
  const pair = (headers.cookie ?? '').split(/; */).find((one) => one.startsWith(start))
  return pair?.slice(start.length) ?? ''
}

/** Returns the cookie that identifies the browser, or an empty string. */
export function readDeviceCookie(config: Config, request: FastifyRequest): string {
  const device = cookieNamed(deviceNameOn(addressOf(config, request)), request)
  return DEVICE.test(device) ? device : ''
}

function readSessionCookie(request: FastifyRequest, address: Address): string | undefined {
  const token = cookieNamed(nameOn(address), request)
  return TOKEN.test(token) ? token : undefined
}

/** Returns who is signed in, if anyone. */
export async function identify(
  ctx: Context,
  request: FastifyRequest,
  address: Address,
): Promise<SignedInStaff | undefined> {
  const token = readSessionCookie(request, address)
  if (token === undefined) return undefined
  return await findSession(ctx.control, token, ctx.environments.production.realTime())
}
