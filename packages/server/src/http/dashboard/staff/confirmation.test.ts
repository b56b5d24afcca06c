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

/** What a member must confirm, by the reason, written by hand. `…` stands for the path of an application. */
const CONFIRMED: Record<string, readonly string[]> = {
  'a page asks it before a browser downloads a file': ['GET /confirmation'],
  'decides who can sign in, how, and for how long': [
    ...['POST /passkeys/options', 'DELETE /passkeys/:id', 'PUT /passkeys/only'],
    ...['DELETE /sessions/:id', 'POST /sign-out-everywhere', 'POST /team/:id/sign-out'],
    ...['POST /team/invite', 'PATCH /team/:id', 'POST /team/:id/enable', 'POST /team/:id/reset'],
    ...['POST /team/:id/disable', 'PUT /team/:id/passkey-only', 'PUT /team/passkey-policy'],
  ],
  'hands out a key, a secret or a signed request, or lets a program in': [
    ...['POST /tokens', 'POST /tokens/:id/confirm', 'POST …/keys/:id/reveal', 'POST …/keys/rotate'],
    ...['POST /applications/:environment', 'POST …/console'],
  ],
  'sends events about readers to an address of the member’s choice': [
    ...['POST …/webhooks', 'PATCH …/webhooks/:id', 'POST …/webhooks/:id/enable'],
    ...['POST …/webhooks/:id/rotate', 'POST …/webhooks/:id/replay'],
  ],
  'decides where money and emails go': [
    ...['PUT /connections/:environment/payments', 'PUT /connections/:environment/mail'],
    'POST /connections/:environment/payments/webhook',
    'POST /connections/:environment/payments/disconnect',
    'POST /connections/:environment/mail/disconnect',
  ],
  'hands out the data of readers, or deletes it': [
    ...['GET …/access/export.csv', 'GET …/people/export.csv', 'GET …/payments/export.csv'],
    ...['GET …/subscriptions/export.csv', 'GET …/people/:uid/export', 'POST …/people/:uid/erase'],
  ],
}

/** What a member can do without: by the reason. */
const NOT_CONFIRMED: Record<string, readonly string[]> = {
  'proves who it is, or follows something that was confirmed': [
    ...['POST /password', 'POST /confirmation', 'POST /confirmation/passkey', 'POST /passkeys'],
  ],
  'only takes access away, often in a hurry': [
    ...[
      'POST /sign-out',
      'POST /team/withdraw',
      'POST /tokens/:id/revoke',
      'POST …/keys/:id/revoke',
    ],
    ...['POST …/webhooks/:id/disable', 'DELETE …/webhooks/:id'],
    'POST /applications/:environment/:aid/archive',
  ],
  'changes only what the member sees': [
    ...['PATCH /me', 'PATCH /passkeys/:id', 'PATCH …/notifications'],
    ...['POST …/views', 'PATCH …/views/:id', 'DELETE …/views/:id'],
  ],
  'is the daily help for readers, who find it in their history': [
    ...['POST …/access/grant', 'POST …/access/:id/extend', 'POST …/access/import'],
    ...['POST …/access/:id/revoke', 'POST …/access/revoke-many'],
    ...['PATCH …/people/:uid', 'POST …/people/:uid/refs', 'POST …/people/:uid/end-links'],
    ...['POST …/people/:uid/merge', 'POST …/people/:uid/notes'],
    ...['PATCH …/people/:uid/notes/:id', 'DELETE …/people/:uid/notes/:id'],
    ...['POST …/subscriptions/:id/cancel', 'POST …/subscriptions/:id/resume'],
    ...['POST …/subscriptions/:id/manage-link', 'POST …/payments/:id/refund'],
    ...['POST …/downloads/:id/link', 'POST …/mails/:id/send-again', 'POST …/mails/send-again-dead'],
  ],
  'is the daily work on what is sold and how it looks, which can be changed back': [
    ...['POST …/resources', 'PATCH …/resources/:rid', 'PUT …/resources/:rid/opens'],
    ...['POST …/resources/:rid/archive', 'POST …/resources/:rid/restore'],
    ...['POST …/resources/:rid/prices', 'POST …/resources/:rid/prices/:price/archive'],
    ...['POST …/resources/:rid/prices/:price/restore', 'PUT …/resources/:rid/files/order'],
    ...['POST …/resources/:rid/files', 'PUT …/downloads/:id/file', 'PATCH …/downloads/:id'],
    ...['DELETE …/downloads/:id', 'PUT …/resources/:rid/image', 'DELETE …/resources/:rid/image'],
    ...['PUT …/downloads/:id/image', 'DELETE …/downloads/:id/image', 'PATCH …/settings'],
    ...['PUT …/settings/logo', 'DELETE …/settings/logo', 'PUT …/pair', 'DELETE …/pair'],
    ...['POST …/copy', 'PUT /connections/:environment/payments/link'],
  ],
  'tests what was confirmed, or repeats it': [
    'POST /connections/:environment/payments/test',
    'POST /connections/:environment/mail/test',
    ...['POST …/webhooks/:id/test', 'POST …/webhooks/:id/deliveries/:event/resend'],
    'POST /sandbox/clock',
  ],
}

const listed = (groups: Record<string, readonly string[]>) => Object.values(groups).flat().sort()

const nameOf = ({ method, path, kind }: (typeof routes)[number]) =>
  `${method} ${kind === 'application' ? path.replace('/:environment/:aid', '…') : path}`

describe.each(databases)('an action that gives lasting access, on $name', (database) => {
  const service = useService(database)
  const owner = useOwner(service)
  beforeAll(() => allowPasswords(service))

  const invite = (member: TestMember, email: string) =>
    member.call('POST', '/team/invite', { email, role: 'reader' })
  const refused = { error: { code: 'confirmation_required' } }

  it('is each of those that are listed here, and every other action is listed as none', () => {
    const members = routes.filter(({ kind }) => kind !== 'public')
    const confirmed = members.filter(({ confirmation }) => confirmation !== undefined)
    expect(confirmed.map(nameOf).sort()).toEqual(listed(CONFIRMED))
    const others = members.filter((one) => one.action !== undefined && !confirmed.includes(one))
    expect(others.map(nameOf).sort()).toEqual(listed(NOT_CONFIRMED))
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
