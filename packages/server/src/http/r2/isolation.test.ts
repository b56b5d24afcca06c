import { beforeAll, describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { addDownload } from '../../testing/downloads/downloads.ts'
import { dumpTables } from '../../testing/dump.ts'
import { sendSigned, type TestResponse, withoutRequestId } from '../../testing/http/requests.ts'
import { routesOf } from '../../testing/http/route-table.ts'
import { MONTHLY, openShop } from '../../testing/payments/shop.ts'
import type { TestApplication, TestService } from '../../testing/service.ts'
import { useService } from '../../testing/use-service.ts'
import { addEndpoint } from '../../testing/webhooks/sending.ts'

type Values = Record<string, string>

/** Parameters that a route needs besides those that name a row. */
const FURTHER: Record<string, Record<string, string | number | boolean>> = {
  'GET /r2/access': { show_expired: true },
  'GET /r2/access/search': { show_expired: true },
  'GET /r2/downloads/url': { lifetime: 60 },
  'GET /r2/download/url': { lifetime: 60 },
  'POST /r2/event/replay': { from: 0 },
}

type Ask = (app: TestApplication, of: Values, more?: Values) => Promise<TestResponse>

interface Operation {
  parameters?: { name: string; in: string }[]
  requestBody?: { content: Record<string, { schema: { properties: object } }> }
  'x-also-at'?: string
}

/** For each route of the contract, a request that names a row in every way that the route's parameters allow. */
function callsOf(service: TestService): Record<string, Ask> {
  const { paths = {} } = service.app.swagger() as {
    paths?: Record<string, Record<string, Operation>>
  }
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      [path, operation['x-also-at'] ?? []]
        .flat()
        .map((at) => [`${method.toUpperCase()} ${at}`, operation] as const),
    ),
  )
  return Object.fromEntries(
    routes
      .filter(([route]) => !WITHOUT_ROWS.some((path) => route.includes(` ${path}`)))
      .map(([route, operation]) => {
        const named = route.replace(/\{(\w+)\}/g, ':$1')
        return [named, askBy(named, operation)]
      }),
  )
}

function askBy(route: string, { parameters = [], requestBody }: Operation): Ask {
  const [method = '', path = ''] = route.split(' ')
  const inQuery = parameters.filter((one) => one.in === 'query').map(({ name }) => name)
  // The query takes what a form does.
  const forms = Object.values(requestBody?.content ?? {})
  const taken = [...inQuery, ...forms.flatMap(({ schema }) => Object.keys(schema.properties))]
  return (app, of, more) => {
    const names = Object.entries(of).filter(([name]) => taken.includes(name))
    const target = path.replace(/:(\w+)/g, (_, name: string) => of[name] ?? '')
    return sendSigned(app, method, target, {
      ...Object.fromEntries(names),
      ...FURTHER[route],
      ...more,
    })
  }
}

const WITHOUT_ROWS = ['/openapi.json', '/docs', '/healthz', '/readyz', '/metrics', '/r2/clock']

/** Routes for readers, staff and the payment provider, which applications don't sign. */
const WITHOUT_KEYS = [
  ...[
    '/dashboard',
    '/management/',
    '/checkout/',
    '/test-cards/',
    '/manage/',
    '/events/',
    '/d/',
    '/files/',
    '/images/',
  ],
]

/** A response without its request id, and without what a check repeats of the request. */
const withoutEchoes = (response: TestResponse) =>
  withoutRequestId(response).replace(/"(user_ref|rid)":"[^"]*",?/g, '')

const DOWNLOAD_KEYS = [
  'created_date',
  'description',
  'id',
  'image',
  'modified_date',
  'price',
  'published_date',
  'rid',
  'title',
]

const ACCESS_KEYS = [
  'aid',
  'amount',
  'contact_email',
  'created',
  'currency',
  'expires',
  'id',
  'rid',
  'tags',
  'uid',
  'user_email',
  'user_ref',
]

