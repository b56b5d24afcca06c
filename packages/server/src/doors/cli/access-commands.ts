import { type Command, Option } from 'commander'
import type { AccessKey } from '../../access/details.ts'
import { grantAccess } from '../../access/grant.ts'
import { revokeAccess } from '../../access/revoke.ts'
import { explainAccess, listRecords, listSources } from '../../access/why.ts'
import type { Context } from '../../context.ts'
import { FOREVER } from '../../db/tables.ts'
import { fail } from '../../errors.ts'
import * as is from '../../kinds.ts'
import { findUidByRef, lockUidByRef } from '../../users/users.ts'
import { addHistory, addSearch } from './access-lists.ts'
import { recordOf, shown } from './access-record.ts'
import { historyTable, showChange } from './history-table.ts'
import {
  ACTOR,
  aidOption,
  emailOption,
  environmentOf,
  type Output,
  parseTime,
  print,
  reading,
  ridOption,
  showTime,
  table,
  userRefOption,
  withContext,
} from './shared.ts'

/** Returns the command, for those that hang on it elsewhere. */
export function addAccessCommands(program: Command): Command {
  const access = program.command('access').description('who may see what')
  addGrant(access)
  named(access.command('revoke'))
    .description('end an access at once')
    .action((options) => withContext((ctx) => revoke(ctx, options)))
  named(access.command('show'))
    .description('the record, also an expired or revoked one, and what holds it open')
    .action((options) => withContext((ctx) => show(ctx, options)))
  named(access.command('why'))
    .description('why a user has access, or not')
    .action((options) => withContext((ctx) => why(ctx, options)))
  addSearch(access)
  addHistory(access)
  return access
}

/** The options that name one access. */
function named(command: Command): Command {
  return command
    .addOption(aidOption().makeOptionMandatory())
    .addOption(ridOption().makeOptionMandatory())
    .addOption(userRefOption().makeOptionMandatory())
}

type Key = AccessKey & Output

function addGrant(access: Command): void {
  access
    .command('grant')
    .description('grant access; a repeated grant updates the record')
    .addOption(aidOption().makeOptionMandatory())
    .addOption(ridOption().makeOptionMandatory())
    .addOption(emailOption().makeOptionMandatory())
    .addOption(userRefOption())
    .addOption(
      new Option('--expires <time>', 'its end, as a date or in seconds; none unless set').argParser(
        parseTime,
      ),
    )
    .addOption(new Option('--message <text>', 'shown in the mail').argParser(reading(is.message)))
    .addOption(
      new Option('--first-name <name>', "part of the user's name").argParser(
        reading(is.personName),
      ),
    )
    .addOption(
      new Option('--last-name <name>', "part of the user's name").argParser(reading(is.personName)),
    )
    .addOption(
      new Option('--tags <tags>', 'with commas between them; replace the old ones').argParser(
        reading(is.tags),
      ),
    )
    .option('--no-mail', 'send no notification')
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
  const { json, expires, mail, ...wish } = options
  const env = await environmentOf(ctx, wish.aid)
  const times = { now: env.clock(), wall: env.wall() }
  const row = await env.database.write((trx) =>
    grantAccess(trx, times, {
      ...wish,
      ends: expires ?? FOREVER,
      notify: mail ? env.delivery : undefined,
      actor: ACTOR,
    }),
  )
  const data = shown(env, row)
  print({ json }, data, () => recordOf(data))
}

async function revoke(ctx: Context, { json, aid, rid, userRef }: Key): Promise<void> {
  const env = await environmentOf(ctx, aid)
  const row = await env.database.write(async (trx) => {
    const uid = await lockUidByRef(trx, aid, userRef)
    if (uid === undefined) return undefined
    return await revokeAccess(trx, { aid, rid, uid, actor: ACTOR }, env.clock())
  })
  if (!row) throw fail('access_not_found', `${userRef} has no access to ${rid} to revoke.`)
  const data = shown(env, row)
  print({ json }, data, () => recordOf(data))
}

async function show(ctx: Context, { json, aid, rid, userRef }: Key): Promise<void> {
  const env = await environmentOf(ctx, aid)
  const data = await env.database.snapshot(async (db) => {
    const uid = await findUidByRef(db, aid, userRef)
    const [row, ...earlier] = uid === undefined ? [] : await listRecords(db, { aid, rid, uid })
    if (!row) throw fail('access_not_found', `${userRef} never had access to ${rid}.`)
    const sources = (await listSources(db, aid, row.id)).map(showSource)
    return { ...shown(env, row), sources, earlier: earlier.map((one) => shown(env, one)) }
  })
  const { sources, earlier, ...plain } = data
  print({ json }, data, () =>
    [
      recordOf(plain),
      table(
        ['source', 'id', 'created', 'expires', 'closed'],
        sources.map((one) => [
          one.kind,
          one.id,
          showTime(one.created),
          one.expires === undefined ? 'never' : showTime(one.expires),
          one.closed === undefined ? '' : showTime(one.closed),
        ]),
        'No sources.',
      ),
      ...earlier.map(recordOf),
    ].join('\n\n'),
  )
}

function showSource(source: Awaited<ReturnType<typeof listSources>>[number]) {
  return {
    id: source.id,
    kind: source.kind,
    created: source.created,
    ...(source.ends === FOREVER ? {} : { expires: source.ends }),
    ...(source.closed === null ? {} : { closed: source.closed }),
  }
}

async function why(ctx: Context, { json, ...key }: Key): Promise<void> {
  const env = await environmentOf(ctx, key.aid)
  const { history, ...answer } = await env.database.snapshot((db) =>
    explainAccess(db, key, env.clock()),
  )
  const data = { ...answer, ...key, environment: env.name, history: history.map(showChange) }
  const { userRef, ...rest } = data
  print({ json }, { ...rest, user_ref: userRef }, () =>
    history.length === 0 ? answer.reason : `${answer.reason}\n\n${historyTable(history)}`,
  )
}
