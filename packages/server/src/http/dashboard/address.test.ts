import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { OutgoingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FastifyInstance, fastify } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { send } from '../../testing/http/requests.ts'
import { getPage, visibleText } from '../../testing/payments/page-client.ts'
import { startTestService, type TestService } from '../../testing/service.ts'
import { callApi, newOwner, PASSWORD } from '../../testing/staff.ts'
import { createAfterResponse } from '../after-response.ts'
import { renderSamplePage } from '../checkout/sample-page.ts'
import { dashboard } from './dashboard.ts'
import { createRefusalTrace } from './refusals.ts'
import type { RouteContext } from './route.ts'

const CREDENTIALS = { email: 'owner@example.com', password: PASSWORD }

/** Runs `work` with a service that has these settings and an owner. */
async function withService(
  env: Record<string, string>,
  work: (service: TestService) => Promise<void>,
): Promise<void> {
  const service = await startTestService(databases[0], { env })
  try {
    await newOwner(service)
    await work(service)
  } finally {
    await service.stop()
  }
}

const signIn = ({ url }: TestService, headers: OutgoingHttpHeaders) =>
  callApi(url, 'POST', '/sign-in', { body: CREDENTIALS, headers })

describe('the cookie', () => {
  it('is bound to this machine without https, and nobody but the browser reads it', async () => {
    await withService({}, async (service) => {
      for (const host of ['localhost:8080', '127.0.0.1', '[::1]:8080']) {
        const response = await signIn(service, { host })
        const [session, device, ...others] = response.headers['set-cookie'] ?? []
        expect(session, host).toMatch(
          /^gatehouse-session=[A-Za-z0-9]{43}; Path=\/; Max-Age=1209600; HttpOnly; SameSite=Strict$/,
        )
        expect(device, host).toMatch(/^gatehouse-[^;]+; Path=\/; .*HttpOnly; SameSite=Strict$/)
        expect(others, host).toEqual([])
      }
    })
  })

  it('is bound to its host and to https behind a proxy, and the other one is not taken there', async () => {
    const env = { GATEHOUSE_BASE_URL: 'https://access.example.com' }
    await withService(env, async (service) => {
      const host = 'access.example.com'
      const response = await signIn(service, { host })
      const [cookie = ''] = response.headers['set-cookie'] ?? []
      expect(cookie).toMatch(
        /^__Host-gatehouse=[A-Za-z0-9]{43}; Path=\/; Max-Age=1209600; HttpOnly; SameSite=Strict; Secure$/,
      )
      const [pair = ''] = cookie.split(';')
      const me = (given: string) =>
        callApi(service.url, 'GET', '/me', { cookie: given, headers: { host } })
      expect((await me(pair)).status).toBe(200)
      expect((await me(pair.replace('__Host-gatehouse', 'gatehouse-session'))).status).toBe(401)
    })
  })

  it('is the strict one as a trusted proxy says, and nobody else is believed', async () => {
    const proxied = { host: 'own.example', 'x-forwarded-proto': 'https', 'x-forwarded-for': '::1' }
    await withService({ GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1' }, async (service) => {
      const response = await signIn(service, proxied)
      expect(response.headers['set-cookie']?.[0]).toMatch(/^__Host-gatehouse=.*; Secure$/)
    })
    await withService({}, async (service) => {
      expect((await signIn(service, proxied)).json).toMatchObject({
        error: { code: 'https_required' },
      })
    })
  })
})

describe('plain HTTP from elsewhere', () => {
  it('gets no sign-in, but a page that says what helps', async () => {
    await withService({}, async (service) => {
      for (const host of ['192.0.2.7:8080', 'intranet', 'localhost.evil.example', 'evil.example']) {
        expect((await signIn(service, { host })).json, host).toMatchObject({
          error: { code: 'https_required' },
        })
        const page = await getPage(`${service.url}/dashboard/sign-in`, { host })
        expect(page.status).toBe(403)
        expect(page.headers['content-security-policy']).toContain("default-src 'none'")
        for (const word of ['GATEHOUSE_BASE_URL', 'https://', 'ssh -L', 'http://localhost']) {
          expect(visibleText(page.text)).toContain(word)
        }
      }
    })
  })

  it('is what a public address is, as long as it is not https, and a wrong name beside an https one', async () => {
    await withService({ GATEHOUSE_BASE_URL: 'http://access.example.com' }, async (service) => {
      expect((await signIn(service, { host: 'access.example.com' })).status).toBe(403)
    })
    await withService({ GATEHOUSE_BASE_URL: 'https://access.example.com' }, async (service) => {
      expect((await signIn(service, { host: '192.0.2.7:8080' })).status).toBe(403)
    })
  })
})

