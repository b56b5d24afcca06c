import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { requestTurns } from '../event-loop.ts'
import { databases } from '../testing/databases.ts'
import { RawConnection, requestBytes, sendRaw, signedBytes } from '../testing/http/raw-http.ts'
import { startTestService, type TestService } from '../testing/service.ts'

const [sqlite] = databases
const HEALTH = requestBytes({ target: '/healthz' })
const FORM = 'Content-Type: application/x-www-form-urlencoded'
/** A request whose body is incomplete. */
const UNFINISHED = `POST /r2/access/grant HTTP/1.1\r\nHost: x\r\n${FORM}\r\nContent-Length: 9\r\n\r\na=1`

let service: TestService
const open: RawConnection[] = []

async function start(env: Record<string, string> = {}): Promise<void> {
  service = await startTestService(sqlite, { env })
}
async function connect(): Promise<RawConnection> {
  const connection = await RawConnection.open(service.url)
  open.push(connection)
  return connection
}
afterEach(async () => {
  for (const connection of open.splice(0)) connection.close()
  await service.stop()
})

const statusOf = async (bytes: string) => (await sendRaw(service.url, bytes))?.status

describe('what is no proper HTTP/1.1 is 400, with our error body', () => {
  const lines = (...all: string[]) => `${all.join('\r\n')}\r\n\r\n`
  const get = 'GET /healthz HTTP/1.1'
  const post = 'POST /r2/access/grant HTTP/1.1'
  const broken: Record<string, string> = {
    'no host': lines(get),
    'two hosts': lines(get, 'Host: a', 'Host: b'),
    'two hosts, the same': lines(get, 'Host: a', 'Host: a'),
    'length and chunks': `${lines(post, 'Host: a', 'Content-Length: 3', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
    'chunks and length': `${lines(post, 'Host: a', 'Transfer-Encoding: chunked', 'Content-Length: 3')}0\r\n\r\n`,
    'two lengths': `${lines(post, 'Host: a', 'Content-Length: 1', 'Content-Length: 2')}ab`,
    'a list of lengths': `${lines(post, 'Host: a', 'Content-Length: 1, 1')}a`,
    'a negative length': lines(post, 'Host: a', 'Content-Length: -1'),
    'a length with a sign': lines(post, 'Host: a', 'Content-Length: +1'),
    'a hexadecimal length': lines(post, 'Host: a', 'Content-Length: 0x1'),
    'chunked twice': `${lines(post, 'Host: a', 'Transfer-Encoding: chunked, chunked')}0\r\n\r\n`,
    'chunks inside gzip': `${lines(post, 'Host: a', 'Transfer-Encoding: gzip, chunked')}0\r\n\r\n`,
    'gzip inside chunks': lines(post, 'Host: a', 'Transfer-Encoding: chunked, gzip'),
    'an unknown transfer encoding': lines(post, 'Host: a', 'Transfer-Encoding: xchunked'),
    'a bad chunk': `${lines(post, 'Host: a', 'Transfer-Encoding: chunked')}zz\r\n`,
    'a folded header': lines(get, 'Host: a', 'X-Folded: b', ' c'),
    'a folded header with a tab': lines(get, 'Host: a', 'X-Folded: b', '\tc'),
    'a space before the colon': lines(get, 'Host : a'),
    'a header without a name': lines(get, 'Host: a', ': b'),
    'a header without a colon': lines(get, 'Host: a', 'nothing'),
    'a NUL in a header': lines(get, 'Host: a', 'X-Nul: a\0b'),
    'a bare CR in a header': lines(get, 'Host: a', 'X-Bare: a\rb'),
    'bare line feeds': 'GET /healthz HTTP/1.1\nHost: a\n\n',
    'a byte above 127 in the target': lines('GET /healthz?\xe9 HTTP/1.1', 'Host: a'),
    'a space in the target': lines('GET /health z HTTP/1.1', 'Host: a'),
    'HTTP/2.0': lines('GET /healthz HTTP/2.0', 'Host: a'),
    'HTTP/0.9': lines('GET /healthz'),
    'HTTP/1.2': lines('GET /healthz HTTP/1.2', 'Host: a'),
    'no version': lines('GET /healthz HTTP', 'Host: a'),
    'a method in lower case': lines('get /healthz HTTP/1.1', 'Host: a'),
    'an unknown method': lines('FOO /healthz HTTP/1.1', 'Host: a'),
    'an expectation': lines(get, 'Host: a', 'Expect: the-unexpected'),
    'a TLS greeting': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'an HTTP/2 preface': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  }

  it('whatever it is', async () => {
    await start()
    for (const [name, bytes] of Object.entries(broken)) {
      const response = await sendRaw(service.url, bytes)
      expect({ name, status: response?.status }).toEqual({ name, status: 400 })
      expect(JSON.parse(response?.body ?? '').error).toMatchObject({ code: 'invalid_request' })
      expect(response?.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(response?.headers.get('cache-control')).toBe('no-store')
    }
    expect(await statusOf(HEALTH)).toBe(200)
    expect(await statusOf('GET /healthz HTTP/1.0\r\n\r\n')).toBe(200)
  })

  it('and too much of it, though the answer may be lost in what was still being sent', async () => {
    await start()
    const headers = Array.from({ length: 10_000 }, (_, i) => `X-${i}: ${'a'.repeat(20)}`)
    const tooMuch = [
      lines(`GET /r2/access?${'a'.repeat(1e6)} HTTP/1.1`, 'Host: a'),
      lines(get, 'Host: a', `X-Long: ${'a'.repeat(1e6)}`),
      lines(get, 'Host: a', ...headers),
    ]
    for (const bytes of tooMuch) expect((await statusOf(bytes)) ?? 400).toBe(400)
    expect(await statusOf(HEALTH)).toBe(200)
  })
})

describe('a body that nobody wants', () => {
  it.each([
    ['too long for a form', 'POST', '/r2/access/grant'],
    ['on a GET that is answered', 'GET', '/r2/access/search'],
    ['on a GET that is refused', 'GET', '/r2/access'],
    ['at an unknown path', 'POST', '/r2/nothing'],
    ['at a path with a bad escape', 'POST', '/r2/user/%zz'],
    ['for a method that is not allowed', 'PUT', '/r2/access'],
  ])('ends its connection, even if it never ends: %s', async (_, method, target) => {
    await start()
    const app = await service.newApplication()
    const connection = await connect()
    const rss = process.memoryUsage.rss()
    const headers = [FORM, 'Transfer-Encoding: chunked']
    await connection.write(signedBytes(app, { method, target, headers }))
    const chunk = `4000\r\n${'a'.repeat(0x4000)}\r\n`
    let megabytes = 0
    for (; connection.isOpen && megabytes < 64; megabytes += 1 / 64) await connection.write(chunk)
    expect(megabytes).toBeLessThan(64)
    expect(process.memoryUsage.rss() - rss).toBeLessThan(100 * 1024 * 1024)
    expect(await statusOf(HEALTH)).toBe(200)
  })
})

describe('slow clients', () => {
  it('have 10 seconds for the headers and 30 for all', async () => {
    await start()
    expect(service.app.server.headersTimeout).toBe(10_000)
    expect(service.app.server.requestTimeout).toBe(30_000)
  })

  it('are told, and their connection is closed', async () => {
    await start()
    service.app.server.headersTimeout = 200
    service.app.server.requestTimeout = 400
    const headers = await connect()
    await headers.write('GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ')
    const body = await connect()
    await body.write(UNFINISHED)
    for (const connection of [headers, body]) {
      expect((await connection.answer())?.status).toBe(400)
      await connection.ended()
    }
  })

  it('do not keep a good one from being served', async () => {
    await start()
    const app = await service.newApplication()
    await Promise.all(
      Array.from({ length: 300 }, async (_, i) => {
        const connection = await connect()
        await connection.write(i % 2 === 0 ? 'GET /r2/access HTTP/1.1\r\nX-Slow: ' : UNFINISHED)
      }),
    )
    const times: number[] = []
    for (let i = 0; i < 100; i++) {
      const start = performance.now()
      await app.client.searchAccess()
      times.push(performance.now() - start)
    }
    expect(times.sort((a, b) => a - b)[98]).toBeLessThan(500)
  })
})

describe('limits of connections', () => {
  it('of each address: one too many is closed, and one fewer makes room', async () => {
    await start({ GATEHOUSE_LIMIT_CONNECTIONS_PER_ADDRESS: '3' })
    const three = [await connect(), await connect(), await connect()]
    for (const one of three) {
      await one.write(HEALTH)
      expect((await one.answer())?.status).toBe(200)
    }
    const fourth = await connect()
    await fourth.write(HEALTH)
    expect(await fourth.answer()).toBeUndefined()
    three[0]?.close()
    await expect.poll(() => statusOf(HEALTH)).toBe(200)
  })

  it('do not count those of a trusted proxy', async () => {
    await start({
      GATEHOUSE_LIMIT_CONNECTIONS_PER_ADDRESS: '3',
      GATEHOUSE_TRUSTED_PROXIES: '10.0.0.1,127.0.0.0/8',
    })
    for (let i = 0; i < 10; i++) {
      const connection = await connect()
      await connection.write(HEALTH)
      expect((await connection.answer())?.status).toBe(200)
    }
  })

  it('of all', async () => {
    await start({ GATEHOUSE_LIMIT_CONNECTIONS: '2' })
    await connect()
    await connect()
    const third = await connect()
    await third.write(HEALTH)
    expect(await third.answer()).toBeUndefined()
  })
})

it('more requests at once than the limit are 503 with Retry-After, until there is room', async () => {
  await start({ GATEHOUSE_LIMIT_IN_FLIGHT: '2' })
  const two = [await connect(), await connect()]
  for (const one of two) await one.write(UNFINISHED)
  await expect.poll(() => statusOf(HEALTH)).toBe(503)
  const refused = await sendRaw(service.url, HEALTH)
  expect(refused?.headers.get('retry-after')).toBe('1')
  expect(JSON.parse(refused?.body ?? '').error.code).toBe('overloaded')
  await two[0]?.write('&b=234')
  expect((await two[0]?.answer())?.status).toBe(401)
  await expect.poll(() => statusOf(HEALTH)).toBe(200)
})

describe('the limit of an address', () => {
  const from = (forwarded: string) =>
    requestBytes({ target: '/healthz', headers: [`X-Forwarded-For: ${forwarded}`] })

  it('is not evaded by a forged header', async () => {
    await start({ GATEHOUSE_LIMIT_PER_ADDRESS: '3' })
    for (const i of [1, 2, 3]) expect(await statusOf(from(`10.0.0.${i}`))).toBe(200)
    for (const i of [4, 5]) expect(await statusOf(from(`10.0.0.${i}`))).toBe(429)
    const response = await sendRaw(service.url, HEALTH)
    expect(Number(response?.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('counts those behind a trusted proxy apart, by what the proxy itself has seen', async () => {
    await start({ GATEHOUSE_LIMIT_PER_ADDRESS: '1', GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1' })
    expect(await statusOf(from('10.0.0.1'))).toBe(200)
    expect(await statusOf(from('10.0.0.2'))).toBe(200)
    expect(await statusOf(from('10.0.0.1'))).toBe(429)
    expect(await statusOf(from('10.9.9.9, 10.0.0.1'))).toBe(429)
  })
})

it('the limit of an application counts its good requests, in 429 with Retry-After', async () => {
  await start({ GATEHOUSE_LIMIT_PER_APPLICATION: '2' })
  const app = await service.newApplication()
  const other = await service.newApplication('sandbox')
  const search = signedBytes(app, { target: '/r2/access/search' })
  const forged = signedBytes({ ...app, privateKey: 'x' }, { target: '/r2/access/search' })
  for (let i = 0; i < 5; i++) expect(await statusOf(forged)).toBe(401)
  expect([await statusOf(search), await statusOf(search)]).toEqual([200, 200])
  const response = await sendRaw(service.url, search)
  expect(response?.status).toBe(429)
  expect(Number(response?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await other.client.searchAccess()).total).toBe(0)
})

describe('requests that arrive together', () => {
  it('leave turns of the event loop to access checks between them', async () => {
    await start()
    await service.app.ready()
    // Uses up the current turn, as other requests would.
    while (!requestTurns.isOver());
    let isAnswered = false
    const answered = service.app.inject('/nothing').then(({ statusCode }) => {
      isAnswered = true
      return statusCode
    })
    let turns = 0
    for (; !isAnswered; turns++) await setImmediate()
    expect(await answered).toBe(404)
    expect(turns).toBeGreaterThanOrEqual(4)
  })

  it('are given up if their client disconnects while they wait', async () => {
    let giveTurn = () => {}
    const turn = new Promise<void>((resolve) => {
      giveTurn = resolve
    })
    const take = vi.spyOn(requestTurns, 'take').mockReturnValue(turn)
    await start()
    const app = await service.newApplication()
    const verified = vi.spyOn(app.environment.keyring, 'keysOf')
    const connection = await connect()
    await connection.write(signedBytes(app, { target: '/r2/access/search' }))
    await expect.poll(() => take.mock.calls.length).toBe(1)
    const { server } = service.app
    connection.close()
    await expect.poll(() => promisify(server.getConnections).call(server)).toBe(0)
    giveTurn()
    take.mockRestore()
    expect(await statusOf(HEALTH)).toBe(200)
    expect(verified).not.toHaveBeenCalled()
  })
})
