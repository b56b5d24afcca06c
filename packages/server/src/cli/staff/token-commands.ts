import { type Command, Option } from 'commander'
import type { Context } from '../../context.ts'
import { recordAudit } from '../../domain/staff/audit.ts'
import {
  confirmManagementToken,
  createManagementToken,
  listManagementTokens,
  revokeManagementToken,
  TOKEN_ROLES,
  type TokenRole,
  type TokenRow,
  tokenName,
} from '../../domain/staff/management-tokens.ts'
import { listSuspendedTokens } from '../../domain/staff/restored-access.ts'
import { OperatorError } from '../../errors.ts'
import { withContext } from '../context.ts'
import { addList, fieldColumns } from '../list.ts'
import { aidOption, parseTime, parseWith } from '../options.ts'
import { type Output, print } from '../output.ts'
import { roleName, roleOption } from './role-name.ts'
import { formatMillis, realTimeOf } from './times.ts'

export function addTokenCommands(program: Command): void {
  const token = program.command('token').description('manage the tokens of the management API')

  token
    .command('create')
    .addOption(
      new Option('--name <name>', 'what uses it, such as CMS: shown in the audit log')
        .argParser(parseWith(tokenName))
        .makeOptionMandatory(),
    )
    .addOption(roleOption(TOKEN_ROLES, 'what it may do'))
    .addOption(aidOption('the only application that it may use; all if not given'))
    .addOption(
      new Option(
        '--expires <time>',
        'when it stops working: seconds since 1970 or a date; never if not given',
      ).argParser(parseTime),
    )
    .description('create a token and print it once')
    .action((options) => withContext((ctx) => create(ctx, options)))

  addList(token, 'list', {
    description: 'list tokens, including revoked ones',
    filters: [],
    find: (ctx) => listManagementTokens(ctx.control.read),
    columns: {
      ...fieldColumns<TokenRow>('id', 'name'),
      starts: (one) => one.start,
      role: (one) => roleName(one.role),
      application: (one) => one.aid ?? 'all',
      created: (one) => formatMillis(one.created_at),
      used: (one) => formatMillis(one.used_at),
      expires: (one) => formatMillis(one.ends_at),
      revoked: (one) => formatMillis(one.revoked_at),
      waits: (one) => formatMillis(one.suspended_at),
    },
    toJson: withoutDigest,
    none: 'There are no tokens. Create one with: gatehouse token create',
  })

  token
    .command('confirm')
    .argument('[id]', 'the id of the token, as gatehouse token list shows it')
    .option('--all', 'all tokens that wait')
    .description('let tokens work again that wait since a restore')
    .action((id, options) => withContext((ctx) => confirm(ctx, id, options)))

  token
    .command('revoke')
    .argument('<id>', 'the id of the token, as gatehouse token list shows it')
    .description('stop a token from working, immediately and forever')
    .action((id, options) => withContext((ctx) => revoke(ctx, id, options)))
}

const withoutDigest = ({ digest: _, ...row }: TokenRow) => row

interface CreateOptions extends Output {
  name: string
  role: TokenRole
  aid?: string
  expires?: number
}

async function create(ctx: Context, options: CreateOptions): Promise<void> {
  const { name, role, aid = null, expires } = options
  const endsAt = expires === undefined ? null : expires * 1000
  const now = realTimeOf(ctx)
  const made = await ctx.control.write(async (trx) => {
    const input = { name, role, aid, endsAt, madeBy: null }
    const created = await createManagementToken(trx, input, now)
    const details = { name, role, token: created.row.id, ...(aid === null ? {} : { for: aid }) }
    await recordAudit(trx, { staff: undefined, action: 'token.create', details }, 'done', now)
    return created
  })
  print(options, { ...withoutDigest(made.row), token: made.token }, () => {
    return `Token ${name}, with the role ${roleName(role)}. It is not shown again:\n\n  ${made.token}`
  })
}

async function confirm(
  ctx: Context,
  id: string | undefined,
  { all = false, ...options }: Output & { all?: boolean },
): Promise<void> {
  if (all === (id !== undefined)) throw new OperatorError(CONFIRM_USAGE)
  const now = realTimeOf(ctx)
  const confirmed = await ctx.control.write(async (trx) => {
    const entry = { staff: undefined, action: 'token.confirm' }
    const names: string[] = []
    for (const one of id === undefined ? await listSuspendedTokens(trx) : [id]) {
      const { name } = await confirmManagementToken(trx, one)
      await recordAudit(trx, { ...entry, params: { id: one }, details: { name } }, 'done', now)
      names.push(name)
    }
    return names
  })
  print(options, { confirmed }, () =>
    confirmed.length === 0
      ? 'No token waits.'
      : `${confirmed.join(', ')}: ${confirmed.length === 1 ? 'works' : 'work'} again.`,
  )
}

const CONFIRM_USAGE =
  'name the token (gatehouse token confirm ID), or confirm all that wait (gatehouse token confirm --all)'

async function revoke(ctx: Context, id: string, options: Output): Promise<void> {
  const now = realTimeOf(ctx)
  const row = await ctx.control.write(async (trx) => {
    const revoked = await revokeManagementToken(trx, id, now)
    const entry = { staff: undefined, action: 'token.revoke', params: { id } }
    await recordAudit(trx, { ...entry, details: { name: revoked.name } }, 'done', now)
    return revoked
  })
  print(options, withoutDigest(row), () => `Revoked the token ${row.name}.`)
}
