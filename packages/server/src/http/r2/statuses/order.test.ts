import { METHODS } from 'node:http'
import { describe, expect, it } from 'vitest'
import { databases, entryPointDatabases } from '../../../testing/databases.ts'
import { expectFailure } from '../../../testing/http/failures.ts'
import { send, sendSigned } from '../../../testing/http/requests.ts'
import { routesOf } from '../../../testing/http/route-table.ts'
import { useApplication, useService } from '../../../testing/use-service.ts'

const ROUTES = [
  ['GET', '/r2/access'],
  ['GET', '/r2/access/search'],
  ['POST', '/r2/access/grant'],
  ['POST', '/r2/access/revoke'],
  ['GET', '/r2/user/abcdefghijabcdefghij'],
] as const

/** CONNECT asks for a tunnel, not for a path: Node closes the connection. */
const WRONG_METHODS = METHODS.filter((method) => method !== 'CONNECT')

describe.each(entryPointDatabases)('Statuses on $name', (database) => {
  const service = useService(database)
  const app = useApplication(service, { resources: ['news'] })

  describe('come in their order', () => {
    it('an unknown path is 404, whatever else is wrong with the request', async () => {
      const paths = ['/', '/r2', '/r2/', '/r2/nothing', '/r2/access/', '/r2/Access', '/r3/access']
      for (const path of [...paths, '/sandbox', '/sandbox/r2', '/r2/user', '/r2/user/a/b']) {
        for (const method of ['GET', 'POST', 'PUT', 'OPTIONS']) {
          expectFailure(await send(service.url, path, { method }), 404, 'path_not_found')
        }
        // A signature makes no difference.
        expectFailure(await sendSigned(app, 'GET', path), 404, 'path_not_found')
      }
    })

    it.each([
      ['application/json', '{'],
      ['text/xml', '<a/>'],
      ['application/x-www-form-urlencoded', 'a=%zz'],
      ['application/json', ' '.repeat(70_000)],
    ])('the path and the method count before a body of %s', async (type, body) => {
      const message = { body, headers: { 'content-type': type } }
      const unknown = await send(service.url, '/r2/nothing', { method: 'POST', ...message })
      expectFailure(unknown, 404, 'path_not_found')
      for (const method of ['POST', 'PUT', 'DELETE']) {
        const wrong = await send(service.url, '/r2/access', { method, ...message })
        expectFailure(wrong, 402, 'method_not_allowed')
      }
    })

    it.each(ROUTES)(
      'a wrong method is 402 before 401 and 400: all but %s %s',
      async (right, path) => {
        for (const method of WRONG_METHODS.filter((one) => one !== right)) {
          for (const ask of [send(service.url, path, { method }), sendSigned(app, method, path)]) {
            const response = await ask
            if (method !== 'HEAD') expectFailure(response, 402, 'method_not_allowed')
            expect([method, response.status]).toEqual([method, 402])
            expect(response.headers).toMatchObject({
              'content-type': 'application/json; charset=utf-8',
              'cache-control': 'no-store',
            })
          }
        }
      },
    )

    it('a missing or wrong signature is 401 before 400 and 404, for every route of the API', async () => {
      const routes = routesOf(service).filter((route) => / (\/sandbox)?\/r2\//.test(route))
      expect(routes).toEqual(
        expect.arrayContaining(
          ROUTES.map(([method, path]) => `${method} ${path.replace(/[a-j]{20}/, ':uid')}`),
        ),
      )
      const forger = { ...app, privateKey: 'x'.repeat(40) }
      const stranger = { ...app, aid: 'AAAAAAAAAA' }
      for (const route of routes) {
        const [method = '', path = ''] = route.split(' ')
        const bad = `${path.replace(/:\w+/, 'nothing')}?rid=%zz&rid=&page=-1&email=x`
        expectFailure(await send(service.url, bad, { method }), 401, 'unauthorized')
        for (const by of [forger, stranger]) {
          expectFailure(await sendSigned(by, method, bad), 401, 'unauthorized')
        }
      }
    })

    it('a compressed or odd body is 400 once the signature is good, and 401 before', async () => {
      const target = '/r2/access/revoke?rid=news&user_ref=nobody'
      for (const headers of [{ 'content-encoding': 'gzip' }, { 'content-type': 'text/xml' }]) {
        const message = { method: 'POST', body: '<a/>', headers }
        expectFailure(await send(service.url, target, message), 401, 'unauthorized')
        const signed = await sendSigned(app, 'POST', target, {}, message)
        expectFailure(signed, 400, 'invalid_request')
      }
    })

    it('a parameter that cannot be read is 400 before 404 and 402', async () => {
      const { uid } = await app.client.grantAccess({ rid: 'news', email: 'x@example.com' })
      const input = { rid: 'nothing', email: 'y@example.com', user_ref: uid, expiration: 'soon' }
      expectFailure(
        await sendSigned(app, 'POST', '/r2/access/grant', input),
        400,
        'invalid_parameter',
        'expiration',
      )
      const query = { rid: 'nothing', user_ref: 'a', show_expired: 'x' }
      const unread = await sendSigned(app, 'GET', '/r2/access', query)
      expectFailure(unread, 400, 'invalid_parameter', 'show_expired')
      const unknown = { ...input, expiration: '1' }
      expectFailure(
        await sendSigned(app, 'POST', '/r2/access/grant', unknown),
        404,
        'resource_not_found',
      )
      const refused = { ...unknown, rid: 'news' }
      expectFailure(
        await sendSigned(app, 'POST', '/r2/access/grant', refused),
        402,
        'user_ref_is_uid',
      )
    })
  })

  it('has the same headers on success', async () => {
    for (const [method, path] of ROUTES.slice(0, 3)) {
      const input = { rid: 'news', email: 'ok@example.com', user_ref: 'ok' }
      if (method === 'GET') await app.client.grantAccess(input)
      const response = await sendSigned(app, method, path, input)
      expect(response.status).toBe(200)
      expect(response.headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
      })
    }
  })

  it('gives every request an id of its own', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => send(service.url, '/r2/nothing')),
    )
    const ids = answers.map(({ text }) => JSON.parse(text).error.request_id)
    expect(new Set(ids).size).toBe(10)
  })
})

