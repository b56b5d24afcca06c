import type { ServerResponse } from 'node:http'
import { pino } from 'pino'
import { describe, expect, it, vi } from 'vitest'
import { databases } from '../../../testing/databases.ts'
import { send } from '../../../testing/http/requests.ts'
import { callApi, PASSWORD } from '../../../testing/staff.ts'
import { watchStatements } from '../../../testing/statements.ts'
import { useApplication, useOwner, useService } from '../../../testing/use-service.ts'

type Line = Record<string, unknown>

describe.each(databases)('from where something was done, on $name', (database) => {
  const lines: Line[] = []
  const logger = pino({ level: 'info' }, { write: (text) => void lines.push(JSON.parse(text)) })
  const service = useService(database, { logger })
  const app = useApplication(service, { resources: ['news'] })
  const owner = useOwner(service)

  const rows = () =>
    service.ctx.control.read.selectFrom('audit').selectAll().orderBy('seq', 'desc').execute()
  const newest = async () => (await rows())[0]
  const signIn = (password: string, email = owner.email, agent = 'Firefox') =>
    callApi(service.url, 'POST', '/sign-in', {
      body: { email, password },
      headers: { 'user-agent': agent },
    })
  const local = expect.stringMatching(/127\.0\.0\.1$/)

  it('an entry has the address, the browser, cut, and the session that it began', async () => {
    await signIn(PASSWORD, owner.email, 'x'.repeat(1000))
    const [session] = await service.ctx.control.read
      .selectFrom('staff_sessions')
      .select('id')
      .where('agent', 'like', 'xxx%')
      .execute()
    expect(await newest()).toMatchObject({
      ...{ action: 'session.begin', address: local, agent: 'x'.repeat(300), os_user: null },
      session_id: session?.id,
    })
  })

  it('an action belongs to its session, which is not its token', async () => {
    await owner.call('PATCH', '/me', { name: 'New name' })
    const row = await newest()
    const { data } = (await owner.call('GET', '/sessions')).json as {
      data: { id: string; current: boolean }[]
    }
    expect(data.map(({ id }) => id)).toContain(row?.session_id)
    expect(owner.cookie).not.toContain(row?.session_id)
  })

  it('a program has no session', async () => {
    await owner.confirm()
    const body = { name: 'CMS', role: 'developer', aid: null, ends_at: null }
    const { token } = (await owner.call('POST', '/tokens', body)).json as { token: string }
    const path = `/management/v1/production/applications/${app.aid}/resources/news`
    const answer = await send(service.url, path, {
      method: 'PATCH',
      headers: {
        ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        'user-agent': 'cms/1.0',
      },
      body: JSON.stringify({ name: 'News' }),
    })
    expect(answer.status).toBeLessThan(300)
    expect(await newest()).toMatchObject({ address: local, agent: 'cms/1.0', session_id: null })
  })

  it('each entry is a line of the log, at its begin and at its end, without addresses', async () => {
    await owner.confirm()
    lines.length = 0
    await owner.call('POST', '/team/invite', { email: 'colleague@example.com', role: 'reader' })
    const { seq } = (await newest()) ?? {}
    const audit = lines.filter(({ event }) => event === 'audit')
    expect(audit).toMatchObject([
      { seq, action: 'team.invite', staff_id: owner.id, outcome: 'begun', address: local },
      { seq, outcome: 'done', details: { role: 'reader' } },
    ])
    expect(JSON.stringify(lines)).not.toContain('@example.com')
  })

  it('an unknown address causes the same statements before the answer as a known one', async () => {
    const statementsOf = async (email: string) => {
      const seen: string[] = []
      const answered = new Promise<void>((resolve) => {
        service.app.server.once('request', (_, response: ServerResponse) => {
          response.once('finish', () => {
            seen.push('(answered)')
            resolve()
          })
        })
      })
      const stop = watchStatements(service.ctx.control, (sql) => void seen.push(sql))
      try {
        expect((await signIn('wrong password', email)).status).toBe(401)
        await answered
        return { seen, before: seen.slice(0, seen.indexOf('(answered)')) }
      } finally {
        stop()
      }
    }
    const before = (await rows()).length
    const unknown = await statementsOf('nobody@example.com')
    const known = await statementsOf(owner.email)
    expect(unknown.before.length).toBeGreaterThan(3)
    expect(known.before).toEqual(unknown.before)
    expect(known.before.join()).not.toContain('audit')
    await vi.waitFor(async () => expect((await rows()).length).toBe(before + 1), 5_000)
    expect(await newest()).toMatchObject({ action: 'session.begin', outcome: 'sign_in_failed' })
  })
})
