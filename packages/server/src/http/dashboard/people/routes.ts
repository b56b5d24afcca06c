import { type Static, type TObject, Type } from 'typebox'
import { countLiveByUser } from '../../../domain/access/list-for-staff.ts'
import { readTimeline } from '../../../domain/people/timeline.ts'
import { exportPeopleSheet } from '../../../domain/transfer/exports/exports.ts'
import { PEOPLE_COLUMNS, searchUsers } from '../../../domain/users/find.ts'
import * as fields from '../../../fields.ts'
import { readOptionalField } from '../../../parameters.ts'
import { delimiterSchema, sendSheet } from '../export-stream.ts'
import { findRoutes } from '../overview/find.ts'
import { appRoute, type Route, STAFF, SUPPORT } from '../route.ts'
import { paging, searchTextSchema, sortSchema, toPage, windowOf } from '../schemas.ts'
import { changeRoutes } from './change.ts'
import { noteRoutes } from './notes.ts'
import type { PeoplePage } from './schemas.ts'
import { toPersonDetails, toPersonItem, toTimelineItem } from './view.ts'

const search = { q: searchTextSchema, sort: sortSchema(PEOPLE_COLUMNS) }

const toPeopleFilter = (aid: string, { q, sort }: Static<TObject<typeof search>>) => ({
  aid,
  sort,
  q: readOptionalField('q', q, fields.searchText),
})

const list = appRoute('GET /people', {
  management: 'GET /users',
  allowed: STAFF,
  query: Type.Object({ ...search, ...paging }),
  async handle({ env, aid, query }): Promise<PeoplePage> {
    const db = env.database.read
    const filter = toPeopleFilter(aid, query)
    const { rows, total, isCut } = await searchUsers(db, filter, windowOf(query))
    const uids = rows.map(({ uid }) => uid)
    const live = await countLiveByUser(db, aid, uids, env.clock())
    const data = rows.map((row) => ({ ...toPersonItem(row), live: live.get(row.uid) ?? 0 }))
    return toPage(data, total, query, isCut)
  },
})

/** Hands out the people of the list for a spreadsheet. */
const exportAll = appRoute('GET /people/export.csv', {
  management: 'GET /exports/users.csv',
  allowed: SUPPORT,
  action: 'people.export',
  confirmation: 'recent',
  query: Type.Object({ ...search, delimiter: delimiterSchema }),
  handle: async (call) =>
    sendSheet(call, 'people', toPeopleFilter(call.aid, call.query), exportPeopleSheet),
})

const show = appRoute('GET /people/:uid', {
  management: 'GET /users/:uid',
  allowed: STAFF,
  async handle({ env, aid, params }) {
    // Shows what this process has just refused. Other processes store theirs within seconds.
    await env.refusals.flush()
    return await env.database.snapshot((db) =>
      toPersonDetails(db, aid, params.uid ?? '', env.clock()),
    )
  },
})

const timeline = appRoute('GET /people/:uid/timeline', {
  management: 'GET /users/:uid/timeline',
  allowed: STAFF,
  query: Type.Object(paging),
  async handle({ env, aid, params, query }) {
    const who = { aid, uid: params.uid ?? '' }
    const all = await env.database.snapshot((db) => readTimeline(db, who, env.clock()))
    const { offset, limit } = windowOf(query)
    return toPage(all.slice(offset, offset + limit).map(toTimelineItem), all.length, query)
  },
})

export const peopleRoutes: readonly Route[] = [
  ...[list, exportAll, show, timeline],
  ...changeRoutes,
  ...noteRoutes,
  ...findRoutes,
]
