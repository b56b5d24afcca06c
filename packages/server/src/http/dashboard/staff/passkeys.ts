import { listPasskeys, removePasskey, renamePasskey } from '../../../domain/staff/own-passkeys.ts'
import {
  addPasskey,
  createPasskeyChallenge,
  createPasskeyRegistrationOptions,
  signInWithPasskey,
} from '../../../domain/staff/passkeys.ts'
import { choosePasskeyOnly } from '../../../domain/staff/require-passkeys.ts'
import { addressOf, passkeyHostsAt } from '../origin.ts'
import { suspect } from '../refusals.ts'
import { publicRoute, staffRoute } from '../route.ts'
import {
  NewNameBody,
  NewPasskeyBody,
  type Passkey,
  PasskeyOnlyBody,
  PasskeySignInBody,
  type SignedIn,
} from './schemas.ts'
import { staffOf, whereChanged } from './session-entry.ts'
import { agentOf, realTimeOf, respondToAttempt } from './sign-in.ts'

const challenge = publicRoute('POST /passkeys/sign-in/options', {
  action: 'passkey.challenge',
  async handle({ ctx, request }) {
    const site = addressOf(ctx.config, request)
    return await createPasskeyChallenge(site, await ctx.staffSecret(), realTimeOf(ctx))
  },
})

const signIn = publicRoute('POST /passkeys/sign-in', {
  action: 'session.begin_with_passkey',
  body: PasskeySignInBody,
  async handle(call): Promise<SignedIn> {
    const { ctx, request, body } = call
    const { id } = body.response as { id?: unknown }
    suspect(request, { typed: String(id) })
    const secret = await ctx.staffSecret()
    const attempt = { response: body.response, secret, agent: agentOf(request) }
    const site = addressOf(ctx.config, request)
    const result = await signInWithPasskey(ctx.control, site, attempt, realTimeOf(ctx))
    return await respondToAttempt(call, 'session.begin_with_passkey', result)
  },
})

const offer = staffRoute('POST /passkeys/options', {
  allowed: 'signed in',
  action: 'passkey.offer',
  confirmation: 'recent',
  async handle({ ctx, request, staff }) {
    return await createPasskeyRegistrationOptions(
      ctx.control,
      addressOf(ctx.config, request),
      staff,
      realTimeOf(ctx),
    )
  },
})

const add = staffRoute('POST /passkeys', {
  allowed: 'signed in',
  action: 'passkey.add',
  body: NewPasskeyBody,
  async handle({ ctx, request, body, note }): Promise<Passkey> {
    const site = addressOf(ctx.config, request)
    const member = staffOf(request)
    const input = { ...body, hosts: passkeyHostsAt(ctx.config, request) }
    const passkey = await addPasskey(ctx.control, site, member, input, realTimeOf(ctx))
    note({ passkey: passkey.id })
    return passkey
  },
})

const list = staffRoute('GET /passkeys', {
  allowed: 'signed in',
  async handle({ ctx, staff }): Promise<{ data: Passkey[] }> {
    return { data: await listPasskeys(ctx.control.read, staff.id) }
  },
})

const rename = staffRoute('PATCH /passkeys/:id', {
  allowed: 'signed in',
  action: 'passkey.rename',
  body: NewNameBody,
  async handle({ ctx, staff, params, body }) {
    await ctx.control.write((trx) => renamePasskey(trx, staff.id, params.id ?? '', body.name))
  },
})

const remove = staffRoute('DELETE /passkeys/:id', {
  allowed: 'signed in',
  action: 'passkey.remove',
  confirmation: 'recent',
  async handle({ ctx, staff, params }) {
    const now = realTimeOf(ctx)
    await ctx.control.write((trx) => removePasskey(trx, staff.id, params.id ?? '', now))
  },
})

/** The member's own choice; the installation may require it anyway. */
const choose = staffRoute('PUT /passkeys/only', {
  allowed: 'signed in',
  action: 'passkey.only',
  confirmation: 'recent',
  body: PasskeyOnlyBody,
  async handle({ ctx, request, staff, body, note }) {
    note({ on: body.on })
    const where = whereChanged(ctx, request)
    await ctx.control.write((trx) => choosePasskeyOnly(trx, staff.id, body.on, where))
  },
})

export const passkeyRoutes = [challenge, signIn, offer, add, list, rename, remove, choose]
