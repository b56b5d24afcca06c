import { beforeAll, describe, expect, it } from 'vitest'
import { createAuthenticator } from '../../../testing/browser/authenticator.ts'
import { databases } from '../../../testing/databases.ts'
import {
  allowPasswords,
  answerWith,
  callApi,
  newMember,
  PASSWORD,
  registerPasskey,
  type TestMember,
} from '../../../testing/staff.ts'
import { useOwner, useService } from '../../../testing/use-service.ts'
import { routes } from '../routes.ts'

const MINUTE = 60

/** What an owner must confirm, written by hand. `…` stands for the path of an application. */
const CONFIRMED = [
  ...['GET /confirmation', 'POST /passkeys/options', 'DELETE /passkeys/:id'],
  ...['DELETE /sessions/:id', 'POST /sign-out-everywhere', 'POST /team/:id/sign-out'],
  ...['POST /team/invite', 'PATCH /team/:id', 'POST /team/:id/enable', 'POST /team/:id/reset'],
  ...['PUT /passkeys/only', 'PUT /team/:id/passkey-only', 'PUT /team/passkey-policy'],
  ...['POST /tokens', 'POST /tokens/:id/confirm', 'POST …/keys/:id/reveal', 'POST …/keys/rotate'],
  ...['PUT /connections/:environment/payments', 'PUT /connections/:environment/mail'],
  'POST /connections/:environment/payments/disconnect',
  'POST /connections/:environment/mail/disconnect',
  ...['GET …/access/export.csv', 'GET …/people/export.csv', 'GET …/payments/export.csv'],
  ...['GET …/subscriptions/export.csv', 'GET …/people/:uid/export', 'POST …/people/:uid/erase'],
].map((name) => name.replace('…', '/:environment/:aid'))

describe.each(databases)('an action that gives lasting access, on $name', (database) => {
  const service = useService(database)
  const owner = useOwner(service)
  beforeAll(() => allowPasswords(service))

  const invite = (member: TestMember, email: string) =>
    member.call('POST', '/team/invite', { email, role: 'reader' })
  const refused = { error: { code: 'confirmation_required' } }

  it('is each of those that are listed here', () => {
    const confirmed = routes.filter(({ confirmation }) => confirmation === 'recent')
    expect(confirmed.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
      CONFIRMED.sort(),
    )
  })

  it('is done within five minutes of a sign-in, and refused after them until the password is entered', async () => {
    const ann = await newMember(owner, service.url, 'owner', 'ann@example.com')
    service.clock.advance(5 * MINUTE - 1)
    expect((await invite(ann, 'one@example.com')).status).toBe(200)
    service.clock.advance(1)
    const late = await invite(ann, 'two@example.com')
    expect([late.status, late.json]).toMatchObject([403, refused])
    expect((await ann.call('GET', '/confirmation')).status).toBe(403)
    const wrong = await ann.confirm('not her password')
    expect(wrong.json).toMatchObject({ error: { message: 'password: not your current password' } })
    expect((await invite(ann, 'two@example.com')).status).toBe(403)
    expect((await ann.confirm()).status).toBe(204)
    expect((await ann.call('GET', '/confirmation')).status).toBe(204)
    expect((await invite(ann, 'two@example.com')).status).toBe(200)
  })

  it('is confirmed in one session, not in the others of the member', async () => {
    const body = { email: 'owner@example.com', password: PASSWORD }
    await callApi(service.url, 'POST', '/sign-in', { body })
    service.clock.advance(5 * MINUTE)
    const here = await newMember(await confirmed(), service.url, 'owner', 'bob@example.com')
    service.clock.advance(5 * MINUTE)
    await owner.confirm()
    expect((await invite(here, 'x@example.com')).json).toMatchObject(refused)
  })

  async function confirmed(): Promise<TestMember> {
    await owner.confirm()
    return owner
  }

  it('is confirmed by a passkey of the member, once, and by no other', async () => {
    const cat = await newMember(await confirmed(), service.url, 'owner', 'cat@example.com')
    const keys = { cat: createAuthenticator(service.url), owner: createAuthenticator(service.url) }
    for (const [member, key] of [[cat, keys.cat] as const, [owner, keys.owner] as const]) {
      await registerPasskey(member, key)
    }
    service.clock.advance(5 * MINUTE)
    const confirm = (response: unknown) => cat.call('POST', '/confirmation/passkey', { response })
    expect((await confirm(await answerWith(service.url, keys.owner))).json).toMatchObject({
      error: { code: 'passkey_refused' },
    })
    expect((await invite(cat, 'y@example.com')).status).toBe(403)
    const right = await answerWith(service.url, keys.cat)
    expect((await confirm(right)).status).toBe(204)
    expect((await invite(cat, 'y@example.com')).status).toBe(200)
    expect((await confirm(right)).json).toMatchObject({ error: { code: 'passkey_refused' } })
  })

  it('is refused to a role before anything is asked', async () => {
    const dan = await newMember(await confirmed(), service.url, 'reader', 'dan@example.com')
    service.clock.advance(5 * MINUTE)
    expect((await invite(dan, 'z@example.com')).json).toMatchObject({
      error: { code: 'not_allowed' },
    })
  })

  it('leaves a row in the audit log for each attempt to confirm', async () => {
    await owner.confirm('wrong password')
    await owner.confirm()
    const { json } = await owner.call('GET', '/audit?action=session.confirm')
    const { data } = json as { data: { outcome: string }[] }
    expect(data.slice(0, 2).map(({ outcome }) => outcome)).toEqual(['done', 'invalid_parameter'])
  })
})
