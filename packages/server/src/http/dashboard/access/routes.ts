import { Type } from 'typebox'
import { FOREVER } from '../../../db/tables.ts'
import { findAccessById } from '../../../domain/access/details.ts'
import { listAccessForStaff } from '../../../domain/access/list-for-staff.ts'
import { listSourceDetails } from '../../../domain/access/source-details.ts'
import { email } from '../../../domain/users/email.ts'
import { fail } from '../../../errors.ts'
import * as fields from '../../../fields.ts'
import { readOptionalField } from '../../../parameters.ts'
import { sourceItem } from '../../../records/source.ts'
import { appRoute, type Route, STAFF } from '../route.ts'
import { paging, searchTextSchema, toPage, windowOf } from '../schemas.ts'
import { exportRoutes } from './export.ts'
import { grantRoutes } from './grant.ts'
import { importRoutes } from './import.ts'
import { revokeRoutes } from './revoke.ts'
import type { AccessDetails } from './schemas.ts'
import { toAccessItem, toAccessItems } from './view.ts'

const given = Type.Optional(Type.String())
const time = Type.Optional(Type.Integer({ minimum: 0, maximum: FOREVER }))

const list = appRoute('GET /access', {
  who: STAFF,
  query: Type.Object({
    rid: given,
    tag: given,
    email: given,
    user_ref: given,
    uid: given,
    /** Includes expired records; the same as the state `unrevoked`. */
    show_expired: Type.Optional(Type.Boolean()),
    state: Type.Optional(
      Type.Enum(['live', 'ending', 'renewing', 'expired', 'unrevoked', 'revoked', 'any']),
    ),
    q: searchTextSchema,
    /** Creation time, or the time of the revoke for the state `revoked`. */
    from: time,
    to: time,
    ...paging,
  }),
  async handle({ env, aid, query }) {
    const filter = {
      aid,
      rid: readOptionalField('rid', query.rid, fields.rid),
      tag: readOptionalField('tag', query.tag, fields.tag),
      email: readOptionalField('email', query.email, email),
      userRef: readOptionalField('user_ref', query.user_ref, fields.userRef),
      uid: readOptionalField('uid', query.uid, fields.userRef),
      q: readOptionalField('q', query.q, fields.searchText),
      from: query.from,
      to: query.to,
      state: query.state ?? (query.show_expired ? ('unrevoked' as const) : ('live' as const)),
    }
    const db = env.database.read
    const now = env.clock()
    const { rows, total, isCut } = await listAccessForStaff(db, filter, windowOf(query), now)
    return toPage(await toAccessItems(db, aid, rows, now), total, query, isCut)
  },
})

/** Returns revoked records too, with all current and former sources of the access. */
const show = appRoute('GET /access/:id', {
  who: STAFF,
  async handle({ env, aid, params }): Promise<AccessDetails> {
    const now = env.clock()
    return await env.database.snapshot(async (db) => {
      const row = await findAccessById(db, aid, params.id ?? '')
      if (!row) throw fail('access_not_found')
      const sources = (await listSourceDetails(db, aid, row.id)).map(sourceItem)
      return { ...(await toAccessItem(db, aid, row, now)), sources }
    })
  },
})

export const accessRoutes: readonly Route[] = [
  list,
  show,
  ...exportRoutes,
  ...grantRoutes,
  ...importRoutes,
  ...revokeRoutes,
]