describe('the way in', () => {
  it('lies below the path of the public address', async () => {
    await withService({ GATEHOUSE_BASE_URL: 'https://example.com/access' }, async (service) => {
      const at = (path: string) => send(service.url, path, { headers: { host: 'example.com' } })
      expect(await at('/access/dashboard')).toMatchObject({
        status: 302,
        headers: { location: '/access/dashboard/' },
      })
      expect((await at('/access/dashboard/api/me')).status).toBe(401)
      expect((await at('/dashboard/api/me')).status).toBe(404)
    })
  })
})

describe('the files of the app', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-app-'))
  let service: TestService
  let app: FastifyInstance
  const sharedWith = (server: FastifyInstance): RouteContext => ({
    ...{ ctx: service.ctx, renderSample: renderSamplePage },
    afterResponse: createAfterResponse(server),
    refusals: createRefusalTrace({ secret: service.ctx.staffSecret, count() {} }),
  })

  beforeAll(async () => {
    mkdirSync(join(folder, 'assets'))
    writeFileSync(join(folder, 'index.html'), '<!doctype html><title>The app</title>')
    writeFileSync(join(folder, 'theme.js'), 'theme')
    writeFileSync(join(folder, 'assets/main-Ab12.js'), 'main')
    writeFileSync(join(folder, 'assets/main-Ab12.js.br'), 'packed')
    writeFileSync(join(folder, 'notes.txt'), 'not for anybody')
    service = await startTestService(databases[0])
    app = fastify()
    await app.register(dashboard(sharedWith(app), folder))
  })
  afterAll(async () => {
    await app.close()
    await service.stop()
    rmSync(folder, { recursive: true })
  })

  const get = (url: string, headers: Record<string, string> = {}) =>
    app.inject({ url, headers: { host: 'localhost', ...headers } })

  it.each(['/dashboard/', '/dashboard/sign-in', '/dashboard/production/a1/people/x%2Fy'])(
    '%s is the page that holds the app, under a strict policy',
    async (path) => {
      const page = await get(path)
      expect(page.statusCode).toBe(200)
      expect(page.body).toContain('The app')
      expect(page.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
      })
      const policy = String(page.headers['content-security-policy'])
      expect(policy.split('; ').sort()).toEqual(
        [
          "default-src 'none'",
          "script-src 'self'",
          "style-src 'self'",
          "img-src 'self' data: https:",
          "connect-src 'self'",
          "font-src 'self'",
          "form-action 'self'",
          "base-uri 'none'",
          "frame-ancestors 'none'",
        ].sort(),
      )
    },
  )

  it('are kept for good where their name says what is in them, and asked for anew where not', async () => {
    const asset = await get('/dashboard/assets/main-Ab12.js')
    expect(asset.body).toBe('main')
    expect(asset.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    const packed = await get('/dashboard/assets/main-Ab12.js', { 'accept-encoding': 'gzip, br' })
    expect(packed.headers['content-encoding']).toBe('br')
    expect(packed.body).toBe('packed')
    expect((await get('/dashboard/theme.js')).headers['cache-control']).toBe('no-cache')
  })

  it('are no others than those of the app', async () => {
    for (const path of [
      '/dashboard/assets/none.js',
      '/dashboard/assets/..%2F..%2Fpackage.json',
      '/dashboard/api',
      '/dashboard/api/none',
    ]) {
      expect((await get(path)).statusCode, path).not.toBe(200)
    }
    for (const path of ['/dashboard/notes.txt', '/dashboard/..%2Findex.ts']) {
      expect((await get(path)).body, path).toContain('The app')
    }
  })

  it('may be missing, and then a page says so', async () => {
    const bare = fastify()
    await bare.register(dashboard(sharedWith(bare), join(folder, 'none')))
    const page = await bare.inject({ url: '/dashboard/', headers: { host: 'localhost' } })
    expect(page.statusCode).toBe(503)
    expect(page.body).toContain('npm run build')
    await bare.close()
  })
})
