import { type Command, Option } from 'commander'
import type { Context } from '../../context.ts'
import { searchAccess } from '../../domain/access/search.ts'
import { listHistory } from '../../domain/history/history.ts'
import { findUidByRef } from '../../domain/users/user-ref.ts'
import { fail } from '../../errors.ts'
import * as fields from '../../fields.ts'
import { changeDetails } from '../../records/history.ts'
import {
  aidOption,
  emailOption,
  envOption,
  formatTime,
  getEnvironment,
  limitOption,
  listScopedApplications,
  type Output,
  parseWith,
  print,
  ridOption,
  type Scope,
  table,
  userRefOption,
  withContext,
} from '../shared.ts'
import { historyTable } from './history-table.ts'
import { type Shown, shown } from './record.ts'

export function addSearch(access: Command): void {
  access
    .command('search')
    .description('records that are not revoked: by application, the newest first')
    .addOption(aidOption())
    .addOption(envOption())
    .addOption(ridOption())
    .addOption(userRefOption())
    .addOption(emailOption())
    .addOption(new Option('--tag <tag>', 'a tag of the record').argParser(parseWith(fields.tag)))
    .option('--expired', 'expired ones too')
    .addOption(
      new Option('--page <number>', 'counted from 0').argParser(parseWith(fields.page)).default(0),
    )
    .addOption(
      new Option('--pagesize <count>', 'records a page, at most 1000')
        .argParser(parseWith(fields.pagesize))
        .default(100),
    )
    .action((options) => withContext((ctx) => search(ctx, options)))
}

interface SearchOptions extends Output, Scope {
  rid?: string
  userRef?: string
  email?: string
  tag?: string
  expired?: boolean
  page: number
  pagesize: number
}

async function search(ctx: Context, options: SearchOptions): Promise<void> {
  const { json, page, pagesize } = options
  const found = { data: [] as Shown[], total: 0, page, pagesize }
  for (const [env, aid] of await listScopedApplications(ctx, options)) {
    const filter = { ...options, aid, showExpired: options.expired === true }
    // Pages run across the matches of all applications together.
    const window = {
      offset: Math.max(0, page * pagesize - found.total),
      limit: pagesize - found.data.length,
    }
    const { rows, total } = await searchAccess(env.database.read, filter, window, env.clock())
    found.data.push(...rows.map((row) => shown(env, row)))
    found.total += total
  }
  print({ json }, found, () => searchTable(found))
}

function searchTable({ data, total, page, pagesize }: { data: Shown[] } & Record<string, unknown>) {
  const rows = data.map((one) => [
    one.aid,
    one.environment,
    one.rid,
    one.user_ref,
    one.user_email,
    one.expires === undefined ? 'never' : formatTime(one.expires),
    one.tags.join(', '),
  ])
  const head = ['aid', 'environment', 'rid', 'user_ref', 'email', 'expires', 'tags']
  const count = `${total} in all; page ${page} of ${pagesize} each.`
  return `${table(head, rows, 'Nothing on this page.')}\n\n${count}`
}

export function addHistory(access: Command): void {
  access
    .command('history')
    .description('who changed what, the latest last')
    .addOption(aidOption().makeOptionMandatory())
    .addOption(ridOption())
    .addOption(userRefOption())
    .addOption(
      new Option('--uid <uid>', 'the user, where no reference is left').conflicts('userRef'),
    )
    .addOption(limitOption('only the latest so many', 100))
    .action((options) => withContext((ctx) => history(ctx, options)))
}

interface HistoryOptions extends Output {
  aid: string
  rid?: string
  userRef?: string
  uid?: string
  limit: number
}

async function history(ctx: Context, options: HistoryOptions): Promise<void> {
  const { aid, rid, userRef, limit } = options
  const { read } = (await getEnvironment(ctx, aid)).database
  const uid = userRef === undefined ? options.uid : await findUidByRef(read, aid, userRef)
  if (userRef !== undefined && uid === undefined) {
    throw fail('user_not_found', `There is no user with the reference ${userRef}.`)
  }
  const filter = {
    limit,
    ...(rid === undefined ? {} : { rid }),
    ...(uid === undefined ? {} : { uid }),
  }
  const rows = await listHistory(read, aid, filter)
  print(options, rows.map(changeDetails), () => historyTable(rows))
}
