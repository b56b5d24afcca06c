import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createCertificate } from '../../../testing/certificate.ts'
import { type NameServer, startNameServer } from '../../../testing/name-server.ts'
import { createWebhookClient, type WebhookClient } from './http-client.ts'
import { WebhookCallError } from './problems.ts'
import { createResolver } from './resolve-host.ts'

/** The operator allows this address only. */
const ALLOWED = '127.0.0.2'

let names: NameServer
let client: WebhookClient
/** Listens at loopback addresses that are not allowed, and must never be connected to. */
const forbidden: Server[] = []
let port: number
let intrusions = 0
/** Listens at the allowed address, and does what a test tells it to. */
let receiver: http.Server
let respond: http.RequestListener = (_, response) => response.end('thanks')

const listening = async (server: Server, ...at: [port: number, host: string]) => {
  server.listen(...at)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

beforeAll(async () => {
  names = await startNameServer()
  receiver = http.createServer((request, response) => respond(request, response))
  port = await listening(receiver, 0, ALLOWED)
  for (const host of ['127.0.0.1', '::1']) {
    const server = createServer((socket) => {
      intrusions++
      socket.destroy()
    })
    await listening(server, port, host)
    forbidden.push(server)
  }
  const resolve = createResolver({ servers: [names.address], cacheMs: 0 })
  client = createWebhookClient({ allow: [`${ALLOWED}/32`], resolve })
})

afterAll(async () => {
  client.close()
  receiver.closeAllConnections()
  for (const server of [receiver, ...forbidden]) server.close()
  await names.close()
})

afterEach(() => {
  vi.useRealTimers()
  respond = (_, response) => response.end('thanks')
  names.answer = () => []
})

const post = (url: string, stop?: AbortSignal) =>
  client.post({ url, headers: { 'content-type': 'application/json' }, body: '{"a":"ä"}', stop })

async function problemOf(url: string, stop?: AbortSignal): Promise<string> {
  const error = await post(url, stop).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error, url).toBeInstanceOf(WebhookCallError)
  return (error as WebhookCallError).problem
}

/** Returns the status, or why there was none. */
const outcomeOf = (url: string) =>
  post(url).then(
    ({ status }) => status,
    (error: WebhookCallError) => error.problem,
  )

