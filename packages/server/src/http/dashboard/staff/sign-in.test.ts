import { beforeAll, describe, expect, it } from 'vitest'
import { createSetupLink } from '../../../domain/staff/links.ts'
import { hashPassword } from '../../../domain/staff/passwords.ts'
import { getStaff, storePassword } from '../../../domain/staff/staff.ts'
import { withFullHashCost } from '../../../testing/argon2.ts'
import { databases } from '../../../testing/databases.ts'
import { send, type TestResponse } from '../../../testing/http/requests.ts'
import { seen, useSignIn } from '../../../testing/http/sign-in.ts'
import {
  callApi,
  cookieIn,
  newMember,
  newOwner,
  PASSWORD,
  type TestMember,
  tokenIn,
} from '../../../testing/staff.ts'

const HOUR = 3_600
const COMMON = expect.stringContaining('one of those that attackers try first') as string
const DAY = 24 * HOUR

describe.each(databases)('signing in on $name', (database) => {
  const { service, other, signIn, enter, pass } = useSignIn(database)
  let owner: TestMember
  beforeAll(async () => {
    owner = await newOwner(service)
  })

  it('knows who is there by the cookie alone, in every process', async () => {
    const me = await owner.callAt(other.url, 'GET', '/me')
    expect(me.json).toMatchObject({ staff: { email: 'owner@example.com', role: 'owner' } })
    expect((await callApi(service.url, 'GET', '/me')).status).toBe(401)
    const forged = `gatehouse-session=${'0'.repeat(43)}`
    expect((await callApi(service.url, 'GET', '/me', { cookie: forged })).status).toBe(401)
  })

  it('takes the address in any letters, and gives a new cookie each time', async () => {
    const [one, two] = [await signIn('Owner@Example.com '), await signIn('owner@example.com')]
    expect([one.status, two.status]).toEqual([200, 200])
    expect(cookieIn(one)).not.toBe(cookieIn(two))
    expect(one.text).not.toContain(PASSWORD)
  })

  it('tells the unknown, the wrong and the disabled in the same words and the same time', async () => {
    const gone = await newMember(owner, service.url, 'reader', 'gone@example.com')
    expect((await owner.call('POST', `/team/${gone.id}/disable`)).status).toBe(204)
    const answers: TestResponse[] = []
    const attempts = [
      ['owner@example.com', 'wrong password'],
      ['gone@example.com', PASSWORD],
      ['nobody@example.com', PASSWORD],
      ['not an address', 'x'],
    ] as const
    /** The shortest of several interleaved measurements: a busy machine makes times longer, never shorter. */
    const times = attempts.map(() => Number.POSITIVE_INFINITY)
    await withFullHashCost(async () => {
      for (let n = 0; n < 5; n++) {
        for (const [at, [email, password]] of attempts.entries()) {
          const startedAt = performance.now()
          answers.push(await signIn(email, password))
          times[at] = Math.min(times[at] as number, performance.now() - startedAt)
        }
      }
    })
    pass(15 * 60)
    expect(answers[0]).toMatchObject({ status: 401 })
    for (const response of answers) expect(seen(response)).toEqual(seen(answers[0] as TestResponse))
    expect(Math.min(...times)).toBeGreaterThan(Math.max(...times) / 4)
  })

  it('refuses what is nested deeper than anything that is asked for', async () => {
    const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`
    for (const [path, body] of [
      ['/passkeys/sign-in', `{"response":{"id":${deep}}}`],
      ['/sign-in', `{"email":${deep},"password":"x"}`],
    ] as const) {
      const { status, text } = await send(service.url, `/dashboard/api${path}`, {
        method: 'POST',
        headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
        body,
      })
      expect([status, text]).toEqual([400, expect.stringContaining('nested too deeply')])
    }
  })

  it('hashes a password anew if its hash was made with other costs, for sign-ins at the same time too', async () => {
    const { control } = service.ctx
    const stored = async () => (await getStaff(control.read, owner.id)).password
    const before = (await stored()) as string
    await withFullHashCost(async () => {
      const old = await hashPassword(PASSWORD)
      await control.write((trx) => storePassword(trx, owner.id, old))
    })
    const costsOf = (hash: string | null) => hash?.split('$')[3]
    const enterWith = (password: string) =>
      callApi(service.url, 'POST', '/sign-in', { body: { email: owner.email, password } })
    expect((await enterWith('not the password')).status).toBe(401)
    expect(costsOf(await stored())).not.toBe(costsOf(before))
    const answers = await Promise.all([enterWith(PASSWORD), enterWith(PASSWORD)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const renewed = await stored()
    expect(costsOf(renewed)).toBe(costsOf(before))
    expect((await enterWith(PASSWORD)).status).toBe(200)
    expect(await stored()).toBe(renewed)
  })

  it('ends a session that was not used for a day, and any after two weeks', async () => {
    const lazy = await enter('owner@example.com')
    pass(23 * HOUR)
    expect((await lazy.call('GET', '/me')).status).toBe(200)
    pass(23 * HOUR)
    expect((await lazy.call('GET', '/me')).status).toBe(200)
    pass(24 * HOUR)
    expect((await lazy.call('GET', '/me')).status).toBe(401)

    const busy = await enter('owner@example.com')
    for (let day = 0; day < 14; day++) {
      expect((await busy.call('GET', '/me')).status).toBe(200)
      pass(DAY - 60)
    }
    pass(14 * 60)
    expect((await busy.call('GET', '/me')).status).toBe(401)
    owner = await enter('owner@example.com')
  })

  it('signs out here, or everywhere at once', async () => {
    const [one, two, three] = [
      await enter('owner@example.com'),
      await enter('owner@example.com'),
      await enter('owner@example.com'),
    ]
    const left = await one.call('POST', '/sign-out')
    expect(left.headers['clear-site-data']).toBe('"cache", "storage"')
    expect(left).toMatchObject({ status: 204 })
    expect(left.headers['set-cookie']?.[0]).toMatch(/^gatehouse-session=; .*Max-Age=0/)
    expect((await one.call('GET', '/me')).status).toBe(401)
    expect((await two.call('GET', '/me')).status).toBe(200)
    const ended = await two.call('POST', '/sign-out-everywhere')
    expect(ended.headers['clear-site-data']).toBe('"cache", "storage"')
    expect((await three.callAt(other.url, 'GET', '/me')).status).toBe(401)
    owner = await enter('owner@example.com')
  })

  it('ends one of the own sessions, and none of others', async () => {
    const ann = await newMember(owner, service.url, 'reader', 'ann@example.com')
    const there = await enter('ann@example.com')
    const { data } = (await ann.call('GET', '/sessions')).json as {
      data: { id: string; current: boolean }[]
    }
    const elsewhere = data.find(({ current }) => !current)
    expect(data).toHaveLength(2)
    const path = `/sessions/${elsewhere?.id}`
    expect((await owner.call('DELETE', path)).status).toBe(404)
    expect((await there.call('GET', '/me')).status).toBe(200)
    expect((await ann.call('DELETE', path)).status).toBe(204)
    expect((await there.call('GET', '/me')).status).toBe(401)
  })

  it('changes a password for whoever knows the old one, and signs out all others', async () => {
    const bob = await newMember(owner, service.url, 'reader', 'bob@example.com')
    const there = await enter('bob@example.com')
    const application = { name: 'Test magazine', currency: 'EUR' }
    await owner.confirm()
    await owner.call('POST', '/applications/sandbox', application)
    const change = (current: string, next: string) =>
      bob.call('POST', '/password', { current, next })
    for (const [current, next, problem] of [
      ['wrong', 'another password', 'current: not your current password'],
      [PASSWORD, 'short', 'next: must have at least 10 characters'],
      [PASSWORD, 'x'.repeat(201), 'next: must have at most 200 characters'],
      [PASSWORD, 'BOB@example.com', 'next: must differ from the email address'],
      [PASSWORD, 'abababababab', 'next: must have at least 5 different characters'],
      [PASSWORD, '1234567890', COMMON],
      [PASSWORD, '!Password2026', COMMON],
      [PASSWORD, 'password1password1', COMMON],
      [PASSWORD, '12345678901234567890', COMMON],
      [PASSWORD, 'volleyball', COMMON],
      [PASSWORD, '1Q2W3E4R5T', COMMON],
      [PASSWORD, '1qaz2wsx3edc', COMMON],
      [PASSWORD, 'Gatehouse2026', expect.stringContaining('must not be “gatehouse”')],
      [PASSWORD, '**testperson**', expect.stringContaining('must not be “testperson”')],
      [PASSWORD, 'TestMagazine!1', expect.stringContaining('must not be “testmagazine”')],
    ] as const) {
      const response = await change(current, next)
      expect(response.json).toMatchObject({
        error: { code: 'invalid_parameter', message: problem },
      })
    }
    expect((await change(PASSWORD, 'another password')).status).toBe(204)
    expect((await bob.call('GET', '/me')).status).toBe(200)
    expect((await there.call('GET', '/me')).status).toBe(401)
    expect((await signIn('bob@example.com')).status).toBe(401)
    expect((await signIn('bob@example.com', 'another password')).status).toBe(200)
  })

  it('keeps a reset that comes while the password is being changed', async () => {
    const victim = await newMember(owner, service.url, 'reader', 'victim@example.com')
    const { link } = (await owner.call('POST', `/team/${victim.id}/reset`)).json as { link: string }
    const body = { token: tokenIn(link), name: 'V', password: 'chosen by the victim' }
    const [reset, change] = await Promise.all([
      callApi(other.url, 'POST', '/link/use', { body }),
      victim.call('POST', '/password', { current: PASSWORD, next: 'chosen by the thief' }),
    ])
    expect(reset.status).toBe(200)
    // Whichever came first, the reset wins.
    expect([204, 400, 401, 402]).toContain(change.status)
    expect((await signIn('victim@example.com', 'chosen by the victim')).status).toBe(200)
    expect((await signIn('victim@example.com', 'chosen by the thief')).status).toBe(401)
  })

  it('lets a link in once, however many use it at the same time', async () => {
    const input = { email: 'cat@example.com', role: 'support' }
    const { link } = (await owner.call('POST', '/team/invite', input)).json as { link: string }
    expect(link).toMatch(/^http:\/\/localhost:\d+\/dashboard\/invite#[A-Za-z0-9]{43}$/)
    const token = tokenIn(link)
    const look = await callApi(service.url, 'POST', '/link/look', { body: { token } })
    expect(look.json).toEqual({
      kind: 'invite',
      email: 'cat@example.com',
      role: 'support',
      name: '',
      needs_passkey: false,
      removes_passkeys: false,
    })

    const body = { token, name: 'Cat', password: PASSWORD }
    const uses = [service, other, service, other].map(({ url }) =>
      callApi(url, 'POST', '/link/use', { body }),
    )
    const statuses = (await Promise.all(uses)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 410, 410, 410])
    const again = await callApi(service.url, 'POST', '/link/look', { body: { token } })
    expect(again.json).toMatchObject({ error: { code: 'link_used' } })
    expect((await enter('cat@example.com')).role).toBe('support')
  })

  it('knows no link by a wrong token, after its time, or after a newer one to the same person', async () => {
    const input = { email: 'dan@example.com', role: 'reader' }
    const make = async () =>
      tokenIn(((await owner.call('POST', '/team/invite', input)).json as { link: string }).link)
    const codeOf = async (token: string) => {
      const response = await callApi(service.url, 'POST', '/link/look', { body: { token } })
      return (response.json as { error?: { code: string } }).error?.code
    }
    const [old, young] = [await make(), await make()]
    expect(await codeOf('0'.repeat(43))).toBe('link_invalid')
    expect(await codeOf(old)).toBe('link_invalid')
    expect(await codeOf(young)).toBeUndefined()
    pass(7 * DAY)
    expect(await codeOf(young)).toBe('link_expired')
    owner = await enter('owner@example.com')
  })

  it('has no set-up link for anybody once there is somebody', async () => {
    const control = service.ctx.control
    expect(await createSetupLink(control, service.clock.now)).toBeUndefined()
  })
})
