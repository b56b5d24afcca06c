import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { databases } from '../../server/src/testing/databases.ts'
import { useApplication, useService } from '../../server/src/testing/use-service.ts'
import {
  ApiError,
  ConnectionError,
  Gatehouse,
  GatehouseError,
  InvalidRequestError,
  NotFoundError,
  RateLimitedError,
  RefusedError,
  UnauthorizedError,
  UnavailableError,
} from './index.ts'

const credentials = { aid: 'Client0001', privateKey: 'k'.repeat(40) }

describe('against a real service', () => {
  const service = useService(databases[0])
  const app = useApplication(service, { resources: ['news'] })

  const caught = (work: Promise<unknown>) => work.then(() => undefined).catch((error) => error)

  it('400 is an InvalidRequestError that names the parameter', async () => {
    const error = await caught(app.client.grantAccess({ rid: 'news', email: 'nobody' }))
    expect(error).toBeInstanceOf(InvalidRequestError)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toBeInstanceOf(GatehouseError)
    expect(error).toMatchObject({
      name: 'InvalidRequestError',
      status: 400,
      code: 'invalid_parameter',
      message: 'email: not a valid email address',
      parameter: 'email',
      requestId: expect.stringMatching(/^\w+$/),
      retryAfter: undefined,
    })
  })

  it('401 is an UnauthorizedError', async () => {
    const stranger = new Gatehouse({ baseUrl: service.url, ...credentials })
    const error = await caught(stranger.searchAccess())
    expect(error).toBeInstanceOf(UnauthorizedError)
    expect(error).toMatchObject({ status: 401, code: 'unauthorized' })
  })

  it('402 is a RefusedError', async () => {
    await app.client.grantAccess({ rid: 'news', email: 'one@example.com', user_ref: 'one' })
    const again = { rid: 'news', email: 'two@example.com', user_ref: 'one' }
    const error = await caught(app.client.grantAccess(again))
    expect(error).toBeInstanceOf(RefusedError)
    expect(error).toMatchObject({ status: 402, code: 'user_ref_taken' })
  })

  it('writes are dated by the service if the clock of this machine is wrong', async () => {
    const behind = () => service.clock.now - 3_600_000
    let sent = 0
    const counting: typeof fetch = (...all) => {
      sent++
      return fetch(...all)
    }
    const client = new Gatehouse({ ...app, baseUrl: service.url, now: behind, fetch: counting })
    for (const user_ref of ['late', 'later']) {
      await client.grantAccess({ rid: 'news', email: `${user_ref}@example.com`, user_ref })
    }
    expect(sent).toBe(3)
  })

  it('404 is a NotFoundError, or undefined, or false', async () => {
    const query = { rid: 'news', user_ref: 'nobody' }
    const error = await caught(app.client.getAccess(query))
    expect(error).toBeInstanceOf(NotFoundError)
    expect(error).toMatchObject({ status: 404, code: 'access_not_found' })
    expect(await app.client.findAccess(query)).toBeUndefined()
    expect(await app.client.hasAccess(query)).toBe(false)
    const wrongAddress = new Gatehouse({ ...app, baseUrl: `${service.url}/elsewhere` })
    expect(await caught(wrongAddress.hasAccess(query))).toBeInstanceOf(NotFoundError)
  })

  it.each([
    "o'brien@example.com",
    '!*~-_@example.com',
    'jürgen@bücher.example',
    'a+b@example.com',
    '100%@example.com',
    '{a}|^`@example.com',
  ])('signs what fetch sends: %s', async (email) => {
    const granted = await app.client.grantAccess({ rid: 'news', email, user_ref: email })
    expect(granted.user_email).toBe(email)
    expect(await app.client.getAccess({ rid: 'news', user_ref: email })).toEqual(granted)
    expect((await app.client.searchAccess({ email })).data).toEqual([granted])
  })

  it('takes a base address with slashes at its end, and that of the sandbox', async () => {
    for (const end of ['', '/', '//']) {
      const client = new Gatehouse({ ...app, baseUrl: service.url + end })
      expect((await client.searchAccess({ rid: 'none' })).total).toBe(0)
    }
    const sandbox = await service.newApplication('sandbox')
    for (const end of ['/sandbox', '/sandbox/']) {
      const client = new Gatehouse({ ...sandbox, baseUrl: service.url + end })
      expect((await client.searchAccess()).total).toBe(0)
      const production = new Gatehouse({ ...app, baseUrl: service.url + end })
      expect(await caught(production.searchAccess())).toBeInstanceOf(UnauthorizedError)
    }
  })

  it('lists all matches, page after page, each once', async () => {
    await app.addResource('pages')
    const emails = Array.from({ length: 7 }, (_, i) => `page${i}@example.com`)
    for (const email of emails) await app.client.grantAccess({ rid: 'pages', email })
    for (const pagesize of [1, 2, 3, 7, 100]) {
      const found: string[] = []
      for await (const { user_email } of app.client.listAccess({ rid: 'pages', pagesize })) {
        found.push(user_email)
      }
      expect(found.sort()).toEqual(emails)
    }
    for await (const access of app.client.listAccess({ rid: 'none' })) throw new Error(access.id)
  })

  it('says why, for one resource and for hundreds, in the query or in a form', async () => {
    await app.client.grantAccess({ rid: 'news', email: 'why@example.com', user_ref: 'why' })
    const rids = ['news', ...Array.from({ length: 300 }, (_, n) => `article/${n}-é'&+`)]
    for (const count of [1, 2, 100, 101, rids.length]) {
      const asked = { user_ref: 'why', rids: rids.slice(0, count) }
      const { checks, user_ref } = await app.client.checkAccess(asked)
      expect(user_ref).toBe('why')
      expect(checks.map(({ rid }) => rid)).toEqual(asked.rids)
      expect(checks[0]).toMatchObject({ granted: true, code: 'granted' })
      expect(checks.slice(1).every(({ granted }) => !granted)).toBe(true)
    }
    const { access_id } = (await app.client.checkAccess({ user_ref: 'why', rids: ['news'] }))
      .checks[0] as { access_id: string }
    const preview = { user_ref: 'why', rids: ['news'], if: `revoke:${access_id}` }
    const { checks } = await app.client.checkAccess(preview)
    expect(checks[0]).toMatchObject({ granted: false, code: 'revoked' })
    expect(await app.client.hasAccess({ rid: 'news', user_ref: 'why' })).toBe(true)
  })

  it('lists all that a reader may see, page after page', async () => {
    const rids = ['list-1', 'list-2', 'list-3']
    for (const rid of rids) {
      await app.addResource(rid)
      await app.client.grantAccess({ rid, email: 'all@example.com', user_ref: 'all' })
    }
    for (const pagesize of [1, 2, 3, 100]) {
      const found: string[] = []
      for await (const { rid } of app.client.listEntitlements({ user_ref: 'all', pagesize })) {
        found.push(rid)
      }
      expect(found).toEqual(rids)
    }
    for await (const { rid } of app.client.listEntitlements({ user_ref: 'none' }))
      throw new Error(rid)
  })

  it('asks for no more pages than are wanted', async () => {
    let calls = 0
    const counting: typeof fetch = (...all) => {
      calls++
      return fetch(...all)
    }
    const client = new Gatehouse({ ...app, baseUrl: service.url, fetch: counting })
    for await (const { rid } of client.listAccess({ rid: 'pages', pagesize: 2 })) {
      expect(rid).toBe('pages')
      break
    }
    expect(calls).toBe(1)
  })
})

