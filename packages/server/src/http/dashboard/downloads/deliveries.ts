import { searchDeliveries } from '../../../domain/downloads/search.ts'
import { findResourceNames } from '../../../domain/resources/resources.ts'
import {
  exceedsPrefixLimit,
  findEmailsByUid,
  findNamesByUid,
} from '../../../domain/users/prefix.ts'
import * as fields from '../../../fields.ts'
import { readOptionalField } from '../../../parameters.ts'
import { appRoute, STAFF } from '../route.ts'
import { toPage, windowOf } from '../schemas.ts'
import { type DeliveryItem, DeliveryQuery } from './schemas.ts'

const list = appRoute('GET /deliveries', {
  management: 'GET /deliveries',
  who: STAFF,
  query: DeliveryQuery,
  async handle({ env, aid, query }) {
    const { from, to, sort } = query
    const filter = {
      ...{ aid, from, to, sort },
      rid: readOptionalField('rid', query.rid, fields.rid),
      download: readOptionalField('download', query.download, fields.userRef),
      uid: readOptionalField('uid', query.uid, fields.userRef),
      text: readOptionalField('q', query.q, fields.searchText),
    }
    const { read } = env.database
    const { rows, total } = await searchDeliveries(read, filter, windowOf(query))
    const uids = rows.flatMap(({ uid }) => (uid === null ? [] : [uid]))
    const emails = await findEmailsByUid(read, aid, uids)
    const people = await findNamesByUid(read, aid, uids)
    const names = await findResourceNames(
      read,
      aid,
      rows.map(({ rid }) => rid),
    )
    const data: DeliveryItem[] = rows.map(({ aid: _, ...row }) => ({
      ...row,
      resource: names.get(row.rid) ?? row.rid,
      email: emails.get(row.uid ?? '') ?? '',
      name: people.get(row.uid ?? '') ?? '',
    }))
    const isCut = await exceedsPrefixLimit(read, aid, filter.text)
    return toPage(data, total, query, isCut)
  },
})

export const deliveryRoutes = [list]