describe('Every route of the service', () => {
  const service = useService(databases[0])
  const others = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND']

  /** Targets with their methods. The first page is there for browsers only, and the pages of the dashboard are known
   * to the browser alone. */
  function methodsByTarget(): Map<string, Set<string>> {
    const routes = routesOf(service)
      .map((route) => route.split(' ') as [method: string, path: string])
      .filter(([, path]) => path !== '/' && !path.endsWith('*'))
    const methodsOf = (target: string) =>
      routes
        .filter(([, path]) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`).test(target))
        .map(([method]) => method)
    const targets = routes.map(([, path]) => path.replace(/:\w+/g, 'nothing'))
    return new Map(targets.map((target) => [target, new Set(methodsOf(target))]))
  }

  it('answers a wrong method with 402, and the path below it with 404', async () => {
    const known = methodsByTarget()
    expect(known.size).toBeGreaterThan(100)
    for (const [target, methods] of known) {
      const wrong = others.filter((one) => !methods.has(one))
      const responses = wrong.map((method) => send(service.url, target, { method }))
      for (const [i, response] of (await Promise.all(responses)).entries()) {
        const method = wrong[i]
        expect([method, target, response.status]).toEqual([method, target, 402])
        if (method !== 'HEAD') expectFailure(response, 402, 'method_not_allowed')
      }
      const below = await send(service.url, `${target}/below/it/all`, { method: 'PUT' })
      expect([target, below.status]).toEqual([target, 404])
    }
  })
})
