import { type Command, Option } from 'commander'
import type { Context } from '../../context.ts'
import { FOREVER } from '../../db/tables.ts'
import { grantAccess } from '../../domain/access/grants/grant.ts'
import { explainAccess } from '../../domain/decision/explain.ts'
import { accessNotFound } from '../../domain/passes/records.ts'
import { clocksOf } from '../../domain/payments/context.ts'
import { attemptRefunds } from '../../domain/payments/refunds/attempt-refunds.ts'
import { revokeWithRefund } from '../../domain/payments/refunds/revoke.ts'
import { lockUidByRef } from '../../domain/users/user-ref.ts'
import * as fields from '../../fields.ts'
import { checkRecord } from '../../records/decision.ts'
import { changeDetails } from '../../records/history.ts'
import { refundRecord } from '../../records/refund.ts'
import { noteAudit } from '../audit/audited-command.ts'
import { ACTOR, getEnvironment, withContext } from '../context.ts'
import { addResourceOptions, emailOption, parseTime, parseWith, userRefOption } from '../options.ts'
import { type Output, print } from '../output.ts'
import { formatRefundTable } from '../payments/tables.ts'
import { formatHistoryTable } from './history-table.ts'
import { addHistory, addSearch } from './lists.ts'
import { recordOf, toView } from './record.ts'
import { addKeyOptions, addShow, type Key } from './show.ts'

/** Returns the command, so that further subcommands can be added to it. */
export function addAccessCommands(program: Command): Command {
  const access = program.command('access').description('grant, revoke and show access')
  addGrant(access)
  addKeyOptions(access.command('revoke'))
    .description('revoke access immediately, and cancel the subscription that pays for it')
    .option('--refund', 'refund the current payment')
    .action((options) => withContext((ctx) => revoke(ctx, options)))
  addShow(access)
  addKeyOptions(access.command('why'))
    .description('explain why a user has access or not')
    .action((options) => withContext((ctx) => why(ctx, options)))
  addSearch(access)
  addHistory(access)
  return access
}

function addGrant(access: Command): void {
  addResourceOptions(access.command('grant'))
    .description('grant access, or update an earlier grant')
    .addOption(emailOption().makeOptionMandatory())
    .addOption(userRefOption())
    .addOption(
      new Option(
        '--expires <time>',
        'when it ends, as a date or in seconds; default: never',
      ).argParser(parseTime),
    )
    .addOption(
      new Option('--message <text>', 'text for the email').argParser(parseWith(fields.message)),
    )
    .addOption(
      new Option('--first-name <name>', "the user's first name").argParser(
        parseWith(fields.personName),
      ),
    )
    .addOption(
      new Option('--last-name <name>', "the user's last name").argParser(
        parseWith(fields.personName),
      ),
    )
    .addOption(
      new Option('--tags <tags>', 'comma-separated; replace the old ones').argParser(
        parseWith(fields.tags),
      ),
    )
    .option('--no-mail', 'send no email')
    .action((options) => withContext((ctx) => grant(ctx, options)))
}

interface GrantOptions extends Output {
  aid: string
  rid: string
  email: string
  userRef?: string
  expires?: number
  message?: string
  firstName?: string
  lastName?: string
  tags?: string[]
  mail: boolean
}

async function grant(ctx: Context, options: GrantOptions): Promise<void> {
  const { json, expires, mail, ...input } = options
  const env = await getEnvironment(ctx, input.aid)
  const clocks = { now: env.clock(), realTime: env.realTime() }
  const row = await env.database.write((trx) =>
    grantAccess(
      trx,
      {
        ...input,
        ends: expires ?? FOREVER,
        notify: mail ? env.delivery : undefined,
        actor: ACTOR,
      },
      clocks,
    ),
  )
  noteAudit({ uid: row.uid })
  const data = toView(env, row)
  print({ json }, data, () => recordOf(data))
}

async function revoke(ctx: Context, options: Key & { refund?: boolean }): Promise<void> {
  const { json, aid, rid, userRef, refund = false } = options
  const env = await getEnvironment(ctx, aid)
  const revoked = await env.database.write(async (trx) => {
    const uid = await lockUidByRef(trx, aid, userRef)
    if (uid === undefined) return undefined
    return await revokeWithRefund(trx, { aid, rid, uid, actor: ACTOR, refund }, clocksOf(env))
  })
  if (!revoked) {
    const key = { aid, rid, userRef }
    const message = `${userRef} has no access to ${rid}.`
    throw await accessNotFound(env.database.read, key, env.clock(), message)
  }
  noteAudit({ uid: revoked.access.uid })
  const data = toView(env, revoked.access)
  if (!refund) {
    print({ json }, data, () => recordOf(data))
    return
  }
  const settled = await attemptRefunds(env, revoked.refunds)
  const refunds = settled.map(refundRecord)
  print({ json }, { ...data, refund: refunds.at(-1) ?? null, refunds }, () => {
    const none = 'No payment to refund.'
    return `${recordOf(data)}\n\n${formatRefundTable(settled, none)}`
  })
}

async function why(ctx: Context, { json, ...key }: Key): Promise<void> {
  const env = await getEnvironment(ctx, key.aid)
  const { history, decision, ...answer } = await env.database.snapshot((db) =>
    explainAccess(db, key, env.clock()),
  )
  const { userRef, ...which } = key
  const data = {
    ...{ ...answer, ...which, environment: env.name, history: history.map(changeDetails) },
    user_ref: userRef,
    ...(decision ? { check: checkRecord(decision) } : {}),
  }
  print({ json }, data, () =>
    history.length === 0 ? answer.reason : `${answer.reason}\n\n${formatHistoryTable(history)}`,
  )
}
