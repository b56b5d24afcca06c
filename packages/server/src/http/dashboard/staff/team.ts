import type { Context } from '../../../context.ts'
import { findMailSecret, readStaffMailState } from '../../../domain/notifications/context.ts'
import { linkAddress } from '../../../domain/staff/link-addresses.ts'
import {
  createInvitation,
  createResetLink,
  type NewStaffLink,
  withdrawInvitation,
} from '../../../domain/staff/links.ts'
import { readPasskeyPolicy } from '../../../domain/staff/passkey-only.ts'
import {
  choosePasskeyOnly,
  choosePasskeyPolicy,
  giveRole,
} from '../../../domain/staff/require-passkeys.ts'
import { endSessions } from '../../../domain/staff/sessions.ts'
import { disableStaff, enableStaff, getStaff } from '../../../domain/staff/staff.ts'
import { listInvitations, listStaff } from '../../../domain/staff/team.ts'
import { passkeyHostsAt } from '../origin.ts'
import { OWNERS, staffRoute, type Target } from '../route.ts'
import {
  InvitationBody,
  type NewLink,
  NewRoleBody,
  PasskeyOnlyBody,
  PasskeyPolicyBody,
  type Team,
  WithdrawalBody,
} from './schemas.ts'
import { whereChanged } from './session-entry.ts'
import { realTimeOf } from './sign-in.ts'

const team = staffRoute('GET /team', {
  allowed: OWNERS,
  async handle({ ctx, request }): Promise<Team> {
    const { read } = ctx.control
    return {
      members: await listStaff(read, passkeyHostsAt(ctx.config, request)),
      invitations: await listInvitations(read, realTimeOf(ctx)),
      passkey_policy: await readPasskeyPolicy(read),
    }
  },
})

const showLink = async (ctx: Context, made: NewStaffLink, email: string): Promise<NewLink> => ({
  link: linkAddress(ctx, made),
  ends_at: made.ends_at,
  mail: await readStaffMailState(ctx),
  email,
})

const inviteMember = staffRoute('POST /team/invite', {
  allowed: OWNERS,
  action: 'team.invite',
  confirmation: 'recent',
  body: InvitationBody,
  async handle({ ctx, body, note, staff }): Promise<NewLink> {
    const { role } = body
    const email = body.email.trim()
    const secret = await findMailSecret(ctx)
    const made = await ctx.control.write((trx) =>
      createInvitation(trx, { email, role, by: staff }, realTimeOf(ctx), secret),
    )
    note({ email, role })
    return await showLink(ctx, made, email)
  },
})

const withdraw = staffRoute('POST /team/withdraw', {
  allowed: OWNERS,
  action: 'team.withdraw',
  body: WithdrawalBody,
  async handle({ ctx, body: { email }, note }) {
    await ctx.control.write((trx) => withdrawInvitation(trx, email))
    note({ email: email.trim() })
  },
})

const setRole = staffRoute('PATCH /team/:id', {
  allowed: OWNERS,
  action: 'team.role',
  confirmation: 'recent',
  body: NewRoleBody,
  async handle({ ctx, request, params, body, note }) {
    const { role } = body
    const where = whereChanged(ctx, request)
    const { email } = await ctx.control.write((trx) => giveRole(trx, params.id ?? '', role, where))
    note({ email, role })
  },
})

/** Defines a route that disables or enables a member. */
const switchRoute = (target: Target, action: string, switchMember: typeof disableStaff) =>
  staffRoute(target, {
    allowed: OWNERS,
    action,
    confirmation: 'recent',
    async handle({ ctx, params, note }) {
      const now = realTimeOf(ctx)
      const { email } = await ctx.control.write((trx) => switchMember(trx, params.id ?? '', now))
      note({ email })
    },
  })

const disable = switchRoute('POST /team/:id/disable', 'team.disable', disableStaff)
const enable = switchRoute('POST /team/:id/enable', 'team.enable', enableStaff)

const signOut = staffRoute('POST /team/:id/sign-out', {
  allowed: OWNERS,
  action: 'team.sign_out',
  confirmation: 'recent',
  async handle({ ctx, params, note }) {
    const id = params.id ?? ''
    const { email } = await getStaff(ctx.control.read, id)
    const sessions = await ctx.control.write((trx) => endSessions(trx, id))
    note({ email, sessions })
  },
})

const reset = staffRoute('POST /team/:id/reset', {
  allowed: OWNERS,
  action: 'team.reset',
  confirmation: 'recent',
  async handle({ ctx, params, note, staff }): Promise<NewLink> {
    const id = params.id ?? ''
    const { email } = await getStaff(ctx.control.read, id)
    const secret = await findMailSecret(ctx)
    const made = await ctx.control.write((trx) =>
      createResetLink(trx, id, staff, realTimeOf(ctx), secret),
    )
    note({ email })
    return await showLink(ctx, made, email)
  },
})

const choosePasskey = staffRoute('PUT /team/:id/passkey-only', {
  allowed: OWNERS,
  action: 'team.passkey_only',
  confirmation: 'recent',
  body: PasskeyOnlyBody,
  async handle({ ctx, request, params, body: { on }, note }) {
    const where = whereChanged(ctx, request)
    const { email } = await ctx.control.write((trx) =>
      choosePasskeyOnly(trx, params.id ?? '', on, where),
    )
    note({ email, on })
  },
})

const setPolicy = staffRoute('PUT /team/passkey-policy', {
  allowed: OWNERS,
  action: 'team.passkey_policy',
  confirmation: 'recent',
  body: PasskeyPolicyBody,
  async handle({ ctx, request, body: { policy }, note }) {
    note({ policy })
    const where = whereChanged(ctx, request)
    await ctx.control.write((trx) => choosePasskeyPolicy(trx, policy, where))
  },
})

export const teamRoutes = [
  ...[team, inviteMember, withdraw, setRole, disable, enable, signOut, reset],
  ...[choosePasskey, setPolicy],
]
