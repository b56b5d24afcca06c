import { type Static, Type } from 'typebox'
import { FOREVER } from '../../../db/tables.ts'
import { ACCESS_COLUMNS, type StaffFilter } from '../../../domain/access/list-for-staff.ts'
import { email } from '../../../domain/users/email.ts'
import * as fields from '../../../fields.ts'
import { readOptionalField } from '../../../parameters.ts'
import { paging, searchTextSchema, sortSchema } from '../schemas.ts'

const given = Type.Optional(Type.String())
const time = Type.Optional(Type.Integer({ minimum: 0, maximum: FOREVER }))

/** The filters of the list of access records. */
export const AccessQuery = Type.Object({
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
  sort: sortSchema(ACCESS_COLUMNS),
  q: searchTextSchema,
  /** Creation time, or the time of the revoke for the state `revoked`. */
  from: time,
  to: time,
  ...paging,
})

export function toAccessFilter(aid: string, query: Static<typeof AccessQuery>): StaffFilter {
  return {
    aid,
    rid: readOptionalField('rid', query.rid, fields.rid),
    tag: readOptionalField('tag', query.tag, fields.tag),
    email: readOptionalField('email', query.email, email),
    userRef: readOptionalField('user_ref', query.user_ref, fields.userRef),
    uid: readOptionalField('uid', query.uid, fields.userRef),
    q: readOptionalField('q', query.q, fields.searchText),
    from: query.from,
    to: query.to,
    sort: query.sort,
    state: query.state ?? (query.show_expired ? ('unrevoked' as const) : ('live' as const)),
  }
}
