import type { IncomingMessage } from 'node:http'
import { encodeParameters } from '@gatehouse/sdk/signing'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../config/config.ts'
import { databases } from '../testing/databases.ts'
import { send, sendSigned } from '../testing/http/requests.ts'
import { useApplication, useService } from '../testing/use-service.ts'
import { createPlainHttpCheck } from './plain-http.ts'

const BASE = { GATEHOUSE_BASE_URL: 'https://access.example.com' }
const HOST = 'access.example.com'
const PROXY = '10.0.0.1'

describe('a request counts as sent over plain http', () => {
  const isPlain = (env: Record<string, string>, peer: string, headers: Record<string, string>) =>
    createPlainHttpCheck(readConfig(env))({
      headers,
      socket: { remoteAddress: peer },
    } as unknown as IncomingMessage)

  it.each([
    ['by address', '10.0.0.7', { host: '10.0.0.2:8080' }],
    ['by a name that is not public', '10.0.0.7', { host: 'gatehouse:8080' }],
    ['at another port', '10.0.0.7', { host: `${HOST}:8080` }],
    ['without a host', '10.0.0.7', {}],
    ['as the trusted proxy says', PROXY, { host: HOST, 'x-forwarded-proto': 'http' }],
    ['as the last proxy says', PROXY, { host: HOST, 'x-forwarded-proto': 'https, http' }],
  ])('%s', (_, peer, headers) => {
    const env = { ...BASE, GATEHOUSE_TRUSTED_PROXIES: PROXY }
    expect(isPlain(env, peer, headers as never)).toBe(true)
    expect(isPlain({}, peer, headers as never)).toBe(false)
    const open = { ...env, GATEHOUSE_BASE_URL: `http://${HOST}` }
    expect(isPlain(open, peer, headers as never)).toBe(false)
  })

  it.each([
    ['from this machine', '127.0.0.1', { host: 'gatehouse:8080' }],
    ['from this machine, over IPv6', '::ffff:127.0.0.1', { host: 'gatehouse:8080' }],
    ['to localhost, as through a published port', '172.17.0.1', { host: 'localhost:8080' }],
    ['from a network that is allowed', '10.1.2.3', { host: '10.0.0.2:8080' }],
    ['at the public name, as by a proxy without headers', '10.0.0.7', { host: HOST }],
    ['at the name of the sandbox', '10.0.0.7', { host: 'TRY.example.com' }],
    ['by a proxy that does not say', '10.0.0.7', { host: 'x', 'x-forwarded-for': '192.0.2.1' }],
    ['as the trusted proxy says', PROXY, { host: 'x', 'x-forwarded-proto': 'HTTPS' }],
    ['as a stranger says', '10.0.0.7', { host: HOST, 'x-forwarded-proto': 'http' }],
  ])('not %s', (_, peer, headers) => {
    const env = {
      ...BASE,
      GATEHOUSE_TRUSTED_PROXIES: PROXY,
      GATEHOUSE_SANDBOX_HOST: 'try.example.com',
      GATEHOUSE_PLAIN_HTTP_ALLOW: '10.1.0.0/16',
    }
    expect(isPlain(env, peer, headers as never)).toBe(false)
  })
})

describe.each(databases)('the signed API over plain http on $name', (database) => {
  const service = useService(database, {
    env: { ...BASE, GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1' },
  })
  const app = useApplication(service, { resources: ['news'] })
  const key = { rid: 'news', user_ref: 'ann' }
  const from = (protocol: string) => ({ headers: { host: HOST, 'x-forwarded-proto': protocol } })

  it('refuses in its own form, whoever signed it', async () => {
    await app.client.grantAccess({ ...key, email: 'ann@example.com' })
    const signed = await sendSigned(app, 'GET', '/r2/access', key, from('http'))
    const unsigned = await send(service.url, `/r2/access?${encodeParameters(key)}`, from('http'))
    for (const { status, text } of [signed, unsigned]) {
      expect(status).toBe(403)
      expect(JSON.parse(text).error).toEqual({
        code: 'https_required',
        message: expect.stringContaining('Use the https address'),
        request_id: expect.stringMatching(/^\w{16}$/),
      })
    }
    const write = await sendSigned(app, 'POST', '/r2/access/revoke', key, from('http'))
    expect(write.status).toBe(403)
    expect((await sendSigned(app, 'GET', '/r2/access', key, from('https'))).status).toBe(200)
  })

  it('serves its own machine, and what needs no https', async () => {
    expect((await sendSigned(app, 'GET', '/r2/access', key)).status).toBe(200)
    expect((await send(service.url, '/healthz', from('http'))).status).toBe(200)
  })
})
