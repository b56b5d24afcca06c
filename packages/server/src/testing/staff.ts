import type { OutgoingHttpHeaders } from 'node:http'
import { prefixesOf } from '../config/addresses.ts'
import { createSetupLink } from '../domain/staff/links.ts'
import { setPasskeyPolicy } from '../domain/staff/passkey-only.ts'
import type { Role, StaffMember } from '../domain/staff/staff.ts'
import type { createAuthenticator } from './browser/authenticator.ts'
import { send, type TestResponse } from './http/requests.ts'
import type { TestService } from './service.ts'

export const PASSWORD = 'correct horse battery'

interface ApiCallOptions {
  body?: unknown
  cookie?: string | undefined
  headers?: OutgoingHttpHeaders
}

/** A response of the dashboard's API. */
export interface ApiResponse extends TestResponse {
  /** Undefined if there is no JSON body. */
  json: never
}

/** Calls the dashboard's API as its own pages do. */
export async function callApi(
  url: string,
  method: string,
  path: string,
  { body, cookie, headers }: ApiCallOptions = {},
): Promise<ApiResponse> {
  const { origin, pathname } = new URL(url)
  const response = await send(origin, `${pathname.replace(/\/$/, '')}/dashboard/api${path}`, {
    method,
    headers: {
      ...(method === 'GET' ? {} : { origin, 'sec-fetch-site': 'same-origin' }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(cookie === undefined ? {} : { cookie }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const isJson = /json/.test(response.headers['content-type'] ?? '') && response.text !== ''
  return { ...response, json: (isJson ? JSON.parse(response.text) : undefined) as never }
}

/** The first cookie that a response sets, as a browser sends it back. */
export const cookieIn = ({ headers }: TestResponse) =>
  headers['set-cookie']?.[0]?.split(';')[0] ?? ''

/** The cookie that identifies a known browser, as the browser sends it back. */
export const deviceCookieIn = ({ headers }: TestResponse) =>
  headers['set-cookie']?.find((one) => one.startsWith('gatehouse-device='))?.split(';')[0] ?? ''

/** A staff member with a browser. */
export interface TestMember extends StaffMember {
  cookie: string
  call(method: string, path: string, body?: unknown): Promise<ApiResponse>
  /** Calls the API of another service. */
  callAt(url: string, method: string, path: string, body?: unknown): Promise<ApiResponse>
  /** Proves again who is signed in, as the dashboard asks before some actions. */
  confirm(password?: string): Promise<ApiResponse>
}

/** Uses a link with this token, as the page to which it leads does. */
export async function acceptInvite(
  url: string,
  token: string,
  more: object = {},
): Promise<TestMember> {
  const body = { token, name: 'Test person', password: PASSWORD, ...more }
  const response = await callApi(url, 'POST', '/link/use', { body })
  if (response.status !== 200) throw new Error(`the link was refused: ${response.text}`)
  return memberAt(url, (response.json as { staff: StaffMember }).staff, cookieIn(response))
}

export function memberAt(url: string, staff: StaffMember, cookie: string): TestMember {
  const browser = { cookie }
  const callAt: TestMember['callAt'] = async (at, method, path, body) => {
    const response = await callApi(at, method, path, { cookie: browser.cookie, body })
    browser.cookie = cookieIn(response) || browser.cookie
    return response
  }
  return {
    ...staff,
    callAt,
    get cookie() {
      return browser.cookie
    },
    call: (...request) => callAt(url, ...request),
    confirm: (password = PASSWORD) => callAt(url, 'POST', '/confirmation', { password }),
  }
}

/** Creates the first owner of a service. */
export async function newOwner({ ctx, url }: TestService): Promise<TestMember> {
  const link = await createSetupLink(ctx.control, ctx.environments.production.realTime())
  if (!link) throw new Error('there is an owner already')
  const { production } = prefixesOf(ctx.config)
  return await acceptInvite(url + production, link.token, { email: 'owner@example.com' })
}

/** Lets owners who add a passkey go on signing in and confirming with their password. */
export const allowPasswords = ({ ctx }: TestService): Promise<void> =>
  ctx.control.write((trx) => setPasskeyPolicy(trx, 'nobody'))

type Authenticator = ReturnType<typeof createAuthenticator>

/** Adds a passkey to the account of a member who has just confirmed. */
export async function registerPasskey(
  member: TestMember,
  key: Authenticator,
  name = 'My key',
): Promise<ApiResponse> {
  const options = (await member.call('POST', '/passkeys/options')).json
  return await member.call('POST', '/passkeys', { name, response: key.register(options) })
}

/** The answer of a passkey to a new challenge. */
export const answerWith = async (url: string, key: Authenticator) =>
  key.show((await callApi(url, 'POST', '/passkeys/sign-in/options')).json)

export const tokenIn = (link: string) => link.slice(link.indexOf('#') + 1)

export async function newMember(
  owner: TestMember,
  url: string,
  role: Role,
  email = `${role}@example.com`,
): Promise<TestMember> {
  await owner.confirm()
  const response = await owner.call('POST', '/team/invite', { email, role })
  return await acceptInvite(url, tokenIn((response.json as { link: string }).link))
}

/** Creates one staff member of each role. */
export async function newStaff(service: TestService): Promise<Record<Role, TestMember>> {
  const owner = await newOwner(service)
  const developer = await newMember(owner, service.url, 'developer')
  const support = await newMember(owner, service.url, 'support')
  const reader = await newMember(owner, service.url, 'reader')
  return { owner, developer, support, reader }
}
