import { describe, expect, it } from 'vitest'
import type { Refusal } from '../../testing/dashboard-api.ts'
import { databases } from '../../testing/databases.ts'
import { send } from '../../testing/http/requests.ts'
import { newProgram } from '../../testing/management.ts'
import { useApplication, useService, useSignedIn } from '../../testing/use-service.ts'

const HALF = '\ud83d'
const PROBLEM = 'must not contain half a surrogate pair'

describe.each(databases)('texts that somebody made with care, on $name,', (database) => {
  const service = useService(database)
  const app = useApplication(service, { resources: ['news'] })
  const owner = useSignedIn(service, 'owner')

  it('with half a surrogate pair are refused at the field, wherever they come from', async () => {
    const calls = [
      ['PUT', '/resources/news/opens', { rids: [`a${HALF}`, '\ud801'] }, 'rids'],
      ['PUT', '/resources/news/opens', { prefixes: ['\udfff', `b${HALF}`] }, 'prefixes'],
      ['POST', '/resources', { rid: HALF, name: 'x' }, 'rid'],
      ['POST', '/resources', { rid: 'x', name: `x${HALF}` }, 'name'],
      ['POST', '/access/grant', { rid: 'news', email: 'a@b.c', tags: HALF }, 'tags'],
      ['POST', '/access/grant', { rid: 'news', email: 'a@b.c', message: HALF }, 'message'],
      ['PATCH', '/settings', { mail_from: `${HALF} <a@b.c>` }, 'mail_from'],
      ['PATCH', '/settings', { mail_template: `Subject: ${HALF}\n\nx` }, 'mail_template'],
    ] as const
    for (const [method, path, body, parameter] of calls) {
      const refused = await owner.of(app).request<Refusal>(method, path, body)
      expect([path, refused.status, refused.body.error]).toMatchObject([
        path,
        400,
        { code: 'invalid_parameter', parameter, problem: PROBLEM },
      ])
    }
    const whole = await owner
      .of(app)
      .request('POST', '/resources', { rid: 'ok', name: '\ud83d\ude00' })
    expect(whole.status).toBe(200)
  })

  it('with half a surrogate pair are refused from programs, also as the name of a field', async () => {
    const program = await newProgram(service, 'developer')
    const at = `/${app.environment.name}/applications/${app.aid}/resources`
    const opens = await program.call('PUT', `${at}/news/opens`, { rids: [HALF] })
    expect([opens.status, opens.text]).toEqual([400, expect.stringContaining(`rids: ${PROBLEM}`)])
    const named = await program.call('POST', at, { rid: 'x', name: 'x', [HALF]: 1 })
    expect([named.status, named.text]).toEqual([400, expect.stringContaining(PROBLEM)])
  })

  it('that are no UTF-8 in a query are refused at the parameter', async () => {
    const at = `/dashboard/api/${app.environment.name}/${app.aid}/access`
    for (const bad of ['%ED%A0%80', '%FF', '%zz']) {
      const { status, text } = await send(service.url, `${at}?q=${bad}`, { headers: owner.headers })
      expect([bad, status, JSON.parse(text).error.parameter]).toEqual([bad, 400, 'q'])
    }
  })

  it('with control characters name no sender', async () => {
    const bad = ['a\u0007@x.example', 'a@x\u0001.example', 'B\u0007 <a@x.example>', 'a@x.example>']
    for (const mail_from of [...bad, 'a b@x.example', '<a@x.example', 'A "B" <a@x.example>']) {
      const { status, body } = await owner
        .of(app)
        .request<Refusal>('PATCH', '/settings', { mail_from })
      expect([mail_from, status, body.error?.parameter]).toEqual([mail_from, 400, 'mail_from'])
    }
    for (const mail_from of ['a@x.example', 'Jürgen B. (Shop) <jörg@x.example>', '']) {
      const { status } = await owner.of(app).request('PATCH', '/settings', { mail_from })
      expect([mail_from, status]).toEqual([mail_from, 200])
    }
  })
})
