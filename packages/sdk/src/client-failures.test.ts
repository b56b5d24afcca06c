import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import {
  ApiError,
  ConnectionError,
  Gatehouse,
  RateLimitedError,
  UnavailableError,
} from './index.ts'

const credentials = { aid: 'Client0001', privateKey: 'k'.repeat(40) }

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