describe('against anything that may answer', () => {
  let server: Server | undefined

  /** Clients are patient unless their patience is tested: a busy machine may need a second for any answer. */
  async function answering(listener: RequestListener, timeout = 60_000): Promise<Gatehouse> {
    const listening = createServer(listener).listen(0, '127.0.0.1')
    server = listening
    await new Promise((resolve) => listening.once('listening', resolve))
    return new Gatehouse({ ...options(), timeout })
  }
  /** The options of any client of the server. */
  function options() {
    const { port } = (server as Server).address() as AddressInfo
    return { baseUrl: `http://127.0.0.1:${port}`, ...credentials }
  }
  const failing = (status: number, body: string, headers = {}) =>
    answering((_, response) => response.writeHead(status, headers).end(body))

  afterEach(() => {
    server?.closeAllConnections()
    server?.close()
  })

  it.each([
    [429, RateLimitedError],
    [503, UnavailableError],
  ])('%d says when to try again', async (status, kind) => {
    const body = JSON.stringify({ error: { message: 'Later.', code: 'later', request_id: 'r1' } })
    const client = await failing(status, body, { 'Retry-After': '17' })
    const error = await client.searchAccess().catch((e: unknown) => e)
    expect(error).toBeInstanceOf(kind)
    const details = { status, code: 'later', message: 'Later.', requestId: 'r1', retryAfter: 17 }
    expect(error).toMatchObject(details)
  })

  it.each([
    '{"error":{"message":"Oops","code":"internal_error","request_id":"r"}}',
    '{}',
    'null',
    '[]',
    '"x"',
    '{"error":null}',
    '<html>Bad gateway</html>',
  ])('a 500 with %s is an ApiError', async (body) => {
    const error = await (await failing(500, body)).searchAccess().catch((e: unknown) => e)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 500 })
  })

  it.each([
    [200, ''],
    [200, '{"data":['],
  ])('a %d that is no answer of ours (%j) is a ConnectionError', async (status, body) => {
    const error = await (await failing(status, body)).searchAccess().catch((e: unknown) => e)
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).not.toBeInstanceOf(ApiError)
  })

  it('a time to try again that is a date is left out, not NaN', async () => {
    const client = await answering((_, response) => {
      response.writeHead(503, { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }).end('away')
    })
    const error = await client.searchAccess().catch((e: unknown) => e)
    expect(error).toBeInstanceOf(UnavailableError)
    expect((error as UnavailableError).retryAfter).toBeUndefined()
  })

  it('no answer in time is a ConnectionError', async () => {
    const client = await answering(() => {}, 300)
    await expect(client.searchAccess()).rejects.toBeInstanceOf(ConnectionError)
  })

  it('an answer that stops in the middle is a ConnectionError', async () => {
    const client = await answering((_, response) => response.write('{"data":'), 300)
    await expect(client.searchAccess()).rejects.toBeInstanceOf(ConnectionError)
  })

  it('a server that is not there is a ConnectionError with its cause', async () => {
    const client = await failing(200, '')
    await new Promise((resolve) => server?.close(resolve))
    const error = await client.searchAccess().catch((e: unknown) => e)
    expect(error).toBeInstanceOf(ConnectionError)
    expect((error as Error).cause).toBeDefined()
  })

  it.each([301, 302, 303, 307, 308])(
    'a %d is not followed: the signature would go to a stranger',
    async (status) => {
      const paths: string[] = []
      const client = await answering((request, response) => {
        paths.push(request.url as string)
        response.writeHead(status, { Location: '/stolen' }).end('{}')
      })
      const error = await client.searchAccess().catch((e: unknown) => e)
      expect(error).toBeInstanceOf(ConnectionError)
      expect(error).toMatchObject({ reason: 'redirected' })
      expect(paths).toEqual(['/r2/access/search'])
    },
  )

  it('a redirect whose status the runtime hides is one too', async () => {
    const hiding = async () => ({
      ...Response.error(),
      type: 'opaqueredirect',
      headers: new Headers(),
    })
    const client = new Gatehouse({
      baseUrl: 'https://x.example',
      fetch: async () => ({ ...(await hiding()), ok: false, status: 0, json: async () => ({}) }),
      ...credentials,
    })
    await expect(client.searchAccess()).rejects.toMatchObject({ reason: 'redirected' })
  })

  /** Answers with each of these in turn, the last one for good, and counts. */
  async function inTurn(...listeners: RequestListener[]) {
    const seen: string[] = []
    const client = await answering((request, response) => {
      seen.push(`${request.method} ${request.url?.split('?')[0]}`)
      const listener = listeners[Math.min(seen.length, listeners.length) - 1]
      listener?.(request, response)
    })
    return { client, seen }
  }
  const cut: RequestListener = (request) => request.socket.destroy()
  const cutLater: RequestListener = (request, response) => {
    response.write('{"data":', () => request.socket.destroy())
  }
  const status =
    (code: number, headers = {}): RequestListener =>
    (_, response) =>
      response.writeHead(code, headers).end('{}')
  const page = { data: [], total: 0, page: 0, pagesize: 100 }
  const well: RequestListener = (_, response) => response.end(JSON.stringify(page))

  it.each([
    ['a connection that breaks', cut],
    ['a response that breaks off', cutLater],
    ['502', status(502)],
    ['503', status(503)],
    ['504', status(504)],
  ])('reads are retried once after %s', async (_, listener) => {
    const { client, seen } = await inTurn(listener, well)
    expect(await client.searchAccess()).toEqual(page)
    expect(seen).toHaveLength(2)
  })

  it('there is no third attempt', async () => {
    const { client, seen } = await inTurn(cut)
    await expect(client.searchAccess()).rejects.toMatchObject({ reason: 'unreachable' })
    expect(seen).toHaveLength(2)
  })

  it.each([
    ['400', status(400)],
    ['401', status(401)],
    ['404', status(404)],
    ['429', status(429)],
    ['500', status(500)],
    ['503 that asks for a longer pause', status(503, { 'Retry-After': '2' })],
  ])('%s is not retried', async (_, listener) => {
    const { client, seen } = await inTurn(listener, well)
    await expect(client.searchAccess()).rejects.toBeInstanceOf(ApiError)
    expect(seen).toHaveLength(1)
  })

  it('writes are retried with the same key and a new time, three times at most', async () => {
    const targets: URL[] = []
    const recording: RequestListener = (request) => {
      targets.push(new URL(request.url as string, 'http://x'))
      request.socket.destroy()
    }
    let now = 1_800_000_000_500
    await answering(recording)
    const grant = { rid: 'news', email: 'ann@example.com' }
    const dated = new Gatehouse({ ...options(), now: () => (now += 1_000) })
    await expect(dated.grantAccess(grant)).rejects.toMatchObject({ reason: 'unreachable' })
    expect(targets.map(({ pathname }) => pathname)).toEqual(Array(4).fill('/r2/access/grant'))
    const values = (name: string) => targets.map(({ searchParams }) => searchParams.get(name))
    expect(new Set(values('idempotency_key')).size).toBe(1)
    expect(values('idempotency_key')[0]).toMatch(/^[\w-]{36}$/)
    expect(values('ts')).toEqual(['1800000001', '1800000002', '1800000003', '1800000004'])
    await expect(dated.grantAccess({ ...grant, idempotency_key: 'mine' })).rejects.toThrow()
    expect(values('idempotency_key').slice(4)).toEqual(Array(4).fill('mine'))
  })

  it('a write waits as long as the service asks for while the first attempt is handled', async () => {
    const running: RequestListener = (_, response) => {
      response.writeHead(503, { 'Retry-After': '1' })
      response.end('{"error":{"code":"request_running"}}')
    }
    const { client, seen } = await inTurn(running, well)
    const from = performance.now()
    await client.grantAccess({ rid: 'news', email: 'ann@example.com' })
    expect(performance.now() - from).toBeGreaterThan(990)
    expect(seen).toHaveLength(2)
  })

  it('a request of one’s own that is a POST is sent once, as it is', async () => {
    const { client, seen } = await inTurn(cut)
    await expect(client.request('POST', '/r2/access/grant', {})).rejects.toThrow()
    expect(seen).toEqual(['POST /r2/access/grant'])
  })

  it.each([
    ['no response', () => {}],
    ['half a response', ((_, response) => response.write('{"data":')) as RequestListener],
  ])('%s in time is a timeout, after that time and no longer', async (_, listener) => {
    const { seen } = await inTurn(listener)
    const client = new Gatehouse({ ...options(), timeout: 1_000 })
    const from = performance.now()
    const error = await client.searchAccess().catch((e: unknown) => e)
    expect(error).toMatchObject({ reason: 'timeout' })
    expect(performance.now() - from).toBeGreaterThan(990)
    expect(performance.now() - from).toBeLessThan(10_000)
    expect(seen).toHaveLength(1)
  })

  it('the timeout covers both attempts', async () => {
    const cutAfterHalf: RequestListener = (request) => {
      setTimeout(() => request.socket.destroy(), 1_000)
    }
    const { seen } = await inTurn(cutAfterHalf, () => {})
    const client = new Gatehouse({ ...options(), timeout: 2_000 })
    const from = performance.now()
    await expect(client.searchAccess()).rejects.toMatchObject({ reason: 'timeout' })
    // A second attempt with a time of its own would take more than 3 seconds in all.
    expect(performance.now() - from).toBeLessThan(3_000)
    expect(seen).toHaveLength(2)
  })

  it('a fetch of one’s own is used, with the signed request', async () => {
    const calls: [string, RequestInit | undefined][] = []
    const own: typeof fetch = async (url, init) => {
      calls.push([String(url), init])
      return Response.json({ data: [], total: 0, page: 0, pagesize: 100 })
    }
    const client = new Gatehouse({ baseUrl: 'https://x.example/', fetch: own, ...credentials })
    await client.searchAccess({ rid: 'news', page: 2, show_expired: true })
    const [[url, init] = []] = calls
    expect(url).toBe('https://x.example/r2/access/search?rid=news&page=2&show_expired=true')
    expect(init?.method).toBe('GET')
    expect(new Headers(init?.headers).get('authorization')).toMatch(/^Client0001:[\w-]{43}$/)
  })
})
