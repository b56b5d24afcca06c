import { beforeAll, describe, expect, it } from 'vitest'
import type { Role } from '../../domain/staff/staff.ts'
import { databases } from '../../testing/databases.ts'
import { send } from '../../testing/http/requests.ts'
import { callApi, newStaff, type TestMember } from '../../testing/staff.ts'
import { useApplication, useService, useStaff } from '../../testing/use-service.ts'
import type { Route } from './route.ts'
import { routes } from './routes.ts'

const nameOf = ({ method, path }: Route) => `${method} ${path}`
const changes = routes.filter(({ method }) => method !== 'GET')

/** The routes by the roles that may use them, written by hand: a route that is missing here, or has another role, fails
 * the test. `…` stands for the path of an application. */
const ROWS: Readonly<Record<string, string>> = {
  anybody: `POST /sign-in, POST /forgotten, POST /link/look, POST /link/use,
    POST /passkeys/sign-in/options, POST /passkeys/sign-in`,
  'owner developer support reader': `
    POST /sign-out, POST /sign-out-everywhere, POST /password, GET /me, PATCH /me, GET /colleagues,
    GET /sessions, DELETE /sessions/:id, GET /confirmation, POST /confirmation, POST /confirmation/passkey,
    GET /notifications, PATCH …/notifications,
    GET /passkeys, POST /passkeys/options, POST /passkeys, PATCH /passkeys/:id, DELETE /passkeys/:id, PUT /passkeys/only,
    GET /applications/:environment, GET /sandbox/clock, GET /connections/:environment, GET …/set-up,
    GET …/overview, GET …/figures, GET …/find, GET …/settings, GET …/settings/page-preview,
    GET …/views, POST …/views, PATCH …/views/:id, DELETE …/views/:id,
    GET …/access, GET …/access/check, GET …/access/:id, GET …/access/:id/effect,
    GET …/people, GET …/people/:uid, GET …/people/:uid/timeline,
    GET …/resources, GET …/resources/:rid,
    GET …/subscriptions, GET …/subscriptions/:id, GET …/payments, GET …/payments/:id,
    GET …/downloads, GET …/downloads/:id, GET …/deliveries, GET …/mails, GET …/mails/:id`,
  'owner developer support': `
    POST /sandbox/clock,
    POST …/resources, PATCH …/resources/:rid, PUT …/resources/:rid/opens, POST …/resources/:rid/archive,
    POST …/resources/:rid/restore, POST …/resources/:rid/prices,
    POST …/resources/:rid/prices/:price/archive, POST …/resources/:rid/prices/:price/restore, POST …/resources/:rid/files,
    PUT …/resources/:rid/files/order, PUT …/downloads/:id/file,
    PUT …/resources/:rid/image, DELETE …/resources/:rid/image,
    PUT …/downloads/:id/image, DELETE …/downloads/:id/image,
    PATCH …/downloads/:id, DELETE …/downloads/:id`,
  'owner support': `
    POST …/access/grant, POST …/access/:id/extend, POST …/access/:id/revoke,
    POST …/access/revoke-many, POST …/access/import, POST …/access/import/read, GET …/access/imports, GET …/access/export.csv,
    GET …/people/export.csv, GET …/payments/export.csv, GET …/subscriptions/export.csv,
    PATCH …/people/:uid, POST …/people/:uid/refs, POST …/people/:uid/merge, POST …/people/:uid/end-links,
    GET …/people/:uid/export, POST …/people/:uid/erase,
    POST …/people/:uid/notes, PATCH …/people/:uid/notes/:id, DELETE …/people/:uid/notes/:id,
    POST …/subscriptions/:id/cancel, POST …/subscriptions/:id/resume, POST …/subscriptions/:id/manage-link, POST …/payments/:id/refund,
    POST …/downloads/:id/link, POST …/mails/:id/send-again, POST …/mails/send-again-dead`,
  'owner developer': `
    POST /applications/:environment,
    GET …/pair, PUT …/pair, DELETE …/pair, GET …/copy, POST …/copy,
    GET …/keys, POST …/keys/:id/reveal, POST …/keys/rotate, POST …/keys/:id/revoke,
    GET …/webhooks, POST …/webhooks, GET …/webhooks/:id, PATCH …/webhooks/:id, DELETE …/webhooks/:id,
    POST …/webhooks/:id/rotate, POST …/webhooks/:id/disable, POST …/webhooks/:id/enable, POST …/webhooks/:id/test, GET …/webhooks/:id/replay, POST …/webhooks/:id/replay,
    GET …/webhooks/:id/deliveries, GET …/webhooks/:id/deliveries/:event, POST …/webhooks/:id/deliveries/:event/resend,
    GET …/events, GET …/events/:event, GET …/event-types,
    POST …/console, GET …/refused, PUT …/settings/logo, DELETE …/settings/logo, PATCH …/settings, POST …/settings/mail-preview`,
  owner: `
    GET /team, POST /team/invite, POST /team/withdraw, PATCH /team/:id, POST /team/:id/disable, POST /team/:id/enable,
    POST /team/:id/sign-out, POST /team/:id/reset, GET /audit, GET /tokens, POST /tokens, POST /tokens/:id/revoke, POST /tokens/:id/confirm,
    PUT /team/:id/passkey-only, PUT /team/passkey-policy,
    POST /applications/:environment/:aid/archive,
    PUT /connections/:environment/payments, POST /connections/:environment/payments/webhook,
    PUT /connections/:environment/payments/link, POST /connections/:environment/payments/test, POST /connections/:environment/payments/disconnect,
    PUT /connections/:environment/mail, POST /connections/:environment/mail/test,
    POST /connections/:environment/mail/disconnect`,
}

