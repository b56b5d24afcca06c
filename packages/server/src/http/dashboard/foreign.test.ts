import { beforeAll, describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { dumpTables } from '../../testing/dump.ts'
import { useService, useShop, useSignedIn } from '../../testing/use-service.ts'
import { accessRoutes } from './access/routes.ts'
import { overviewRoutes } from './overview/routes.ts'
import { peopleRoutes } from './people/routes.ts'
import { resourcesRoutes } from './resources/routes.ts'

const REQUEST_ID = /"request_id":"[A-Za-z0-9]{16}"/

/** The ids of an application's rows. */
interface Named {
  rid: string
  uid: string
  id: string
  price: string
  other: string
}

const UNKNOWN: Named = {
  rid: 'unknown',
  uid: 'unknownunknown000000',
  id: 'unknown000000000',
  price: 'unknown000000000',
  other: 'unknownunknown000001',
}

/** How to refer to a row through each route. A route that is missing here fails the test. */
const CALLS: Record<string, ((of: Named) => [path: string, body?: object]) | 'names no row'> = {
  'GET /overview': 'names no row',
  'GET /figures': 'names no row',
  'GET /resources': 'names no row',
  'POST /resources': 'names no row',
  'GET /resources/:rid': ({ rid }) => [`/resources/${rid}`],
  'PATCH /resources/:rid': ({ rid }) => [`/resources/${rid}`, { name: 'Mine' }],
  'PUT /resources/:rid/opens': ({ rid }) => [
    `/resources/${rid}/opens`,
    { rids: [], prefixes: [], all: true, dry_run: false },
  ],
  'POST /resources/:rid/archive': ({ rid }) => [`/resources/${rid}/archive`],
  'POST /resources/:rid/restore': ({ rid }) => [`/resources/${rid}/restore`],
  'POST /resources/:rid/prices': ({ rid }) => [`/resources/${rid}/prices`, { amount: 1 }],
  'POST /resources/:rid/prices/:price/archive': ({ rid, price }) => [
    `/resources/${rid}/prices/${price}/archive`,
  ],
  'POST /resources/:rid/prices/:price/restore': ({ rid, price }) => [
    `/resources/${rid}/prices/${price}/restore`,
  ],
  'GET /access': ({ rid, uid, id }) => [`/access?state=unrevoked&rid=${rid}&uid=${uid}&q=${id}`],
  'GET /access/check': 'names no row',
  'GET /access/:id': ({ id }) => [`/access/${id}`],
  'GET /access/export.csv': 'names no row',
  'POST /access/grant': ({ rid }) => ['/access/grant', { rid, email: 'eve@example.com' }],
  'POST /access/import': 'names no row',
  'POST /access/import/read': 'names no row',
  'GET /access/imports': 'names no row',
  'POST /access/:id/extend': ({ id }) => [`/access/${id}/extend`, { expires: null }],
  'GET /access/:id/effect': ({ id }) => [`/access/${id}/effect`],
  'POST /access/:id/revoke': ({ id }) => [`/access/${id}/revoke`, { refund: true }],
  'POST /access/revoke-many': ({ id }) => ['/access/revoke-many', { ids: [id], refund: true }],
  'GET /people': ({ uid }) => [`/people?q=${uid}`],
  'GET /people/export.csv': 'names no row',
  'GET /people/:uid': ({ uid }) => [`/people/${uid}`],
  'GET /people/:uid/timeline': ({ uid }) => [`/people/${uid}/timeline`],
  'PATCH /people/:uid': ({ uid }) => [`/people/${uid}`, { first_name: 'Eve' }],
  'POST /people/:uid/refs': ({ uid }) => [`/people/${uid}/refs`, { ref: 'eve' }],
  'POST /people/:uid/merge': ({ uid, other }) => [`/people/${uid}/merge`, { into: other }],
  'POST /people/:uid/end-links': ({ uid }) => [`/people/${uid}/end-links`, {}],
  'POST /people/:uid/erase': ({ uid }) => [`/people/${uid}/erase`],
  'POST /people/:uid/notes': ({ uid }) => [`/people/${uid}/notes`, { text: 'Mine' }],
  'PATCH /people/:uid/notes/:id': ({ uid, id }) => [`/people/${uid}/notes/${id}`, { text: 'Mine' }],
  'DELETE /people/:uid/notes/:id': ({ uid, id }) => [`/people/${uid}/notes/${id}`],
  'GET /people/:uid/export': ({ uid }) => [`/people/${uid}/export`],
  'GET /find': ({ id }) => [`/find?q=${id}`],
}

describe.each(databases)('what belongs to another application on $name', (database) => {
  const service = useService(database)
  const staff = useSignedIn(service, 'owner')
  const own = useShop(service)
  const others = useShop(service, 'theirs')
  let theirs: Named
  beforeAll(async () => {
    const ann = await others.client.grantAccess({ rid: 'theirs', email: 'ann@example.com' })
    const bob = await others.client.grantAccess({ rid: 'theirs', email: 'bob@example.com' })
    const price = await staff
      .of(others)
      .request<{ id: string }>('POST', '/resources/theirs/prices', { amount: 100 })
    theirs = { rid: 'theirs', uid: ann.uid, id: ann.id, price: price.body.id, other: bob.uid }
  })

  const routes = [...overviewRoutes, ...resourcesRoutes, ...accessRoutes, ...peopleRoutes]

  it.each(routes.map(({ method, path }) => `${method} ${path.replace('/:environment/:aid', '')}`))(
    'is to %s as if it were not there, and stays as it is',
    async (route) => {
      const how = CALLS[route]
      expect(how, `${route} must be listed here`).toBeDefined()
      if (how === undefined || how === 'names no row') return
      const ask = async (of: Named) => {
        const [path, body] = how(of)
        const [method = ''] = route.split(' ')
        const { status, text } = await staff.of(own).request(method, path, body)
        return { status, said: text.replace(REQUEST_ID, '').replaceAll(of.id, 'ID') }
      }
      const before = await dumpTables(own.environment.database.read)
      const unknown = await ask(UNKNOWN)
      expect(await ask(theirs)).toEqual(unknown)
      const isList = ['GET /access', 'GET /people', 'GET /find', 'POST /access/revoke-many']
      expect(unknown.status).toBe(isList.includes(route) ? 200 : 404)
      expect(await dumpTables(own.environment.database.read)).toEqual(before)
      // Their own application finds them, which proves that the requests above were correct.
      if (!route.startsWith('GET')) return
      const { status, text } = await staff.of(others).request('GET', how(theirs)[0])
      expect(status).toBe(200)
      const names = route.includes('resources') ? [theirs.rid] : [theirs.uid, theirs.id]
      expect(names.some((name) => text.includes(name))).toBe(true)
    },
  )
})
