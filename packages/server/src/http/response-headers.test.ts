import { createServer } from 'node:net'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { createUnavailableAnswer } from '../cluster/unavailable.ts'
import { readConfig } from '../config/config.ts'
import { databases, type TestDatabase } from '../testing/databases.ts'
import { addDownload } from '../testing/downloads/downloads.ts'
import { callEveryRoute } from '../testing/http/every-route.ts'
import { sendRaw } from '../testing/http/raw-http.ts'
import { send, sendSigned, type TestResponse } from '../testing/http/requests.ts'
import { useApplication, useOwner, useS3, useService } from '../testing/use-service.ts'
import { commonHeaders } from './response-headers.ts'

const BASE = 'https://access.example.com'
const YEAR = 'max-age=31536000'
const SQLITE = databases[0] as TestDatabase

/** What every answer of a service with an https address has, whoever asked for what. */
function requireHeaders(
  name: string,
  { status, headers, text }: TestResponse,
  policy: 'same-origin' | 'cross-origin' = 'same-origin',
): void {
  const csp = String(headers['content-security-policy'])
  const told = {
    'strict-transport-security': headers['strict-transport-security'],
    'x-content-type-options': headers['x-content-type-options'],
    'cross-origin-resource-policy': headers['cross-origin-resource-policy'],
    csp: ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"].filter((part) =>
      csp.split('; ').includes(part),
    ).length,
    caching: headers['cache-control'] !== undefined,
  }
  expect([name, status, told]).toEqual([
    name,
    status,
    {
      'strict-transport-security': `${YEAR}; includeSubDomains`,
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': policy,
      csp: 3,
      caching: true,
    },
  ])
  if (text === '') return
  const type = headers['content-type'] ?? ''
  expect([name, type]).toEqual([name, expect.stringMatching(/^[a-z]+\/[a-z0-9.+-]+/)])
  if (/^text\/|json/.test(type)) {
    expect([name, type]).toEqual([name, expect.stringMatching(/; charset=utf-8$/)])
  }
}

describe('each route answers with its headers', () => {
  const service = useService(SQLITE, { env: { GATEHOUSE_BASE_URL: BASE } })
  const production = useApplication(service)
  const sandbox = useApplication(service, { environment: 'sandbox' })
  const owner = useOwner(service)

  it('JSON, CSV, pages, redirects, errors', async () => {
    const types = new Set<string | undefined>()
    await callEveryRoute(service, { production, sandbox }, owner, (name, response) => {
      requireHeaders(name, response)
      types.add(response.headers['content-type']?.split(';')[0])
      if (response.headers.location) types.add('redirect')
    })
    expect([...types]).toEqual(
      expect.arrayContaining(['application/json', 'text/csv', 'text/html', 'redirect']),
    )
  })
})