/** The roles that may use each route. */
const TABLE = new Map(
  Object.entries(ROWS).flatMap(([who, names]) =>
    names
      .split(',')
      .map((name) => [name.trim().replace('…', '/:environment/:aid'), who.split(' ')] as const),
  ),
)

const OPEN_TO_ALL = [...TABLE].filter(([, who]) => who.includes('anybody')).map(([name]) => name)

/** Uses POST only because its input does not fit into a URL. */
const CHANGES_NOTHING = [
  'POST /:environment/:aid/settings/mail-preview',
  'POST /:environment/:aid/access/import/read',
]

/** Exports of readers' data, which must be in the audit log. */
const HANDED_OUT = [
  'GET /:environment/:aid/access/export.csv',
  'GET /:environment/:aid/people/export.csv',
  'GET /:environment/:aid/payments/export.csv',
  'GET /:environment/:aid/subscriptions/export.csv',
  'GET /:environment/:aid/people/:uid/export',
]

/** Content types that a page of another site may send. */
const TYPES = ['text/plain', 'application/x-www-form-urlencoded', 'application/json']

/** These would end the session that the other requests need. */
const ENDS_SESSION = ['POST /sign-out', 'POST /sign-out-everywhere']

const ROLES: readonly Role[] = ['owner', 'developer', 'support', 'reader']

