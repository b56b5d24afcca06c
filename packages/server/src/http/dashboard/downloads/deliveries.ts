import type { Static } from 'typebox'
import type { Environment } from '../../../context.ts'
import type { DeliveryTable } from '../../../db/tables.ts'
import { searchDeliveries } from '../../../domain/downloads/search.ts'
import { findEmailsByUid, findNamesByUid } from '../../../domain/users/prefix.ts'
import * as fields from '../../../fields.ts'
import { readFilter } from '../../../parameters.ts'
import { resourceNamesOf } from '../resources/view.ts'
import { appRoute, STAFF } from '../route.ts'
import { findPage, readRecordFilter, type ToItems } from '../schemas.ts'
import { type DeliveryItem, DeliveryQuery } from './schemas.ts'

const toDeliveryItems: ToItems<DeliveryTable, DeliveryItem> = async (db, aid, rows) => {
  const uids = rows.flatMap(({ uid }) => (uid === null ? [] : [uid]))
  const emails = await findEmailsByUid(db, aid, uids)
  const people = await findNamesByUid(db, aid, uids)
  const names = await resourceNamesOf(db, aid, rows)
  return rows.map(({ aid: _, ...row }) => ({
    ...row,
    resource: names.get(row.rid) ?? row.rid,
    email: emails.get(row.uid ?? '') ?? '',
    name: people.get(row.uid ?? '') ?? '',
  }))
}

const toDeliveryFilter = async (
  _: Environment,
  aid: string,
  query: Static<typeof DeliveryQuery>,
) => ({
  ...{ aid, from: query.from, to: query.to, sort: query.sort, ...readRecordFilter(query) },
  download: readFilter('download', query.download, fields.userRef),
})

const list = appRoute('GET /deliveries', {
  management: 'GET /deliveries',
  allowed: STAFF,
  query: DeliveryQuery,
  handle: (call) => findPage(call, toDeliveryFilter, searchDeliveries, toDeliveryItems),
})

export const deliveryRoutes = [list]
