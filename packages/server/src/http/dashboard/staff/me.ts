import { ENVIRONMENTS, type Environment } from '../../../context.ts'
import { listApplications } from '../../../domain/apps/applications.ts'
import { providerOf } from '../../../domain/connections/view.ts'
import { listCounterparts } from '../../../domain/copy/pairs.ts'
import { describeHold } from '../../../domain/installation/hold.ts'
import { requireName } from '../../../domain/staff/fields.ts'
import { listManagementTokens } from '../../../domain/staff/management-tokens.ts'
import { readPasskeyOnly } from '../../../domain/staff/passkey-only.ts'
import { endSession, listSessions } from '../../../domain/staff/sessions.ts'
import { renameStaff, type StaffMember } from '../../../domain/staff/staff.ts'
import { listStaff } from '../../../domain/staff/team.ts'
import { version } from '../../../version.ts'
import { passkeyHostsAt } from '../origin.ts'
import { staffRoute } from '../route.ts'
import {
  type Colleague,
  type EnvironmentOfMe,
  type Me,
  NewNameBody,
  type Session,
} from './schemas.ts'
import { staffOf } from './session-entry.ts'
import { realTimeOf } from './sign-in.ts'

const me = staffRoute('GET /me', {
  allowed: 'signed in',
  async handle({ ctx, request, staff }): Promise<Me> {
    const environments: EnvironmentOfMe[] = []
    const counterparts = await listCounterparts(ctx.control.read)
    for (const name of ENVIRONMENTS)
      environments.push(await showEnvironment(ctx.environments[name], counterparts))
    const hasSandbox = ctx.config.exposure.sandbox !== 'off'
    if (!hasSandbox)
      for (const one of environments) if (one.name === 'sandbox') one.applications = []
    const { hold, detached } = await ctx.gate.state()
    const hosts = passkeyHostsAt(ctx.config, request)
    return {
      staff,
      environments,
      hold: hold ? { since: hold.since, why: describeHold(hold) } : null,
      detached: detached !== undefined,
      has_sandbox: hasSandbox,
      version: version(),
      passkey_only: await readPasskeyOnly(ctx.control.read, staff.id, hosts),
    }
  },
})

async function showEnvironment(
  env: Environment,
  counterparts: ReadonlyMap<string, string>,
): Promise<EnvironmentOfMe> {
  await env.refreshClock()
  const applications = await listApplications(env.database.read)
  return {
    name: env.name,
    delivery: env.delivery,
    payments: providerOf(env),
    time: env.clock(),
    clock_offset: env.clockOffset(),
    address: env.address(),
    applications: applications.map(({ aid, name, currency, time_zone, archived }) => ({
      ...{ aid, name, currency, time_zone },
      archived: archived !== null,
      paired_with: counterparts.get(aid) ?? null,
    })),
  }
}

const rename = staffRoute('PATCH /me', {
  allowed: 'signed in',
  action: 'me.rename',
  body: NewNameBody,
  async handle({ ctx, staff, body }): Promise<StaffMember> {
    const name = requireName(body.name)
    return await ctx.control.write((trx) => renameStaff(trx, staff.id, name))
  },
})

/** Names for histories and notes, which name staff and tokens by id. Disabled members and revoked tokens are included. */
const colleagues = staffRoute('GET /colleagues', {
  allowed: 'signed in',
  async handle({ ctx }): Promise<{ data: Colleague[] }> {
    const staff = await listStaff(ctx.control.read, undefined)
    const tokens = await listManagementTokens(ctx.control.read)
    return {
      data: [
        ...staff.map(({ id, name }) => ({ id, name, is_token: false })),
        ...tokens.map(({ id, name }) => ({ id, name, is_token: true })),
      ],
    }
  },
})

const sessions = staffRoute('GET /sessions', {
  allowed: 'signed in',
  async handle({ ctx, request, staff }): Promise<{ data: Session[] }> {
    const { sessionId } = staffOf(request)
    const rows = await listSessions(ctx.control.read, staff.id, realTimeOf(ctx))
    return { data: rows.map((row) => ({ ...row, current: row.id === sessionId })) }
  },
})

const end = staffRoute('DELETE /sessions/:id', {
  allowed: 'signed in',
  action: 'session.end_other',
  confirmation: 'recent',
  async handle({ ctx, staff, params }) {
    await ctx.control.write((trx) => endSession(trx, staff.id, params.id ?? ''))
  },
})

export const meRoutes = [me, rename, colleagues, sessions, end]
