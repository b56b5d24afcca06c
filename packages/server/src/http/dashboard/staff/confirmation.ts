import { confirmWithPasskey } from '../../../domain/staff/passkeys.ts'
import { confirmWithPassword } from '../../../domain/staff/sign-in.ts'
import { addressOf, passkeyHostsAt } from '../origin.ts'
import { staffRoute } from '../route.ts'
import { ConfirmationBody, PasskeySignInBody } from './schemas.ts'
import { setSessionCookies } from './session.ts'
import { staffOf } from './session-entry.ts'
import { realTimeOf } from './sign-in.ts'

/** Refused unless the member has confirmed lately. A page asks this before the browser downloads a file, which has no way
 * to ask for a password. */
const check = staffRoute('GET /confirmation', {
  allowed: 'signed in',
  confirmation: 'recent',
  async handle() {},
})

const withPassword = staffRoute('POST /confirmation', {
  allowed: 'signed in',
  action: 'session.confirm',
  body: ConfirmationBody,
  async handle(call) {
    const { ctx, request, staff, body } = call
    const now = realTimeOf(ctx)
    const attempt = { password: body.password, hosts: passkeyHostsAt(ctx.config, request) }
    const token = await confirmWithPassword(ctx.control, staffOf(request), attempt, now)
    await setSessionCookies(call, staff.id, token)
  },
})

const withPasskey = staffRoute('POST /confirmation/passkey', {
  allowed: 'signed in',
  action: 'session.confirm',
  body: PasskeySignInBody,
  async handle(call) {
    const { ctx, request, staff, body } = call
    const attempt = { response: body.response, secret: await ctx.staffSecret() }
    const site = addressOf(ctx.config, request)
    const now = realTimeOf(ctx)
    const token = await confirmWithPasskey(ctx.control, site, staffOf(request), attempt, now)
    await setSessionCookies(call, staff.id, token)
  },
})

export const confirmationRoutes = [check, withPassword, withPasskey]