describe.each(databases)('Applications on $name', (database) => {
  const service = useService(database)
  let calls: Record<string, Ask>

  beforeAll(() => {
    calls = callsOf(service)
  })

  it('have a way to name a row here for every route of the router', () => {
    expect(Object.keys(calls)).toContain('GET /r2/access')
    const found = routesOf(service)
      .filter((route) => !route.endsWith(' /'))
      .map((route) => route.replace(' /sandbox/', ' /'))
      .filter((route) => !WITHOUT_ROWS.some((path) => route.includes(` ${path}`)))
      .filter((route) => !WITHOUT_KEYS.some((path) => route.includes(` ${path}`)))
    expect([...new Set(found)].sort()).toEqual(Object.keys(calls).sort())
    expect(found).toHaveLength(2 * Object.keys(calls).length)
  })

  it.each(['production', 'sandbox'] as const)(
    'can neither see nor change the rows of another, by any route of %s',
    async (environment) => {
      const mine = await service.newApplication(environment)
      const shop = environment === 'sandbox' ? await openShop(service) : undefined
      const theirs = shop ?? (await service.newApplication(environment))
      const rid = 'secret'
      await mine.addResource('other')
      await theirs.addResource(rid)
      await addDownload(theirs, rid)
      const email = 'victim@example.com'
      const { uid } = await theirs.client.grantAccess({ rid, email, user_ref: 'victim' })
      // Only the sandbox has payments here.
      await shop?.buy({ rid, userRef: 'victim', terms: MONTHLY })
      const [paid] = (await theirs.client.searchPayments()).data
      const endpoint = await addEndpoint(service, theirs, 'https://example.com/hook')
      const before = await dumpTables(theirs.environment.database.read)
      const ids = { uid, payment: paid?.id ?? 'none', endpoint }
      const foreign = [
        { rid, rids: rid, email, user_ref: 'victim', ...ids },
        { rid, rids: rid, email, user_ref: uid, ...ids },
      ]
      const nothing = { rid: 'nothing', user_ref: 'nobody', uid: 'x'.repeat(20), payment: 'none' }
      const absent = { ...nothing, rids: 'nothing', email, endpoint: 'none' }
      for (const [route, ask] of Object.entries(calls)) {
        const none = await ask(mine, absent)
        for (const names of foreign) {
          const response = await ask(mine, names)
          expect(withoutEchoes(response), route).toBe(withoutEchoes(none))
          expect(response.status, route).toBe(/\/(search|check|list)$/.test(route) ? 200 : 404)
          expect(response.text, route).not.toContain(email)
        }
      }
      expect(await dumpTables(theirs.environment.database.read)).toEqual(before)
    },
  )

  it('keep the same names for their own: one e-mail, one user_ref, one rid are two of each', async () => {
    const [one, two] = [await service.newApplication(), await service.newApplication()]
    const input = { rid: 'shared', email: 'same@example.com', user_ref: 'same' }
    for (const app of [one, two]) await app.addResource('shared')
    const first = await one.client.grantAccess({ ...input, first_name: 'Ann', tags: 'a' })
    const second = await two.client.grantAccess({ ...input, first_name: 'Bob' })
    expect(second.uid).not.toBe(first.uid)
    expect(second.id).not.toBe(first.id)
    await two.client.revokeAccess({ rid: 'shared', user_ref: 'same' })
    expect(await one.client.getAccess({ rid: 'shared', user_ref: 'same' })).toEqual(first)
    expect((await one.client.getUser(first.uid)).first_name).toBe('Ann')
    await expect(two.client.getUser(first.uid)).rejects.toMatchObject({ status: 404 })
  })

  it('get exactly the fields of each record, and no parameter but the declared ones counts', async () => {
    const app = await service.newApplication()
    const stranger = await service.newApplication()
    const extra = {
      id: 'x'.repeat(16),
      aid: stranger.aid,
      uid: 'y'.repeat(20),
      revoked: '1',
      created: '1',
      amount: '5',
      currency: 'EUR',
      ends: '1',
      is_admin: 'true',
      __proto__x: '1',
      ['__proto__']: 'polluted',
      constructor: '1',
      'constructor[prototype][polluted]': '1',
    }
    await app.addResource('paper')
    await addDownload(app, 'paper')
    // The first link of an environment creates the key for all of them.
    await sendSigned(app, 'GET', '/r2/downloads/url', { rid: 'paper', lifetime: 60 })
    const created = service.clock.seconds
    const expiration = String(created + 60)
    const of = {
      rid: 'paper',
      rids: 'paper',
      email: 'reader@example.com',
      user_ref: 'reader',
      uid: '',
    }
    const grant = calls['POST /r2/access/grant'] as Ask
    const plain = JSON.parse((await grant(app, of, { expiration, tags: 't' })).text)
    of.uid = plain.uid
    const keys: Record<string, string[]> = {
      'GET /r2/access': ACCESS_KEYS,
      'GET /r2/access/search': ['data', 'page', 'pagesize', 'total'],
      'GET /r2/access/check': ['checks', 'now', 'user_ref'],
      'POST /r2/access/check': ['checks', 'now', 'user_ref'],
      'GET /r2/access/list': ['data', 'more', 'now', 'user_ref'],
      'POST /r2/access/grant': ACCESS_KEYS,
      'GET /r2/user/:uid': ['contact_email', 'email', 'first_name', 'last_name', 'uid'],
      'GET /r2/download/': DOWNLOAD_KEYS,
      'GET /r2/download': DOWNLOAD_KEYS,
      'GET /r2/downloads/url': ['expires', 'url'],
      'GET /r2/download/url': ['expires', 'url'],
      'POST /r2/access/revoke': [...ACCESS_KEYS, 'refund', 'refunds', 'revoked'].sort(),
    }
    for (const [route, expected] of Object.entries(keys)) {
      const ask = calls[route] as Ask
      const more = route.endsWith('/grant') ? { ...extra, expiration } : extra
      const before = await dumpTables(app.environment.database.read)
      const response = await ask(app, of, more)
      expect(response.status, route).toBe(200)
      const body = JSON.parse(response.text)
      expect(Object.keys(body).sort(), route).toEqual(expected)
      if (route.endsWith('/search')) expect(body.data).toEqual([plain])
      else if (route.endsWith('/user/:uid')) expect(body.uid).toBe(plain.uid)
      else if (/\/(check|list)$/.test(route)) {
        const [one] = body.checks ?? body.data
        expect(one).toMatchObject({ granted: true, code: 'granted', access_id: plain.id })
      } else if (route.endsWith('/url')) expect(body.expires).toBe(created + 60)
      else if (route.includes('/download')) expect(body.created_date).toBe(created)
      else expect(body).toMatchObject(plain)
      if (route.endsWith('/revoke')) expect(body.revoked).toBe(created)
      else expect(await dumpTables(app.environment.database.read), route).toEqual(before)
    }
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })
})
