import { type Command, Option } from 'commander'
import type { Context } from '../../context.ts'
import { searchAccess } from '../../domain/access/search.ts'
import { listHistory } from '../../domain/history/history.ts'
import { findUidByRef } from '../../domain/users/user-ref.ts'
import { fail } from '../../errors.ts'
import * as fields from '../../fields.ts'
import { formatTime } from '../../format-time.ts'
import { changeDetails } from '../../records/history.ts'
import { getEnvironment, listScopedApplications, type Scope } from '../context.ts'
import { addList, addPagedList, fieldColumns, type Page } from '../list.ts'
import {
  aidOption,
  emailOption,
  envOption,
  parseWith,
  ridOption,
  userRefOption,
} from '../options.ts'
import type { Output } from '../output.ts'
import { HISTORY_COLUMNS, NO_CHANGES_TEXT } from './history-table.ts'
import { toView, type View } from './record.ts'

export function addSearch(access: Command): void {
  addPagedList(access, 'search', {
    description: 'list access that is not revoked, by application, newest first',
    filters: [
      aidOption(),
      envOption(),
      ridOption(),
      userRefOption(),
      emailOption(),
      new Option('--tag <tag>', 'only records with this tag').argParser(parseWith(fields.tag)),
      new Option('--expired', 'include expired access'),
    ],
    find: search,
    columns: {
      ...fieldColumns<View>('aid', 'environment', 'rid', 'user_ref'),
      email: (one) => one.user_email,
      expires: (one) => (one.expires === undefined ? 'never' : formatTime(one.expires)),
      tags: (one) => one.tags.join(', '),
    },
    none: 'Nothing on this page.',
  })
}

interface SearchOptions extends Output, Scope, Page {
  rid?: string
  userRef?: string
  email?: string
  tag?: string
  expired?: boolean
}

async function search(ctx: Context, options: SearchOptions) {
  const { page, pagesize } = options
  const items: View[] = []
  let total = 0
  for (const [env, aid] of await listScopedApplications(ctx, options)) {
    const filter = { ...options, aid, showExpired: options.expired === true }
    // Pages run across the matches of all applications together.
    const window = {
      offset: Math.max(0, page * pagesize - total),
      limit: pagesize - items.length,
    }
    const found = await searchAccess(env.database.read, filter, window, env.clock())
    items.push(...found.rows.map((row) => toView(env, row)))
    total += found.total
  }
  return { items, total }
}

export function addHistory(access: Command): void {
  addList(access, 'history', {
    description: 'list changes and who made them, latest last',
    filters: [
      aidOption().makeOptionMandatory(),
      ridOption(),
      userRefOption(),
      new Option('--uid <uid>', 'the user, if no reference is left')
        .argParser(parseWith(fields.id))
        .conflicts('userRef'),
    ],
    limit: 100,
    find: findHistory,
    toJson: changeDetails,
    columns: HISTORY_COLUMNS,
    none: NO_CHANGES_TEXT,
  })
}

interface HistoryOptions extends Output {
  aid: string
  rid?: string
  userRef?: string
  uid?: string
  limit: number
}

async function findHistory(ctx: Context, options: HistoryOptions) {
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
  return await listHistory(read, aid, filter)
}
