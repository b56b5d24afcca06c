import type { Command } from 'commander'
import { dashboardHosts } from '../../config/public-origins.ts'
import type { Context } from '../../context.ts'
import {
  findMailSecret,
  readStaffMailState,
  type StaffMailState,
} from '../../domain/notifications/context.ts'
import { linkAddress } from '../../domain/staff/link-addresses.ts'
import {
  createInvitation,
  createResetLink,
  type NewStaffLink,
  withdrawInvitation,
} from '../../domain/staff/links.ts'
import { disableStaff, enableStaff, type Role } from '../../domain/staff/staff.ts'
import { listStaff } from '../../domain/staff/team.ts'
import { email } from '../../domain/users/email.ts'
import { formatTime } from '../../format-time.ts'
import { withContext } from '../context.ts'
import { addList, fieldColumns } from '../list.ts'
import { parseWith } from '../options.ts'
import { type Output, print } from '../output.ts'
import { getMember } from './member.ts'
import { addPasskeyPolicyCommand, requirePasskey } from './passkey-commands.ts'
import { roleName, roleOption } from './role-name.ts'
import { formatMillis, realTimeOf } from './times.ts'

const ROLES: readonly Role[] = ['owner', 'developer', 'support', 'reader']

type StaffItem = Awaited<ReturnType<typeof listStaff>>[number]

type MemberAction<O extends Output> = (ctx: Context, address: string, options: O) => Promise<void>

export function addStaffCommands(program: Command): void {
  const staff = program.command('staff').description('manage who can use the dashboard')
  const memberCommand = <O extends Output>(name: string, act: MemberAction<O>) =>
    staff
      .command(name)
      .argument('<email>', "the member's email address", parseWith(email))
      .action((address, options) => withContext((ctx) => act(ctx, address, options)))

  addList(staff, 'list', {
    description: 'list members, including disabled ones',
    filters: [],
    find: (ctx) => listStaff(ctx.control.read, dashboardHosts(ctx.config)),
    columns: {
      ...fieldColumns<StaffItem>('email', 'name'),
      role: (one) => roleName(one.role),
      passkeys: (one) => one.passkeys,
      'passkey only': (one) => (one.passkey_only === 'no' ? '' : one.passkey_only),
      created: (one) => formatMillis(one.created_at),
      seen: (one) => formatMillis(one.seen_at),
      disabled: (one) => formatMillis(one.disabled_at),
    },
    none: 'Nobody yet. Invite the first owner with: gatehouse staff invite EMAIL --role owner',
  })

  memberCommand('invite', inviteMember)
    .description('invite a member: print a link that works once, for 7 days, and email it')
    .addOption(roleOption(ROLES, 'what the member may do'))
  memberCommand('withdraw', withdraw).description('withdraw an open invitation')
  memberCommand('reset', reset).description(
    'print and email a link to set a new password that works once, for a day',
  )
  memberCommand('require-passkey', requirePasskey)
    .description('let a member who has a passkey sign in only with it')
    .option('--off', 'let the member sign in with the password alone again')
  addPasskeyPolicyCommand(staff)
  memberCommand('disable', disable).description('stop a member from signing in, immediately')
  memberCommand('enable', enable).description('allow a member to sign in again')
}

async function printLink(
  ctx: Context,
  options: Output,
  made: NewStaffLink,
  address: string,
  aim: string,
): Promise<void> {
  const link = linkAddress(ctx, made)
  const ends = Math.floor(made.ends_at / 1000)
  const mail = await readStaffMailState(ctx)
  print(options, { email: address, link, ends, mail }, () => {
    return `${aim} It works once, until ${formatTime(ends)}:\n\n  ${link}\n\n${MAIL_TEXTS[mail](address)}`
  })
}

/** A command queues the email; the service sends it. */
const MAIL_TEXTS: Record<StaffMailState, (address: string) => string> = {
  ready: (address) =>
    `The service also emails it to ${address}, if it is running or when it starts.`,
  held: (address) =>
    `This installation is on hold: the link is emailed to ${address} after gatehouse resume.`,
  off: () =>
    'No email is sent, because this command finds no mail server for production (GATEHOUSE_SMTP_URL, or the dashboard’s settings). Pass the link on yourself.',
}

async function inviteMember(
  ctx: Context,
  address: string,
  options: Output & { role: Role },
): Promise<void> {
  const { role } = options
  const secret = await findMailSecret(ctx)
  const made = await ctx.control.write((trx) =>
    createInvitation(trx, { email: address, role, by: undefined }, realTimeOf(ctx), secret),
  )
  await printLink(
    ctx,
    options,
    made,
    address,
    `With this link, ${address} can join as ${roleName(role)}.`,
  )
}

async function withdraw(ctx: Context, address: string, options: Output): Promise<void> {
  await ctx.control.write((trx) => withdrawInvitation(trx, address))
  print(options, { email: address, withdrawn: true }, () => {
    return `Withdrew the invitation of ${address}. Its link no longer works.`
  })
}

async function reset(ctx: Context, address: string, options: Output): Promise<void> {
  const { id, email: known } = await getMember(ctx, address)
  const secret = await findMailSecret(ctx)
  const made = await ctx.control.write((trx) =>
    createResetLink(trx, id, undefined, realTimeOf(ctx), secret),
  )
  await printLink(ctx, options, made, known, `With this link, ${known} can set a new password.`)
}

async function disable(ctx: Context, address: string, options: Output): Promise<void> {
  const { id } = await getMember(ctx, address)
  const member = await ctx.control.write((trx) => disableStaff(trx, id, realTimeOf(ctx)))
  print(options, { id, email: member.email, disabled: true }, () => {
    return `Disabled ${member.email}, who was signed out everywhere and can't sign in again.`
  })
}

async function enable(ctx: Context, address: string, options: Output): Promise<void> {
  const { id } = await getMember(ctx, address)
  const member = await ctx.control.write((trx) => enableStaff(trx, id))
  print(options, { id, email: member.email, disabled: false }, () => {
    return `Enabled ${member.email}, who can sign in again.`
  })
}