describe('every route of the dashboard', () => {
  const service = useService(databases[0])
  const staff = useStaff(service)

  /** Refers to nothing that exists, so that permitted requests change nothing. */
  const addressOf = ({ path }: Route) =>
    path.replace(':environment', 'production').replace(/:\w+/g, 'nothing')

  const call = (route: Route, cookie?: string, headers = {}) =>
    callApi(service.url, route.method, addressOf(route), {
      cookie,
      headers,
      ...(route.body ? { body: {} } : {}),
    })

  it('has a row in the table, names what it changes, and changes nothing by GET', () => {
    const names = routes.map(nameOf)
    expect(names.sort()).toEqual([...TABLE.keys()].sort())
    for (const route of routes) {
      const isLook = route.method === 'GET' || CHANGES_NOTHING.includes(nameOf(route))
      const isNamed = !isLook || HANDED_OUT.includes(nameOf(route))
      expect(route.action !== undefined, nameOf(route)).toBe(isNamed)
    }
  })

  it('lets in the roles of its row, and nobody else', async () => {
    const wrong: string[] = []
    for (const route of routes) {
      const stranger = await call(route)
      const isOpen = OPEN_TO_ALL.includes(nameOf(route))
      const code = (stranger.json as { error?: { code: string } } | undefined)?.error?.code
      if ((code === 'not_signed_in') === isOpen) wrong.push(`${nameOf(route)}: ${code}`)
      if (isOpen || ENDS_SESSION.includes(nameOf(route))) continue
      for (const role of ROLES) {
        const { status, text } = await call(route, staff[role].cookie)
        const isLetIn = status !== 401 && !(status === 403 && text.includes('not_allowed'))
        const should = TABLE.get(nameOf(route))?.includes(role)
        if (isLetIn !== should) wrong.push(`${nameOf(route)}: ${role} ${status}`)
        if (status >= 500) wrong.push(`${nameOf(route)}: ${role} ${text}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it.each([
    ['another site, as browsers say it', { 'sec-fetch-site': 'cross-site' }],
    ['a neighbour of the same site', { 'sec-fetch-site': 'same-site' }],
    ['another site, by its name', { origin: 'https://evil.example', 'sec-fetch-site': undefined }],
    ['a page without a name', { origin: 'null', 'sec-fetch-site': undefined }],
    ['nobody who says where', { origin: undefined, 'sec-fetch-site': undefined }],
  ])('changes nothing for %s', async (_, headers) => {
    const { total: before } = (await staff.owner.call('GET', '/audit')).json as { total: number }
    for (const [i, route] of changes.entries()) {
      const given = Object.fromEntries(Object.entries(headers).filter(([, one]) => one))
      const type = TYPES[i % TYPES.length]
      const response = await send(service.url, `/dashboard/api${addressOf(route)}`, {
        method: route.method,
        headers: { cookie: staff.owner.cookie, 'content-type': type, ...given },
        ...(route.body ? { body: '{}' } : {}),
      })
      expect(JSON.parse(response.text), nameOf(route)).toMatchObject({
        error: { code: 'foreign_origin' },
      })
    }
    const { total: after } = (await staff.owner.call('GET', '/audit')).json as { total: number }
    expect(after).toBe(before)
  })
})

describe('a request to the dashboard', () => {
  const service = useService(databases[0])
  const app = useApplication(service, { environment: 'sandbox' })
  let owner: TestMember
  beforeAll(async () => {
    owner = (await newStaff(service)).owner
  })

  const problemOf = async (path: string, method = 'GET', body?: unknown) => {
    const { json } = await owner.call(method, path, body)
    return (json as { error: { message: string } }).error.message
  }

  it('names the field that is wrong', async () => {
    const invite = (body: unknown) => problemOf('/team/invite', 'POST', body)
    expect(await invite({ email: 'a@example.com' })).toBe('role: required')
    expect(await invite({ email: '', role: 'owner' })).toBe('email: must not be empty')
    expect(await invite({ email: 7, role: 'owner' })).toBe('email: must be text')
    expect(await invite({ email: 'a@b.c', role: 'king' })).toMatch(
      /^role: not one of the allowed values$/,
    )
    expect(await invite({ email: 'a\u0000@b.c', role: 'owner' })).toMatch(
      /^email: must not contain control/,
    )
    expect(await invite({ email: 'a@b.c', role: 'owner', more: 1 })).toBe('more: unknown parameter')
    expect(await invite({ email: 'x'.repeat(255), role: 'owner' })).toMatch(
      /^email: must have at most/,
    )
    expect(await invite([])).toBe('The body is invalid: must be an object.')
    expect(await problemOf('/audit?page=-1')).toBe('page: must be 0 or more')
    expect(await problemOf('/audit?page=x')).toBe('page: must be a whole number')
    expect(await problemOf('/audit?page=1&page=2')).toBe('page: must be given only once')
    expect(await problemOf('/audit?order=up')).toBe('order: unknown parameter')
    expect(await problemOf('/audit?staff=a%00b')).toMatch(/^staff: must not contain control/)
  })

  it('gives the app the field and the problem apart, and neither where no field is wrong', async () => {
    const errorOf = async (path: string, method: string, body?: unknown) =>
      ((await owner.call(method, path, body)).json as { error: Record<string, string> }).error
    expect(await errorOf('/team/invite', 'POST', { email: 'nobody', role: 'owner' })).toEqual({
      code: 'invalid_parameter',
      message: 'email: not a valid email address',
      parameter: 'email',
      problem: 'not a valid email address',
      request_id: expect.any(String),
    })
    expect(Object.keys(await errorOf('/team/nobody', 'PATCH', { role: 'owner' }))).toEqual([
      'message',
      'code',
      'request_id',
    ])
  })

  it('has a body that is JSON and nothing else, of 64 KiB at most', async () => {
    const post = (body: string, headers = {}) =>
      send(service.url, '/dashboard/api/team/invite', {
        method: 'POST',
        headers: {
          ...{ cookie: owner.cookie, 'sec-fetch-site': 'same-origin' },
          ...{ 'content-type': 'application/json', ...headers },
        },
        body,
      })
    const good = JSON.stringify({ email: 'x@example.com', role: 'reader' })
    expect((await post(good, { 'content-type': 'text/plain' })).status).toBe(400)
    expect((await post(good, { 'content-encoding': 'gzip' })).status).toBe(400)
    expect((await post('{"email":')).status).toBe(400)
    expect((await post('')).status).toBe(400)
    expect((await post(`${good}${' '.repeat(70_000)}`)).text).toContain('too large')
    expect((await post(good, { 'content-type': 'application/json; charset=utf-8' })).status).toBe(
      200,
    )
  })

  it('is answered for nobody to keep', async () => {
    const { headers } = await owner.call('GET', '/me')
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['gatehouse-time']).toMatch(/^production \d{13}$/)
  })

  it('shows who is there and what there is to work on', async () => {
    const { json } = await owner.call('GET', '/me')
    expect(json).toMatchObject({
      staff: { email: 'owner@example.com', name: 'Test person', role: 'owner' },
      environments: [
        { name: 'production', delivery: 'kept', applications: [] },
        {
          name: 'sandbox',
          time: service.clock.seconds,
          applications: [{ aid: app.aid, name: 'Test magazine', currency: 'USD', archived: false }],
        },
      ],
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    })
  })

  it('knows an application in its own environment alone', async () => {
    const status = async (path: string) => (await owner.call('GET', path)).status
    expect(await status(`/sandbox/${app.aid}/resources`)).toBe(200)
    expect(await status(`/production/${app.aid}/resources`)).toBe(404)
    expect(await status(`/elsewhere/${app.aid}/resources`)).toBe(404)
  })
})