describe('each kind of answer has its headers', () => {
  const service = useService(SQLITE, { env: { GATEHOUSE_BASE_URL: BASE } })
  const production = useApplication(service, { resources: ['issue'] })
  const owner = useOwner(service)
  const get = (url: string, headers = {}, method = 'GET') =>
    send(service.url, url.replace(BASE, ''), { method, headers })

  it('of unknown paths and methods, and of the pages of the web app', async () => {
    for (const path of ['/nothing', '/%zz', '/r2/none', '/dashboard', '/checkout/x', '/d/x']) {
      for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS']) {
        const headers = { accept: 'text/html' }
        requireHeaders(`${method} ${path}`, await get(path, headers, method))
      }
    }
    for (const path of ['', 'theme.js']) requireHeaders(path, await get(`/dashboard/${path}`))
  })

  it('of access checks, on the fast path and on the route', async () => {
    await production.client.grantAccess({ rid: 'issue', email: 'a@example.com', user_ref: 'a' })
    for (const user_ref of ['a', 'nobody']) {
      for (const headers of [{}, { 'content-length': '0' }]) {
        const key = { rid: 'issue', user_ref }
        const answer = await sendSigned(production, 'GET', '/r2/access', key, { headers })
        requireHeaders(`${user_ref} ${JSON.stringify(headers)}`, answer)
      }
    }
  })

  it('of files, which other sites may show: whole, in parts, unchanged, not at all', async () => {
    await addDownload(production, 'issue', Buffer.from('Hello, world'.padEnd(5_000, '.')), {
      ...{ fileName: 'hello.html', type: 'text/html' },
    })
    const { url } = await production.client.getDownloadUrl({ rid: 'issue', lifetime: 3600 })
    const whole = await get(url)
    expect([whole.status, whole.text.slice(0, 5)]).toEqual([200, 'Hello'])
    requireHeaders('whole', whole, 'cross-origin')
    expect(whole.headers['content-security-policy']).toContain('; sandbox;')
    for (const headers of [{ range: 'bytes=0-1' }, { 'if-none-match': whole.headers.etag }]) {
      requireHeaders(JSON.stringify(headers), await get(url, headers), 'cross-origin')
    }
    const parts = await get(url, { range: 'bytes=0-1,4000-4001' })
    requireHeaders('parts', parts, 'cross-origin')
    expect(parts.text).toContain('Content-Type: text/html; charset=utf-8\r\n')
    requireHeaders('HEAD', await get(url, {}, 'HEAD'), 'cross-origin')
    requireHeaders('no such part', await get(url, { range: 'bytes=5000-' }))
  })

  it('of images, which other sites may show', async () => {
    const image = await sharp({
      create: { width: 40, height: 20, channels: 3, background: 'green' },
    })
      .png()
      .toBuffer()
    const path = `/dashboard/api/production/${production.aid}/resources/issue/image`
    const shown = await fetch(service.url + path, {
      method: 'PUT',
      headers: {
        cookie: owner.cookie,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/octet-stream',
      },
      body: new Uint8Array(image),
    })
    const { image: url } = (await shown.json()) as { image: string }
    expect(url.startsWith(`${BASE}/images/`)).toBe(true)
    const answer = await get(url)
    expect(answer.headers['content-type']).toBe('image/jpeg')
    requireHeaders('image', answer, 'cross-origin')
  })

  it.each([
    ['no HTTP', 'hello\r\n\r\n'],
    ['an endless header', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(170_000)}\r\n\r\n`],
    ['two hosts', 'GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n'],
  ])('of a request that is %s', async (name, bytes) => {
    const answer = await sendRaw(service.url, bytes)
    if (!answer) throw new Error('there is no answer')
    const { status, headers, body } = answer
    requireHeaders(name, { status, headers: Object.fromEntries(headers), text: body })
  })

  it('of the supervisor while no worker is left', async () => {
    const config = readConfig({ GATEHOUSE_BASE_URL: BASE })
    const listener = createServer(createUnavailableAnswer(commonHeaders(config))).listen(0)
    const { port } = listener.address() as { port: number }
    const answer = await send(`http://127.0.0.1:${port}`, '/r2/access')
    listener.close()
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1'])
    requireHeaders('unavailable', answer)
  })
})

describe('a redirect to a file in S3', () => {
  const s3 = useS3('redirect')
  const service = useService(SQLITE, () => ({ env: { ...s3.env, GATEHOUSE_BASE_URL: BASE } }))
  const app = useApplication(service, { resources: ['film'] })

  it('can be followed by a page of another site', async () => {
    await addDownload(app, 'film')
    const { url } = await app.client.getDownloadUrl({ rid: 'film', lifetime: 3600 })
    const answer = await send(service.url, url.replace(BASE, ''))
    expect(answer.status).toBe(302)
    requireHeaders('redirect', answer, 'cross-origin')
  })
})

describe('Strict-Transport-Security', () => {
  const told = (env: Record<string, string>) =>
    commonHeaders(readConfig(env))['strict-transport-security']

  it('is sent with an https address, with or without subdomains, or not at all', () => {
    const base = { GATEHOUSE_BASE_URL: BASE }
    expect(told(base)).toBe(`${YEAR}; includeSubDomains`)
    expect(told({ ...base, GATEHOUSE_HSTS: 'host' })).toBe(YEAR)
    expect(told({ ...base, GATEHOUSE_HSTS: 'off' })).toBeUndefined()
  })

  it('is not sent without one: browsers would then not reach the service', () => {
    expect(told({})).toBeUndefined()
    expect(told({ GATEHOUSE_BASE_URL: 'http://access.example.com' })).toBeUndefined()
  })
})