const REFUSED_V4 = [
  ...['127.0.0.1', '127.0.0.3', '127.255.255.254', '0.0.0.0', '0.1.2.3', '169.254.169.254'],
  ...['169.254.0.1', '10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  ...['100.64.0.1', '100.127.255.255', '192.0.0.8', '192.0.2.1', '192.88.99.1', '198.18.0.1'],
  ...['198.19.255.255', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255'],
  ...['240.0.0.1', '255.255.255.255'],
]

const REFUSED_V6 = [
  ...['::', '::1', 'fe80::1', 'febf::1', 'fec0::1', 'fc00::1', 'fd12:3456::1', 'fd00:ec2::254'],
  // IPv4 inside of IPv6: mapped, translated, compatible, NAT64, NAT64 of a private network, 6to4, Teredo.
  ...['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:169.254.169.254', '::ffff:0:127.0.0.1'],
  ...['::127.0.0.1', '64:ff9b::127.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::7f00:1'],
  ...['2002:7f00:1::', '2002:a9fe:a9fe::1', '2001::1', '2001:0:5ef5:79fb::1'],
  ...['2001:db8::1', '3fff::1', '100::1', 'ff02::1', '5f00::1'],
]

/** Other ways to write 127.0.0.1, 169.254.169.254 and 0.0.0.0. */
const DISGUISED = [
  ...['2130706433', '017700000001', '0x7f000001', '0x7f.1', '127.1', '127.0.1', '0177.0.0.1'],
  ...['0x7F.0x0.0x0.0x1', '127.0.0.1.', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376', '0'],
  ...['①②⑦.⓪.⓪.①', '127。0。0。1', '１２７.０.０.１', '%31%32%37.0.0.1', '127.0.0.1%2e'],
]

describe('a webhook', () => {
  const hosts = [...REFUSED_V4, ...REFUSED_V6.map((address) => `[${address}]`), ...DISGUISED]

  it.each(hosts)('is not sent to %s', async (host) => {
    for (const protocol of ['http', 'https']) {
      expect(await problemOf(`${protocol}://${host}:${port}/hook`)).toBe('address_refused')
    }
    expect(intrusions).toBe(0)
  })

  it.each([...REFUSED_V4, ...REFUSED_V6])('is not sent to a name that leads to %s', async (at) => {
    const family = at.includes(':') ? 6 : 4
    names.answer = (_, asked) => (asked === family ? [at] : [])
    expect(await problemOf(`https://hook.example.com:${port}/`)).toBe('address_refused')
    expect(await problemOf(`http://hook.example.com.:${port}/`)).toBe('address_refused')
    // One refused address among others is enough.
    names.answer = (_, asked) => (asked === family ? [at] : asked === 4 ? [ALLOWED] : [])
    expect(await problemOf(`http://hook.example.com:${port}/`)).toBe('address_refused')
    expect(intrusions).toBe(0)
  })

  it.each(['localhost', 'localhost.', 'LOCALHOST', 'ⓛocalhost', 'ip6-localhost'])(
    'is not sent to this machine by the name %s',
    async (name) => {
      expect(await problemOf(`https://${name}:${port}/`)).toMatch(/^(address_refused|host_not_f)/)
      expect(intrusions).toBe(0)
    },
  )

  it.each([
    'https://user@hook.example.com/',
    'https://user:secret@hook.example.com/',
    `http://${ALLOWED}@127.0.0.1/`,
    'ftp://hook.example.com/',
    'file:///etc/passwd',
    'hook.example.com',
    'https://',
    'https://[::1',
    'https://1.2.3.4.5.6/',
    'https://0x100000000/',
  ])('is not sent to the URL %s', async (url) => {
    expect(await problemOf(url)).toBe('url_refused')
  })

  it('is sent over plain http only where the operator allows it', async () => {
    names.answer = (_, family) => (family === 4 ? ['8.8.8.8'] : [])
    expect(await problemOf('http://hook.example.com/')).toBe('http_refused')
    expect(await problemOf('http://8.8.8.8/')).toBe('http_refused')
    expect(await problemOf('http://[64:ff9b::8.8.8.8]/')).toBe('http_refused')
    expect(await outcomeOf(`http://${ALLOWED}:${port}/`)).toBe(200)
    expect(await outcomeOf(`http://[::ffff:${ALLOWED}]:${port}/`)).toBe(200)
  })

  it('is sent to the address that was checked, though the name leads elsewhere at the next lookup', async () => {
    let lookups = 0
    names.answer = (_, family) => {
      if (family === 6) return []
      return [lookups++ % 2 === 0 ? ALLOWED : '127.0.0.1']
    }
    respond = (_, response) => response.setHeader('connection', 'close').end()
    const outcomes: unknown[] = []
    for (let i = 0; i < 40; i++) outcomes.push(await outcomeOf(`http://hook.example.com:${port}/`))
    expect(outcomes).toEqual(outcomes.map((_, i) => (i % 2 === 0 ? 200 : 'address_refused')))
    const url = `http://hook.example.com:${port}/`
    const together = await Promise.all(Array.from({ length: 40 }, () => outcomeOf(url)))
    expect([...new Set(together)].sort()).toEqual([200, 'address_refused'])
    // Each call has looked the name up once, so that nothing was connected to after a second lookup.
    expect(lookups).toBe(80)
    expect(intrusions).toBe(0)
  })

  it('follows no redirect', async () => {
    respond = (_, response) =>
      response.writeHead(307, { location: `http://127.0.0.1:${port}/` }).end()
    expect(await post(`http://${ALLOWED}:${port}/`)).toMatchObject({ status: 307 })
    expect(intrusions).toBe(0)
  })

  it('carries its headers and body, and brings back the beginning of the response', async () => {
    const got: unknown[] = []
    respond = (request, response) => {
      const { method, url, headers } = request
      request.on('data', (chunk: Buffer) =>
        got.push(method, url, headers['content-type'], `${chunk}`),
      )
      request.on('end', () => {
        response.writeHead(503, { 'retry-after': '120' }).end(`\0${'x'.repeat(100_000)}`)
      })
    }
    const answer = await post(`http://${ALLOWED}:${port}/hook?a=1#part`)
    expect(got).toEqual(['POST', '/hook?a=1', 'application/json', '{"a":"ä"}'])
    expect(answer).toEqual({
      ...{ status: 503, retryAfter: '120', body: `\uFFFD${'x'.repeat(2_047)}` },
    })
  })

  it('uses a connection again, and opens another one if the receiver has closed it', async () => {
    const sockets = new Set<Socket>()
    respond = (request, response) => {
      sockets.add(request.socket)
      response.end()
    }
    for (let i = 0; i < 3; i++) expect(await outcomeOf(`http://${ALLOWED}:${port}/`)).toBe(200)
    expect(sockets.size).toBe(1)
    const known = [...sockets]
    respond = (request, response) => {
      if (known.includes(request.socket)) request.socket.resetAndDestroy()
      else response.end()
    }
    expect(await outcomeOf(`http://${ALLOWED}:${port}/`)).toBe(200)
  })

  it.each<[string, http.RequestListener | 'silent name server']>([
    ['does not respond', () => {}],
    [
      'drips its response',
      (_, response) => {
        response.writeHead(200)
        const drip = setInterval(() => response.write('..'), 5)
        response.on('close', () => clearInterval(drip))
      },
    ],
    ['has a name server that does not respond', 'silent name server'],
  ])('is given up on after 15 seconds if the receiver %s', async (_, behaviour) => {
    if (typeof behaviour === 'function') respond = behaviour
    names.answer = (_name, family) => {
      if (typeof behaviour !== 'function') return undefined
      return family === 4 ? [ALLOWED] : []
    }
    const setTimer = vi.spyOn(globalThis, 'setTimeout')
    const outcome = problemOf(`http://hook.example.com:${port}/`)
    const timer = setTimer.mock.calls.find(([, ms]) => ms === 15_000)
    setTimer.mockRestore()
    await new Promise((resolve) => setTimeout(resolve, 50))
    timer?.[0]()
    expect(await outcome).toBe('timeout')
  })

  it('is given up on when the service stops', async () => {
    const stop = new AbortController()
    respond = () => stop.abort()
    expect(await problemOf(`http://${ALLOWED}:${port}/`, stop.signal)).toBe('stopped')
    expect(await problemOf(`http://${ALLOWED}:${port}/`, stop.signal)).toBe('stopped')
  })

  it('says why there was no response', async () => {
    respond = (request) => request.socket.resetAndDestroy()
    expect(await problemOf(`http://${ALLOWED}:${port}/`)).toBe('broken_off')
    respond = (request) => request.socket.end('220 mail.example.com ESMTP\r\n')
    expect(await problemOf(`http://${ALLOWED}:${port}/`)).toBe('not_http')
    expect(await problemOf(`http://${ALLOWED}:1/`)).toBe('connection_refused')
    expect(await problemOf(`https://${ALLOWED}:${port}/`)).toBe('tls_failed')
  })
})

describe('a webhook over https', () => {
  it('needs a certificate for the name of the host', async () => {
    const certificate = await createCertificate('hook.example.com')
    const { key, cert } = certificate
    const secure = https.createServer({ key, cert }, (_, response) => response.end('secret'))
    const at = await listening(secure, 0, ALLOWED)
    names.answer = (_, family) => (family === 4 ? [ALLOWED] : [])
    const resolve = createResolver({ servers: [names.address] })
    const trusting = createWebhookClient({ allow: [ALLOWED], resolve, ca: cert })
    const call = { headers: {}, body: '' }
    const send = (host: string) => trusting.post({ ...call, url: `https://${host}:${at}/` })
    expect(await send('hook.example.com')).toMatchObject({ status: 200, body: 'secret' })
    for (const host of ['other.example.com', ALLOWED]) {
      await expect(send(host)).rejects.toMatchObject({ problem: 'tls_failed' })
    }
    expect(await problemOf(`https://hook.example.com:${at}/`)).toBe('tls_failed')
    trusting.close()
    secure.closeAllConnections()
    secure.close()
    certificate.remove()
  })
})
