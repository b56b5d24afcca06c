import { sql } from 'kysely'
import { Value } from 'typebox/value'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createAuthenticator } from '../../testing/browser/authenticator.ts'
import { databases } from '../../testing/databases.ts'
import { allowPasswords, callApi, PASSWORD, registerPasskey, tokenIn } from '../../testing/staff.ts'
import { useApplication, useOwner, useService } from '../../testing/use-service.ts'
import type { Route } from './route.ts'
import { routes } from './routes.ts'
import type { AuditEntry } from './staff/schemas.ts'

describe('the audit log', () => {
  const service = useService(databases[0])
  const app = useApplication(service)
  const owner = useOwner(service)
  afterEach(() => {
    vi.restoreAllMocks()
  })

  const newest = async () =>
    ((await owner.call('GET', '/audit')).json as { data: AuditEntry[] }).data[0]

  /** Runs something while no entry can be written. */
  async function withoutLog<R>(work: () => Promise<R>): Promise<R> {
    const { control } = service.ctx
    const refuse = `create trigger refuse before insert on audit
      begin select raise(abort, 'the log is full'); end`
    await control.write((trx) => sql.raw(refuse).execute(trx))
    try {
      return await work()
    } finally {
      await control.write((trx) => sql`drop trigger refuse`.execute(trx))
    }
  }

  const named = routes.filter(({ kind, action }) => kind !== 'public' && action !== undefined)

  /** Calls a route as its schemas ask for, about things that do not exist. */
  function call({ method, path, query, body }: Route) {
    const target = path
      .replace(':environment', 'production')
      .replace(':aid', app.aid)
      .replace(/:\w+/g, 'nothing')
    const asked = new URLSearchParams(query && (Value.Create(query) as Record<string, string>))
    return owner.call(method, `${target}?${asked}`, body && Value.Create(body))
  }

  it('has an entry for every action, or the action is not begun', async () => {
    expect(named.length).toBeGreaterThan(40)
    for (const route of named) {
      const name = `${route.method} ${route.path}`
      const handle = vi.spyOn(route, 'handle').mockResolvedValue({})
      const refused = await withoutLog(() => call(route))
      expect([name, refused.status, handle.mock.calls.length]).toEqual([name, 500, 0])
      const before = await newest()
      const done = await call(route)
      expect([name, done.status, handle.mock.calls.length]).toEqual([name, 200, 1])
      const entry = await newest()
      expect(entry?.seq).not.toBe(before?.seq)
      expect(entry).toMatchObject({ action: route.action, staff_id: owner.id, outcome: 'done' })
    }
  })

  it('has an entry for whoever comes in, or nobody does', async () => {
    const stored = async () => {
      const { read } = service.ctx.control
      return {
        staff: await read.selectFrom('staff').selectAll().execute(),
        links: await read.selectFrom('staff_links').selectAll().execute(),
        sessions: await read.selectFrom('staff_sessions').selectAll().execute(),
      }
    }
    const email = 'new@example.com'
    const invited = await owner.call('POST', '/team/invite', { email, role: 'reader' })
    const token = tokenIn((invited.json as { link: string }).link)
    const key = createAuthenticator(service.url)
    await registerPasskey(owner, key)
    await allowPasswords(service)
    const post = (path: string, body?: unknown) => callApi(service.url, 'POST', path, { body })
    const ways = {
      'link.use': () => post('/link/use', { token, name: 'New', password: PASSWORD }),
      'session.begin': () => post('/sign-in', { email: owner.email, password: PASSWORD }),
      'session.begin_with_passkey': async () => {
        const challenge = (await post('/passkeys/sign-in/options')).json
        return await post('/passkeys/sign-in', { response: key.show(challenge) })
      },
    }
    for (const [action, comeIn] of Object.entries(ways)) {
      const before = await stored()
      const refused = await withoutLog(comeIn)
      expect([action, refused.status, refused.headers['set-cookie']]).toEqual([
        action,
        500,
        undefined,
      ])
      expect(await stored()).toEqual(before)
      expect((await comeIn()).status).toBe(200)
      expect(await newest()).toMatchObject({ action, outcome: 'done' })
    }
    // The public actions that sign nobody in.
    const quiet = ['link.look', 'link.request', 'passkey.challenge']
    const open = routes.filter(({ kind }) => kind === 'public').map(({ action }) => action)
    expect(open.sort()).toEqual([...Object.keys(ways), ...quiet].sort())
  })
})
