import { METHODS } from 'node:http'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { databases, entryPointDatabases } from '../../testing/databases.ts'
import { send, sendSigned, type TestResponse } from '../../testing/http/requests.ts'
import { routesOf } from '../../testing/http/route-table.ts'
import { blockWrites, startCuttableProxy } from '../../testing/postgres/faults.ts'
import { startTestService } from '../../testing/service.ts'
import { useApplication, useService } from '../../testing/use-service.ts'

const ROUTES = [
  ['GET', '/r2/access'],
  ['GET', '/r2/access/search'],
  ['POST', '/r2/access/grant'],
  ['POST', '/r2/access/revoke'],
  ['GET', '/r2/user/abcdefghijabcdefghij'],
] as const

/** CONNECT asks for a tunnel, not for a path: Node closes the connection. */
const WRONG_METHODS = METHODS.filter((method) => method !== 'CONNECT')

function expectFailure(
  response: TestResponse,
  status: number,
  code: string,
  parameter?: string,
): void {
  expect([response.status, response.text]).toEqual([status, expect.any(String)])
  expect(response.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  })
  const body = JSON.parse(response.text)
  expect(body).toEqual({
    error: {
      message: expect.stringMatching(
        parameter === undefined ? /\S.*\.$/ : new RegExp(`^${parameter}: \\S`),
      ),
      code,
      ...(parameter === undefined ? {} : { parameter }),
      request_id: expect.stringMatching(/^[A-Za-z0-9]{16}$/),
    },
  })
}

function expectRetryAfter(response: TestResponse, most: number): void {
  const seconds = response.headers['retry-after'] ?? ''
  expect(seconds).toMatch(/^\d+$/)
  expect(Number(seconds)).toBeGreaterThanOrEqual(1)
  expect(Number(seconds)).toBeLessThanOrEqual(most)
}

/** Repeats the request until the response is `good`; returns the last response if it never is. */
async function until(
  ask: () => Promise<TestResponse>,
  good: (response: TestResponse) => boolean,
  ms = 8_000,
) {
  const deadline = performance.now() + ms
  let response = await ask()
  while (!good(response) && performance.now() < deadline) response = await ask()
  return response
}

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

