import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { listApplications } from '../../../domain/apps/applications.ts'
import { readStaffMailState } from '../../../domain/notifications/context.ts'
import { recordAudit } from '../../../domain/staff/audit.ts'
import { createDevices } from '../../../domain/staff/devices.ts'
import { getStaffLink } from '../../../domain/staff/find-link.ts'
import { requestPasswordLink } from '../../../domain/staff/forgotten.ts'
import { redeemLink } from '../../../domain/staff/links.ts'
import { endSession, endSessions } from '../../../domain/staff/sessions.ts'
import {
  changePassword,
  type SignInResult,
  signIn as signInWithPassword,
} from '../../../domain/staff/sign-in.ts'
import { fail } from '../../../errors.ts'
import { addressOf, passkeyHostsAt, throttleSubject } from '../origin.ts'
import { suspect } from '../refusals.ts'
import { type ApiRequest, publicRoute, staffRoute } from '../route.ts'
import {
  CredentialsBody,
  ForgottenBody,
  type Link,
  LinkLookupBody,
  LinkUseBody,
  NewPasswordBody,
  type SignedIn,
} from './schemas.ts'
import {
  clearSessionCookie,
  readDeviceCookie,
  replaceSession,
  setSessionCookies,
} from './session.ts'
import { staffOf } from './session-entry.ts'

export const agentOf = ({ headers }: FastifyRequest) => headers['user-agent'] ?? ''
export const realTimeOf = ({ environments }: Context) => environments.production.realTime()

/** The names of the applications and of the host: whoever guesses passwords tries them first. */
async function passwordContext({ environments }: Context): Promise<string[]> {
  const names: string[] = []
  for (const { database } of Object.values(environments)) {
    names.push(...(await listApplications(database.read)).map(({ name }) => name))
  }
  return [...names, new URL(environments.production.address()).hostname]
}

type Attempted = Pick<ApiRequest, 'ctx' | 'request' | 'reply' | 'afterResponse'>

/** Records a failed attempt in the audit log, unless the account is unknown: after the response, whose time would tell
 * otherwise which accounts there are. A sign-in has been recorded with its session. */
export async function respondToAttempt(
  attempted: Attempted,
  action: string,
  result: SignInResult,
): Promise<SignedIn> {
  const { ctx, request, reply, afterResponse } = attempted
  const { staff, token } = result
  if (!staff || token === undefined) {
    const failed = result.isPasskeyRequired ? 'passkey_required' : 'sign_in_failed'
    if (!result.isPasskeyRequired) {
      const kind = action === 'session.begin' ? 'password' : 'passkey'
      suspect(request, { reason: staff ? `wrong_${kind}` : UNKNOWN[kind] })
    }
    const now = realTimeOf(ctx)
    const record = () =>
      ctx.control.write((trx) => recordAudit(trx, { staff, action }, failed, now))
    if (staff) afterResponse(reply, record)
    throw fail(failed)
  }
  await replaceSession(attempted, staff.id, token)
  return { staff }
}

const UNKNOWN = { password: 'unknown_address', passkey: 'unknown_passkey' } as const

const signIn = publicRoute('POST /sign-in', {
  action: 'session.begin',
  body: CredentialsBody,
  async handle(call): Promise<SignedIn> {
    const { ctx, request, body } = call
    suspect(request, { typed: body.email })
    const address = throttleSubject(ctx.config, request)
    const device = readDeviceCookie(ctx.config, request)
    const hosts = passkeyHostsAt(ctx.config, request)
    const attempt = { ...body, address, device, hosts, agent: agentOf(request) }
    const devices = createDevices(await ctx.staffSecret())
    const result = await signInWithPassword(ctx.control, devices, attempt, realTimeOf(ctx))
    return await respondToAttempt(call, 'session.begin', result)
  },
})

/** Responds alike, whether or not there is such a member. */
const forgotten = publicRoute('POST /forgotten', {
  action: 'link.request',
  body: ForgottenBody,
  async handle({ ctx, request, body }) {
    const state = await readStaffMailState(ctx)
    suspect(request, { typed: body.email })
    if (state === 'off') throw fail('mail_not_set_up')
    if (state === 'held') throw fail('on_hold')
    const address = throttleSubject(ctx.config, request)
    await requestPasswordLink(ctx.control, { email: body.email, address }, realTimeOf(ctx))
  },
})

const lookAtLink = publicRoute('POST /link/look', {
  action: 'link.look',
  body: LinkLookupBody,
  async handle({ ctx, request, body }): Promise<Link> {
    suspect(request, { typed: body.token })
    const hosts = passkeyHostsAt(ctx.config, request)
    const link = await getStaffLink(ctx.control.read, body.token, hosts, realTimeOf(ctx))
    const { needsPasskey: needs_passkey, removesPasskeys: removes_passkeys } = link
    const { kind, email, role, name } = link
    return { kind, email, role, name, needs_passkey, removes_passkeys }
  },
})

const useLink = publicRoute('POST /link/use', {
  action: 'link.use',
  body: LinkUseBody,
  async handle({ ctx, request, reply, body }): Promise<SignedIn> {
    suspect(request, { typed: body.token })
    const context = await passwordContext(ctx)
    const { token: link, email, name, password, response } = body
    const passkey = response && {
      ...{ response, secret: await ctx.staffSecret() },
      site: addressOf(ctx.config, request),
    }
    const typed = { token: link, email, name, password }
    const hosts = passkeyHostsAt(ctx.config, request)
    const use = { ...typed, passkey, hosts, agent: agentOf(request), context }
    const { staff, token } = await redeemLink(ctx.control, use, realTimeOf(ctx))
    await replaceSession({ ctx, request, reply }, staff.id, token)
    return { staff }
  },
})

const signOut = staffRoute('POST /sign-out', {
  allowed: 'signed in',
  action: 'session.end',
  async handle({ ctx, request, reply, staff }) {
    const { sessionId } = staffOf(request)
    await ctx.control.write((trx) => endSession(trx, staff.id, sessionId))
    clearSessionCookie(reply, addressOf(ctx.config, request))
  },
})

const signOutEverywhere = staffRoute('POST /sign-out-everywhere', {
  allowed: 'signed in',
  action: 'session.end_all',
  confirmation: 'recent',
  async handle({ ctx, request, reply, staff, note }) {
    note({ sessions: await ctx.control.write((trx) => endSessions(trx, staff.id)) })
    clearSessionCookie(reply, addressOf(ctx.config, request))
  },
})

const setPassword = staffRoute('POST /password', {
  allowed: 'signed in',
  action: 'password.change',
  body: NewPasswordBody,
  async handle({ ctx, request, reply, staff, body }) {
    const { sessionId } = staffOf(request)
    const context = await passwordContext(ctx)
    const hosts = passkeyHostsAt(ctx.config, request)
    const change = { ...body, staffId: staff.id, sessionId, context, hosts }
    const token = await changePassword(ctx.control, change, realTimeOf(ctx))
    await setSessionCookies({ ctx, request, reply }, staff.id, token)
  },
})

export const signInRoutes = [
  ...[signIn, forgotten, lookAtLink, useLink],
  ...[signOut, signOutEverywhere, setPassword],
]
