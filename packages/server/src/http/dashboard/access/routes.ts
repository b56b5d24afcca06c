import { findAccessById } from '../../../domain/access/details.ts'
import { listAccessForStaff } from '../../../domain/access/list-for-staff.ts'
import { listSourceDetails } from '../../../domain/access/source-details.ts'
import { fail } from '../../../errors.ts'
import { sourceItem } from '../../../records/source.ts'
import { appRoute, type Route, STAFF } from '../route.ts'
import { toPage, windowOf } from '../schemas.ts'
import { checkRoutes } from './check.ts'
import { exportRoutes } from './export.ts'
import { AccessQuery, toAccessFilter } from './filter.ts'
import { grantRoutes } from './grant.ts'
import { importRoutes } from './import.ts'
import { revokeRoutes } from './revoke.ts'
import type { AccessDetails } from './schemas.ts'
import { toAccessItem, toAccessItems } from './view.ts'

const list = appRoute('GET /access', {
  management: 'GET /access',
  allowed: STAFF,
  query: AccessQuery,
  async handle({ env, aid, query }) {
    const filter = toAccessFilter(aid, query)
    const db = env.database.read
    const now = env.clock()
    const { rows, total, isCut } = await listAccessForStaff(db, filter, windowOf(query), now)
    return toPage(await toAccessItems(db, aid, rows, now), total, query, isCut)
  },
})

/** Returns revoked records too, with all current and former sources of the access. */
const show = appRoute('GET /access/:id', {
  management: 'GET /access/:id',
  allowed: STAFF,
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
  ...checkRoutes,
  show,
  ...exportRoutes,
  ...grantRoutes,
  ...importRoutes,
  ...revokeRoutes,
]
