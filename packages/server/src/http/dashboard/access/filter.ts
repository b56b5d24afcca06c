import { type Static, Type } from 'typebox'
import { FOREVER } from '../../../db/tables.ts'
import { ACCESS_COLUMNS, type StaffFilter } from '../../../domain/access/list-for-staff.ts'
import { email } from '../../../domain/users/email.ts'
import * as fields from '../../../fields.ts'
import { readFilter, readOptionalField } from '../../../parameters.ts'
import { paging, searchTextSchema, sortSchema } from '../schemas.ts'

const given = (description?: string) =>
  Type.Optional(Type.String(description === undefined ? {} : { description }))
const time = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: FOREVER, description }))

/** The filters of the list of access records. */
export const AccessQuery = Type.Object({
  rid: given(),
  tag: given('Only records with this tag.'),
  email: given('Only records of the person with this address.'),
  user_ref: given('Only records of the person with this reference.'),
  uid: given(),
  show_expired: Type.Optional(
    Type.Boolean({
      description: 'Whether expired records are included, as in the state `unrevoked`.',
    }),
  ),
  state: Type.Optional(
    Type.Enum(['live', 'ending', 'renewing', 'expired', 'unrevoked', 'revoked', 'any'], {
      description: 'Only records in this state; live ones by default.',
    }),
  ),
  sort: sortSchema(ACCESS_COLUMNS),
  q: searchTextSchema,
  from: time(
    'Only records granted, or in the state `revoked` revoked, since this time, in seconds.',
  ),
  to: time(
    'Only records granted, or in the state `revoked` revoked, before this time, in seconds.',
  ),
  ...paging,
})

export function toAccessFilter(aid: string, query: Static<typeof AccessQuery>): StaffFilter {
  return {
    aid,
    rid: readFilter('rid', query.rid, fields.rid),
    tag: readFilter('tag', query.tag, fields.tag),
    email: readFilter('email', query.email, email),
    userRef: readFilter('user_ref', query.user_ref, fields.userRef),
    uid: readFilter('uid', query.uid, fields.userRef),
    q: readOptionalField('q', query.q, fields.searchText),
    from: query.from,
    to: query.to,
    sort: query.sort,
    state: query.state ?? (query.show_expired ? ('unrevoked' as const) : ('live' as const)),
  }
}
