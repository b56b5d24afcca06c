import { beforeAll, describe, expect, it, vi } from 'vitest'
import { databases } from '../../../testing/databases.ts'
import { sendSigned } from '../../../testing/http/requests.ts'
import { startTestService, type TestApplication } from '../../../testing/service.ts'
import { useService, useSignedIn } from '../../../testing/use-service.ts'
import type { Page } from '../schemas.ts'
import type { ConsoleResponse, KeyItem, RefusedCallItem, RevealedKey } from './schemas.ts'

const DAY_MS = 86_400_000
const HOURS_TO_THE_NEXT_DAY = 16

describe.each(databases)('keys, console and refused calls on $name', (database) => {
  const service = useService(database)
  const other = useService(database, () => ({ installation: service.installation }))
  const developer = useSignedIn(service, 'developer')
  let app: TestApplication
  beforeAll(async () => {
    app = await newApplication()
  })

  async function newApplication(name?: 'sandbox'): Promise<TestApplication> {
    const made = await service.newApplication(name)
    await made.addResource('news')
    return made
  }

  const keysOf = async (of: TestApplication) =>
    (await developer.of(of).request<{ data: KeyItem[] }>('GET', '/keys')).body.data

  it('lists keys without them, reveals one to who asks, rotates with an overlap, revokes', async () => {
    const own = await newApplication()
    const [key] = (await keysOf(own)) as [KeyItem]
    expect(key).toEqual({
      ...{ id: expect.any(String), created_at: service.clock.now, dies_at: null, used_at: null },
    })
    const developerApi = developer.of(own)
    const revealed = await developerApi.request<RevealedKey>('POST', `/keys/${key.id}/reveal`)
    expect(revealed.body).toEqual({ id: key.id, private_key: own.privateKey })
    service.clock.advance(1)
    const made = await developerApi.request<RevealedKey>('POST', '/keys/rotate', { overlap: 60 })
    const both = await keysOf(own)
    expect(both).toMatchObject([{ dies_at: service.clock.now + 60_000 }, { id: made.body.id }])
    expect((await developerApi.request('POST', '/keys/rotate', { overlap: 60 })).status).toBe(402)
    expect((await developerApi.request('POST', `/keys/${key.id}/revoke`)).status).toBe(200)
    expect(await keysOf(own)).toMatchObject([{ id: made.body.id }])
    expect((await sendSigned(own, 'GET', '/r2/access', NEWS)).status).toBe(401)
    expect((await developerApi.request('POST', `/keys/${key.id}/reveal`)).status).toBe(404)
  })

  const NEWS = { rid: 'news', user_ref: 'ann' }

  it('tells the day on which a key was last used, by whichever way and process', async () => {
    const [own, busy] = [await newApplication(), await newApplication()]
    const day = Math.floor(service.clock.now / DAY_MS) * DAY_MS
    const used = async (of: TestApplication) => (await keysOf(of))[0]?.used_at
    await busy.client.grantAccess({ ...NEWS, email: 'ann@example.com' })
    expect(await used(busy)).toBe(day)
    // The most frequent request takes the fast path.
    await own.client.findAccess(NEWS)
    expect(await used(own)).toBe(day)
    for (const { clock } of [service, other]) clock.advance(HOURS_TO_THE_NEXT_DAY * 3_600)
    expect(await used(own)).toBe(day)
    await own.clientAt(other.url).findAccess(NEWS)
    await vi.waitFor(async () => expect(await used(own)).toBe(day + DAY_MS), { timeout: 60_000 })
  })

  const refusedOf = async (of: TestApplication) =>
    (await developer.of(of).request<Page<RefusedCallItem>>('GET', '/refused?pagesize=100')).body

  it('lists what was refused and why, with nothing of what was sent', async () => {
    const own = await newApplication()
    const secret = 'hidden-from-all'
    const [key] = await keysOf(own)
    await sendSigned({ ...own, privateKey: secret }, 'GET', '/r2/access', {
      rid: secret,
      user_ref: 'x',
    })
    await sendSigned(own, 'GET', '/r2/access', { rid: `${secret} odd`, user_ref: secret })
    await sendSigned(own, 'POST', '/r2/access/grant', { [secret]: secret, [`${secret}2`]: '%' })
    await sendSigned(own, 'GET', '/r2/access', { rid: 'news', user_ref: secret })
    const { data, total } = await refusedOf(own)
    expect(total).toBe(3)
    const at = service.clock.now
    expect(data.map(({ id: _, ...one }) => one).reverse()).toEqual([
      {
        ...{ at, method: 'GET', route: '/r2/access', status: 401, reason: 'signature_wrong' },
        ...{ parameter: null, key_id: null },
      },
      {
        ...{ at, method: 'GET', route: '/r2/access', status: 400, reason: 'invalid_parameter' },
        ...{ parameter: 'rid', key_id: key?.id },
      },
      {
        ...{ at, method: 'POST', route: '/r2/access/grant', status: 400 },
        ...{ reason: 'invalid_parameter', parameter: 'rid', key_id: key?.id },
      },
    ])
    expect(JSON.stringify(data)).not.toContain(secret)
  })

  it('keeps the newest of each application, of all processes together, and those that nobody signed apart', async () => {
    const [own, noisy] = [await newApplication(), await newApplication()]
    const refuse = (of: TestApplication, url: string, count: number) =>
      Promise.all(
        Array.from({ length: count }, () =>
          of
            .clientAt(url)
            .request('GET', '/r2/access', { rid: 'a b' })
            .catch(() => {}),
        ),
      )
    await refuse(own, service.url, 1)
    await refuse(noisy, service.url, 100)
    await refuse(noisy, other.url, 60)
    await other.ctx.environments.production.calls.flush()
    expect((await refusedOf(noisy)).total).toBe(150)
    const stranger = { ...noisy, privateKey: 'made-up' }
    for (let n = 0; n < 60; n++) await sendSigned(stranger, 'GET', '/r2/access', { rid: 'news' })
    const { total, data } = await refusedOf(noisy)
    expect(total).toBe(200)
    expect(data.filter(({ key_id }) => key_id === null)).toHaveLength(50)
    expect((await refusedOf(own)).total).toBe(1)
  })

  it('signs and sends any call of the application, and shows the string that was signed', async () => {
    const developerApi = developer.of(app)
    const parameters = { rid: 'news', user_ref: "ann o'x", email: 'ann@example.com' }
    const input = { method: 'POST', path: '/r2/access/grant', parameters }
    const { status, body } = await developerApi.request<ConsoleResponse>('POST', '/console', input)
    const target = '/r2/access/grant?rid=news&user_ref=ann%20o%27x&email=ann%40example.com'
    expect([status, body]).toMatchObject([
      200,
      { status: 200, signed_string: `POST ${target}`, took_ms: expect.any(Number) },
    ])
    expect(JSON.parse(body.body)).toMatchObject({ aid: app.aid, user_ref: "ann o'x" })
    expect(body.authorization).toMatch(new RegExp(`^${app.aid}:.{4}…$`))
    expect(body.curl).toContain(body.authorization)
  })

  const NOW = () => Math.floor(service.clock.now / 1000)

  it('shows a whole request only to who has confirmed lately, and with the time at which it was signed', async () => {
    const developerApi = developer.of(app)
    const parameters = { ...NEWS, ts: '' }
    const reveal = (method: string, path: string) =>
      developerApi.request<ConsoleResponse>('POST', '/console', {
        ...{ method, path, parameters, reveal: true },
      })
    await developer.confirm()
    service.clock.advance(5 * 60)
    expect(await reveal('POST', '/r2/access/revoke')).toMatchObject({
      ...{ status: 403, body: { error: { code: 'confirmation_required' } } },
    })
    const hidden = { method: 'GET', path: '/r2/access', parameters: NEWS }
    const shown = await developerApi.request<ConsoleResponse>('POST', '/console', hidden)
    expect(shown.body.signed_string).toBe('GET /r2/access?rid=news&user_ref=ann')
    await developer.confirm()
    for (const [method, path] of [
      ['POST', '/r2/access/revoke'],
      ['GET', '/r2/access'],
    ] as const) {
      const { body } = await reveal(method, path)
      const target = `${path}?ts=${NOW()}&rid=news&user_ref=ann`
      expect(body.authorization).toMatch(/^[A-Za-z0-9]{10}:[\w-]{43}$/)
      const verb = method === 'GET' ? '' : '-X POST '
      expect(body.curl).toBe(
        `curl ${verb}-H 'Authorization: ${body.authorization}' '${service.url}${target}'`,
      )
    }
  })

  it('lets nobody repeat a write that was shown, after some minutes', async () => {
    await developer.confirm()
    const input = { method: 'POST', path: '/r2/access/grant', reveal: true }
    const { body } = await developer.of(app).request<ConsoleResponse>('POST', '/console', {
      ...{ ...input, parameters: { ...NEWS, email: 'ann@example.com' } },
    })
    const repeat = () =>
      fetch(service.url + body.signed_string.slice('POST '.length), {
        ...{ method: 'POST', headers: { authorization: body.authorization } },
      })
    expect((await repeat()).status).toBe(200)
    service.clock.advance(301)
    expect(await (await repeat()).json()).toMatchObject({ error: { parameter: 'ts' } })
  })

  it('sends to the environment of the application, and to nothing but the API', async () => {
    const playing = await newApplication('sandbox')
    const ask = (path: string, of = app) =>
      developer.of(of).request<ConsoleResponse>('POST', '/console', { method: 'GET', path })
    expect((await ask('/r2/clock', playing)).body.status).toBe(200)
    expect((await ask('/r2/clock')).body.status).toBe(404)
    const odd = [
      '/metrics',
      '/dashboard/api/me',
      '/r2/../metrics',
      '/r2/a?b=c',
      '/r2//a',
      '/r2/a#b',
    ]
    for (const path of odd) expect([path, (await ask(path)).status]).toEqual([path, 400])
  })

  it('counts a call of the console as one in flight for as long as it takes', async () => {
    const small = await startTestService(database, {
      ...{ installation: service.installation, env: { GATEHOUSE_LIMIT_IN_FLIGHT: '4' } },
    })
    const { headers } = developer
    const path = `${small.url}/dashboard/api/production/${app.aid}/console`
    const body = JSON.stringify({ method: 'GET', path: '/r2/access/search' })
    const json = { ...headers, 'content-type': 'application/json' }
    for (let i = 0; i < 8; i++) {
      expect((await fetch(path, { method: 'POST', headers: json, body })).status).toBe(200)
    }
    await small.stop()
  })
})
