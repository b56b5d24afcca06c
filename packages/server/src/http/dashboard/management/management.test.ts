import { pino } from 'pino'
import { beforeAll, describe, expect, it } from 'vitest'
import { TOKEN_ROLES, type TokenRole } from '../../../domain/staff/management-tokens.ts'
import { databases } from '../../../testing/databases.ts'
import { callManagement, newProgram, type TestProgram } from '../../../testing/management.ts'
import { useApplication, useOwner, useService } from '../../../testing/use-service.ts'
import type { Route } from '../route.ts'
import { routes } from '../routes.ts'
import type { AuditEntry, NewTokenItem, TokenItem } from '../staff/schemas.ts'
import { managementPath } from './entry.ts'

const nameOf = ({ method, path }: Route) => `${method} ${path}`
const offered = routes.filter(({ management }) => management !== undefined)

/** Paths of routes that no program may use, whatever its token: those about staff, tokens, secrets and keys. */
const PEOPLE_ONLY =
  /team|tokens|sessions|passkey|password|sign-|\/me\b|colleagues|keys|console|connections|audit|views|notifications/

const codeIn = ({ json }: { json: never }) => (json as { error?: { code: string } }).error?.code

describe('the routes of the management API', () => {
  const service = useService(databases[0])
  let programs: Record<TokenRole, TestProgram>
  beforeAll(async () => {
    const made = await Promise.all(TOKEN_ROLES.map((role) => newProgram(service, role)))
    programs = Object.fromEntries(TOKEN_ROLES.map((role, i) => [role, made[i]])) as never
  })

  /** Refers to nothing that exists, so that permitted requests change nothing. */
  const addressOf = (route: Route) =>
    (managementPath(route) ?? '')
      .replace('/management/v1', '')
      .replace(':environment', 'production')
      .replace(/:\w+/g, 'nothing')

  it('have paths of their own, and none that is for people only', () => {
    expect(offered.length).toBeGreaterThan(50)
    const paths = offered.map((route) => `${route.method} ${managementPath(route)}`)
    expect(new Set(paths).size).toBe(paths.length)
    for (const route of offered) {
      expect(String(route.management)).toMatch(new RegExp(`^${route.method} /`))
      expect(nameOf(route)).not.toMatch(PEOPLE_ONLY)
      expect(route.allowed).not.toEqual(['owner'])
    }
  })

  it('let in the roles that the dashboard lets in, and no request without a token', async () => {
    const wrong: string[] = []
    for (const route of offered) {
      const body = route.body ? { body: {} } : {}
      const stranger = await callManagement(service.url, route.method, addressOf(route), body)
      if (codeIn(stranger) !== 'invalid_token') wrong.push(`${nameOf(route)}: ${stranger.text}`)
      for (const role of TOKEN_ROLES) {
        const { status, text } = await programs[role].call(
          route.method,
          addressOf(route),
          route.body && {},
        )
        const isLetIn = status !== 401 && !(status === 403 && text.includes('not_allowed'))
        if (isLetIn !== route.allowed.includes(role as never)) {
          wrong.push(`${nameOf(route)}: ${role} ${status}`)
        }
        if (status >= 500) wrong.push(`${nameOf(route)}: ${role} ${text}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it('are all there is: what is for people has no path', async () => {
    const { developer } = programs
    for (const path of ['/team', '/tokens', '/production/tokens', '/production/connections']) {
      expect([path, (await developer.call('GET', path)).status]).toEqual([path, 404])
    }
    const keys = await developer.call('GET', '/production/applications/nothing/keys')
    expect([keys.status, codeIn(keys)]).toEqual([404, 'path_not_found'])
  })
})

describe.each(databases)('a management token on $name', (database) => {
  const lines: string[] = []
  const logger = pino({ level: 'trace' }, { write: (line) => void lines.push(line) })
  const service = useService(database, { logger })
  const app = useApplication(service, { resources: ['news'] })
  const other = useApplication(service, { resources: ['theirs'] })
  const sandbox = useApplication(service, { environment: 'sandbox', resources: ['trial'] })
  const owner = useOwner(service)

  const at = (aid: string, path: string, environment = 'production') =>
    `/${environment}/applications/${aid}${path}`
  const newToken = async (body: object) => {
    const response = await owner.call('POST', '/tokens', {
      ...{ name: 'CMS', role: 'developer', aid: null, ends_at: null, ...body },
    })
    return { status: response.status, made: response.json as NewTokenItem }
  }
  const callWith = (token: string, method: string, path: string, body?: unknown) =>
    callManagement(service.url, method, path, {
      body,
      headers: { authorization: `Bearer ${token}` },
    })

  it('is made by an owner, shown once, and stored as a digest', async () => {
    const { made } = await newToken({})
    expect(made.token).toMatch(/^ghm_[A-Za-z0-9_-]{43}$/)
    expect(made.start).toBe(made.token.slice(0, 8))
    const { data } = (await owner.call('GET', '/tokens')).json as { data: TokenItem[] }
    expect(data.find(({ id }) => id === made.id)).toMatchObject({ name: 'CMS', used_at: null })
    const { read } = service.ctx.control
    const stored = JSON.stringify([
      await read.selectFrom('management_tokens').selectAll().execute(),
      await read.selectFrom('audit').selectAll().execute(),
    ])
    expect(stored).toContain(made.id)
    expect(stored).not.toContain(made.token)
    expect(JSON.stringify(data)).not.toContain('digest')
  })

  it('has no role of an owner, no past end and no unknown application', async () => {
    expect((await newToken({ role: 'owner' })).status).toBe(400)
    expect((await newToken({ ends_at: service.clock.now })).status).toBe(400)
    expect((await newToken({ aid: 'nothing' })).status).toBe(404)
    expect((await newToken({ name: ' ' })).status).toBe(400)
  })

  it('registers an article, and the audit log and the history name it', async () => {
    const { made } = await newToken({ name: 'Newsroom CMS' })
    const created = await callWith(made.token, 'POST', at(app.aid, '/resources'), {
      rid: 'article-1',
      name: 'An article',
    })
    expect([created.status, created.json]).toMatchObject([200, { rid: 'article-1' }])
    const { data } = (await owner.call('GET', `/audit?staff=${made.id}`)).json as {
      data: AuditEntry[]
    }
    expect(data).toMatchObject([
      {
        ...{ action: 'resource.create', email: 'token Newsroom CMS', outcome: 'done' },
        ...{ staff_id: null, token_id: made.id, aid: app.aid },
      },
    ])
    const { read } = app.environment.database
    const [entry] = await read
      .selectFrom('history')
      .select('actor')
      .where('aid', '=', app.aid)
      .orderBy('seq', 'desc')
      .limit(1)
      .execute()
    expect(entry?.actor).toBe(`token:${made.id}`)
    const names = (await owner.call('GET', '/colleagues')).json as { data: object[] }
    expect(names.data).toContainEqual({ id: made.id, name: 'Newsroom CMS', is_token: true })
  })

  it('notes its last use, at most once a minute', async () => {
    const program = await newProgram(service, 'reader')
    const usedAt = async () => {
      const { data } = (await owner.call('GET', '/tokens')).json as { data: TokenItem[] }
      return data.find(({ id }) => id === program.id)?.used_at
    }
    const first = service.clock.now
    await program.call('GET', '/production/applications')
    expect(await usedAt()).toBe(first)
    service.clock.advance(59)
    await program.call('GET', '/production/applications')
    expect(await usedAt()).toBe(first)
    service.clock.advance(1)
    await program.call('GET', '/production/applications')
    expect(await usedAt()).toBe(service.clock.now)
  })

  it('stops working as soon as it is revoked, or at its end', async () => {
    const { made } = await newToken({ ends_at: service.clock.now + 60_000 })
    const program = await newProgram(service, 'support')
    const ask = (token: string) => callWith(token, 'GET', at(app.aid, '/resources'))
    expect((await ask(made.token)).status).toBe(200)
    expect((await owner.call('POST', `/tokens/${program.id}/revoke`)).status).toBe(200)
    const revoked = await ask(program.token)
    expect([revoked.status, codeIn(revoked)]).toEqual([401, 'invalid_token'])
    expect(revoked.text).toContain('revoked')
    expect(revoked.headers['www-authenticate']).toBe('Bearer')
    service.clock.advance(60)
    const ended = await ask(made.token)
    expect([ended.status, codeIn(ended)]).toEqual([401, 'invalid_token'])
    expect(ended.text).toContain('expired')
    expect((await owner.call('POST', '/tokens/nothing/revoke')).status).toBe(404)
  })

  it('of one application finds no other, as if they did not exist', async () => {
    const program = await newProgram(service, 'support', { aid: app.aid })
    const REQUEST_ID = /"request_id":"[A-Za-z0-9]{16}"/
    expect((await program.call('GET', at(app.aid, '/resources/news'))).status).toBe(200)
    const unknown = await program.call('GET', at('nothing', '/resources/theirs'))
    expect([unknown.status, codeIn(unknown)]).toEqual([404, 'application_not_found'])
    for (const [method, path, body] of [
      ['GET', at(other.aid, '/resources/theirs')],
      ['GET', at(sandbox.aid, '/resources/trial', 'sandbox')],
      ['POST', at(other.aid, '/access'), { rid: 'theirs', email: 'eve@example.com' }],
    ] as const) {
      const refused = await program.call(method, path, body)
      expect([refused.status, refused.text.replace(REQUEST_ID, '')]).toEqual([
        404,
        unknown.text.replace(REQUEST_ID, ''),
      ])
    }
    const list = async (environment: string) =>
      (await program.call('GET', `/${environment}/applications`)).json as {
        data: { aid: string }[]
      }
    expect((await list('production')).data.map(({ aid }) => aid)).toEqual([app.aid])
    expect((await list('sandbox')).data).toEqual([])
  })

  it('is only a token: no cookie counts, and no origin matters', async () => {
    const { cookie } = owner
    const path = at(app.aid, '/resources')
    const byCookie = await callManagement(service.url, 'GET', path, { headers: { cookie } })
    expect([byCookie.status, codeIn(byCookie)]).toEqual([401, 'invalid_token'])
    const { made } = await newToken({})
    const elsewhere = await callManagement(service.url, 'POST', path, {
      body: { rid: 'from-elsewhere', name: 'From elsewhere' },
      headers: {
        ...{ authorization: `bearer ${made.token}`, origin: 'https://cms.example.com' },
        'sec-fetch-site': 'cross-site',
      },
    })
    expect(elsewhere.status).toBe(200)
    expect(elsewhere.headers['access-control-allow-origin']).toBeUndefined()
    const byToken = await callManagement(service.url, 'GET', '/../dashboard/api/team', {
      headers: { authorization: `Bearer ${made.token}` },
    })
    expect(byToken.status).toBe(404)
  })

  it('names the parameter that is wrong', async () => {
    const { made } = await newToken({})
    const wrong = await callWith(made.token, 'POST', at(app.aid, '/resources'), { rid: 'x' })
    expect([wrong.status, wrong.json]).toMatchObject([
      400,
      { error: { code: 'invalid_parameter', parameter: 'name', message: 'name: required' } },
    ])
    const asked = await callWith(made.token, 'GET', at(app.aid, '/resources?order=up'))
    expect(asked.json).toMatchObject({ error: { parameter: 'order' } })
  })

  it('is in no log and in no error', async () => {
    const { made } = await newToken({ role: 'reader' })
    const answers = [
      await callWith(made.token, 'GET', at(app.aid, '/nowhere')),
      await callWith(made.token, 'POST', at(app.aid, '/resources'), {}),
      await callWith(made.token, 'GET', at(app.aid, `/resources?q=${'x'.repeat(300)}`)),
      await callWith(`${made.token}x`, 'GET', at(app.aid, '/resources')),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 403, 400, 401])
    const secret = made.token.slice(8)
    expect(answers.map(({ text }) => text).join()).not.toContain(secret)
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.join()).not.toContain(secret)
  })
})

describe('wrong tokens', () => {
  const service = useService(databases[0])

  it('are throttled by address, and a right one is let in all the same', async () => {
    const program = await newProgram(service, 'reader')
    const statuses: number[] = []
    const path = '/production/applications'
    for (let i = 0; i < 110; i++) {
      const headers = { authorization: `Bearer ghm_${'x'.repeat(43)}` }
      statuses.push((await callManagement(service.url, 'GET', path, { headers })).status)
    }
    expect(statuses[0]).toBe(401)
    expect(statuses.at(-1)).toBe(429)
    expect((await program.call('GET', path)).status).toBe(200)
  })

  it('are not accepted over plain HTTP, and neither is a right one', async () => {
    const { token } = await newProgram(service, 'reader')
    const headers = { authorization: `Bearer ${token}`, host: 'example.com' }
    const { status, json } = await callManagement(service.url, 'GET', '/production/applications', {
      headers,
    })
    expect([status, codeIn({ json })]).toEqual([403, 'https_required'])
  })
})
