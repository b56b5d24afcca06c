import { confirmWithPasskey } from '../../../domain/staff/passkeys.ts'
import { confirmWithPassword } from '../../../domain/staff/sign-in.ts'
import { addressOf } from '../origin.ts'
import { staffRoute } from '../route.ts'
import { ConfirmationBody, PasskeySignInBody } from './schemas.ts'
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
  async handle({ ctx, request, body }) {
    await confirmWithPassword(ctx.control, staffOf(request), body.password, realTimeOf(ctx))
  },
})

const withPasskey = staffRoute('POST /confirmation/passkey', {
  allowed: 'signed in',
  action: 'session.confirm',
  body: PasskeySignInBody,
  async handle({ ctx, request, body }) {
    const attempt = { response: body.response, secret: await ctx.staffSecret() }
    const site = addressOf(ctx.config, request)
    await confirmWithPasskey(ctx.control, site, staffOf(request), attempt, realTimeOf(ctx))
  },
})

export const confirmationRoutes = [check, withPassword, withPasskey]
