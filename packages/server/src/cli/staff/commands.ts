import { type Command, Option } from 'commander'
import type { Context } from '../../context.ts'
import { type AuditedAction, recordAudit } from '../../domain/staff/audit.ts'
import { linkAddress } from '../../domain/staff/link-addresses.ts'
import {
  invite,
  type MadeLink,
  makeResetLink,
  withdrawInvitation,
} from '../../domain/staff/links.ts'
import {
  disableStaff,
  enableStaff,
  findStaffByEmail,
  type Role,
  type StaffRow,
} from '../../domain/staff/staff.ts'
import { type ListedMember, listStaff } from '../../domain/staff/team.ts'
import { email } from '../../domain/users/email.ts'
import { fail } from '../../errors.ts'
import { formatTime, type Output, parseWith, print, table, withContext } from '../shared.ts'

const ROLES: readonly Role[] = ['owner', 'developer', 'support', 'reader']

export function addStaffCommands(program: Command): void {
  const staff = program.command('staff').description('who may use the dashboard')
  const named = (name: string) =>
    staff.command(name).argument('<email>', 'of the member', parseWith(email))

  staff
    .command('list')
    .description('everybody, and who was disabled')
    .action((options) => withContext((ctx) => list(ctx, options)))

  named('invite')
    .addOption(
      new Option('--role <role>', 'what the member may do').choices(ROLES).makeOptionMandatory(),
    )
    .description('make a link with which somebody joins; good for 7 days, once')
    .action((address, options) => withContext((ctx) => inviteMember(ctx, address, options)))

  named('withdraw')
    .description('take back an invitation that is still open')
    .action((address, options) => withContext((ctx) => withdraw(ctx, address, options)))

  named('reset')
    .description('make a link with which a member chooses a new password; good for a day, once')
    .action((address, options) => withContext((ctx) => reset(ctx, address, options)))

  named('disable')
    .description('let a member in no more, from this moment on')
    .action((address, options) => withContext((ctx) => disable(ctx, address, options)))

  named('enable')
    .description('let a member in again')
    .action((address, options) => withContext((ctx) => enable(ctx, address, options)))
}

const realTimeOf = ({ environments }: Context) => environments.production.realTime()

async function list(ctx: Context, options: Output): Promise<void> {
  const members = await listStaff(ctx.control.read)
  const shown = (at: number | null) => (at === null ? '' : formatTime(Math.floor(at / 1000)))
  const row = (one: ListedMember) => [
    ...[one.email, one.name, one.role, one.passkeys],
    ...[one.created_at, one.seen_at, one.disabled_at].map(shown),
  ]
  const head = ['email', 'name', 'role', 'passkeys', 'created', 'seen', 'disabled']
  const none = 'Nobody yet. The start prints a link for the first owner: gatehouse serve'
  print(options, members, () => table(head, members.map(row), none))
}

async function getMember(ctx: Context, address: string): Promise<StaffRow> {
  const member = await findStaffByEmail(ctx.control.read, address)
  if (!member) throw fail('staff_not_found', `Nobody on the team has the address ${address}.`)
  return member
}

type Done = Pick<AuditedAction, 'action' | 'params' | 'details'>

const record = (ctx: Context, done: Done) =>
  recordAudit(ctx.control, { staff: undefined, ...done }, 'done', realTimeOf(ctx))

function printLink(ctx: Context, options: Output, made: MadeLink, address: string, aim: string) {
  const link = linkAddress(ctx, made)
  const ends = Math.floor(made.ends_at / 1000)
  print(options, { email: address, link, ends }, () => {
    return `${aim} until ${formatTime(ends)}, once:\n\n  ${link}\n`
  })
}

async function inviteMember(
  ctx: Context,
  address: string,
  options: Output & { role: Role },
): Promise<void> {
  const { role } = options
  const made = await ctx.control.write((trx) =>
    invite(trx, { email: address, role, by: undefined }, realTimeOf(ctx)),
  )
  await record(ctx, { action: 'team.invite', details: { email: address, role } })
  printLink(ctx, options, made, address, `With this link ${address} joins as ${role},`)
}

async function withdraw(ctx: Context, address: string, options: Output): Promise<void> {
  await ctx.control.write((trx) => withdrawInvitation(trx, address))
  await record(ctx, { action: 'team.withdraw', details: { email: address } })
  print(options, { email: address, withdrawn: true }, () => {
    return `The invitation of ${address} leads nowhere any more.`
  })
}

async function reset(ctx: Context, address: string, options: Output): Promise<void> {
  const { id, email: known } = await getMember(ctx, address)
  const made = await ctx.control.write((trx) => makeResetLink(trx, id, undefined, realTimeOf(ctx)))
  await record(ctx, { action: 'team.reset', params: { id }, details: { email: known } })
  printLink(ctx, options, made, known, `With this link ${known} chooses a new password,`)
}

async function disable(ctx: Context, address: string, options: Output): Promise<void> {
  const { id } = await getMember(ctx, address)
  const member = await ctx.control.write((trx) => disableStaff(trx, id, realTimeOf(ctx)))
  await record(ctx, { action: 'team.disable', params: { id }, details: { email: member.email } })
  print(options, { id, email: member.email, disabled: true }, () => {
    return `${member.email} is let in no more, and was signed out everywhere.`
  })
}

async function enable(ctx: Context, address: string, options: Output): Promise<void> {
  const { id } = await getMember(ctx, address)
  const member = await ctx.control.write((trx) => enableStaff(trx, id))
  await record(ctx, { action: 'team.enable', params: { id }, details: { email: member.email } })
  print(options, { id, email: member.email, disabled: false }, () => {
    return `${member.email} may sign in again.`
  })
}