describe.each(databases)('A write that waits on $name', (database) => {
  const service = useService(database)
  const app = useApplication(service, { resources: ['news'] })

  it('for another process stalls no read', async () => {
    const held = await blockWrites(service.installation)
    const input = { rid: 'news', email: 'late@example.com', user_ref: 'late' }
    let granted = false
    // PostgreSQL cancels the writes after some seconds, and on a busy machine the reads may take that long.
    const waiting = Promise.allSettled(
      [0, 1, 2].map(() => app.client.grantAccess(input).then(() => (granted = true))),
    )
    const slowest = await slowestOf(30, () => app.client.searchAccess({ pagesize: 1 }))
    expect(granted).toBe(false)
    // A driver that blocked our thread would have delayed the reads until the writes give up, after 15 seconds.
    expect(slowest).toBeLessThan(10_000)
    await held.release()
    await waiting
    await app.client.grantAccess(input)
    expect(await app.client.hasAccess({ rid: 'news', user_ref: 'late' })).toBe(true)
  })

  async function slowestOf(count: number, ask: () => Promise<unknown>): Promise<number> {
    let slowest = 0
    for (let i = 0; i < count; i++) {
      const start = performance.now()
      await ask()
      slowest = Math.max(slowest, performance.now() - start)
    }
    return slowest
  }
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

describe.each(entryPointDatabases)('Limits on $name', (database) => {
  it('of one application: 429 with Retry-After, and no other application is held up', async () => {
    const service = await startTestService(database, {
      env: { GATEHOUSE_LIMIT_PER_APPLICATION: '3' },
    })
    try {
      const [app, other] = [await service.newApplication(), await service.newApplication()]
      for (let i = 0; i < 3; i++)
        expect((await sendSigned(app, 'GET', '/r2/access/search')).status).toBe(200)
      const over = await sendSigned(app, 'GET', '/r2/access/search')
      expectFailure(over, 429, 'too_many_requests')
      expectRetryAfter(over, 60)
      // Requests with a wrong signature don't count toward the limit of the AID that they name.
      const forger = { ...other, privateKey: 'x'.repeat(40) }
      for (let i = 0; i < 5; i++) await sendSigned(forger, 'GET', '/r2/access/search')
      expect((await sendSigned(other, 'GET', '/r2/access/search')).status).toBe(200)
    } finally {
      await service.stop()
    }
  })

  it('of one address: 429 with Retry-After, told apart behind a trusted proxy', async () => {
    const env = { GATEHOUSE_LIMIT_PER_ADDRESS: '3', GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1' }
    const service = await startTestService(database, { env })
    try {
      const app = await service.newApplication()
      const from = (address: string) =>
        sendSigned(app, 'GET', '/r2/access/search', {}, { headers: { 'x-forwarded-for': address } })
      for (let i = 0; i < 3; i++) expect((await from('192.0.2.1')).status).toBe(200)
      const over = await from('192.0.2.1')
      expectFailure(over, 429, 'too_many_requests')
      expectRetryAfter(over, 60)
      expect((await from('192.0.2.2')).status).toBe(200)
    } finally {
      await service.stop()
    }
  })

  it('of requests in flight: 503 with Retry-After, and none is lost or left behind', async () => {
    const service = await startTestService(database, { env: { GATEHOUSE_LIMIT_IN_FLIGHT: '2' } })
    try {
      const app = await service.newApplication()
      await app.addResource('news')
      const held = await blockWrites(service.installation)
      const search = () => sendSigned(app, 'GET', '/r2/access/search')
      const waiting = [1, 2].map((i) => {
        const input = { rid: 'news', email: `u${i}@example.com` }
        // The search below may have used up the limit of requests in flight, so the grant is retried.
        return until(
          () => sendSigned(app, 'POST', '/r2/access/grant', input),
          ({ status }) => status !== 503,
        )
      })
      const over = await until(search, ({ status }) => status === 503)
      await held.release()
      expectFailure(over, 503, 'overloaded')
      expectRetryAfter(over, 60)
      for (const { status } of await Promise.all(waiting)) expect(status).toBe(200)
      const after = await until(search, ({ status }) => status === 200)
      expect(JSON.parse(after.text).total).toBe(2)
      await service.requireInvariants()
    } finally {
      await service.stop()
    }
  })
})

describe.each(databases)('A fault on $name', (database) => {
  it('of ours is a 500 that tells nothing but the request id, and leaves nothing behind', async () => {
    const service = await startTestService(database)
    try {
      const app = await service.newApplication()
      await app.addResource('news')
      const { database: db } = app.environment
      // One of the last tables that a grant writes to, after users and access.
      await db.write((trx) => sql`alter table outbox rename to gone`.execute(trx))
      const input = { rid: 'news', email: 'ann@example.com', user_ref: 'ann' }
      const response = await sendSigned(app, 'POST', '/r2/access/grant', input)
      expectFailure(response, 500, 'internal_error')
      expect(Object.keys(JSON.parse(response.text).error)).toEqual([
        'message',
        'code',
        'request_id',
      ])
      expect(JSON.parse(response.text).error.message).toBe('Something went wrong on our side.')
      expect(await db.read.selectFrom('users').selectAll().execute()).toEqual([])
      await db.write((trx) => sql`alter table gone rename to outbox`.execute(trx))
      expect((await sendSigned(app, 'POST', '/r2/access/grant', input)).status).toBe(200)
      await service.requireInvariants()
    } finally {
      await service.stop()
    }
  })
})

describe('A database that is away', () => {
  const [, postgres] = databases

  it('is a 503 with Retry-After on PostgreSQL, and all is well when it is back', async () => {
    const installation = await postgres.createMigrated()
    const proxy = await startCuttableProxy(installation.env.GATEHOUSE_DATABASE_URL as string)
    const env = { GATEHOUSE_DATABASE_URL: proxy.url }
    const service = await startTestService(postgres, { installation, env })
    try {
      const app = await service.newApplication()
      await app.addResource('news')
      const input = { rid: 'news', email: 'ann@example.com', user_ref: 'ann' }
      const first = await app.client.grantAccess(input)
      await proxy.cut()
      for (const ask of [
        () => sendSigned(app, 'GET', '/r2/access', { rid: 'news', user_ref: 'ann' }),
        () => sendSigned(app, 'POST', '/r2/access/grant', { ...input, message: 'again' }),
        () => sendSigned(app, 'POST', '/r2/access/revoke', { rid: 'news', user_ref: 'ann' }),
        () => send(service.url, '/readyz'),
      ]) {
        const response = await ask()
        expectFailure(response, 503, 'database_unavailable')
        expectRetryAfter(response, 60)
      }
      expect((await send(service.url, '/healthz')).status).toBe(200)
      await proxy.restore()
      const back = await until(
        () => sendSigned(app, 'GET', '/r2/access', { rid: 'news', user_ref: 'ann' }),
        ({ status }) => status === 200,
      )
      expect(JSON.parse(back.text)).toEqual(first)
      await service.requireInvariants()
    } finally {
      await service.stop()
      await proxy.cut()
      await installation.remove()
    }
  })
})
