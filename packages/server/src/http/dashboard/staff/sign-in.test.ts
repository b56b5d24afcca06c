import { beforeAll, describe, expect, it } from 'vitest'
import { createSetupLink } from '../../../domain/staff/links.ts'
import { accountSubject } from '../../../domain/staff/login-throttle.ts'
import { withFullHashCost } from '../../../testing/argon2.ts'
import { databases } from '../../../testing/databases.ts'
import { send, type TestResponse, withoutRequestId } from '../../../testing/http/requests.ts'
import { inCrowd } from '../../../testing/password-crowd.ts'
import { startTestService } from '../../../testing/service.ts'
import {
  acceptInvite,
  callApi,
  cookieIn,
  memberAt,
  newMember,
  newOwner,
  PASSWORD,
  type TestMember,
  tokenIn,
} from '../../../testing/staff.ts'
import { useService } from '../../../testing/use-service.ts'

const HOUR = 3_600
const DAY = 24 * HOUR

/** Everything a caller can see of a response, except what differs each time. */
function seen(response: TestResponse) {
  const { date, ...headers } = response.headers
  return { status: response.status, headers, text: withoutRequestId(response) }
}

describe.each(databases)('signing in on $name', (database) => {
  const service = useService(database)
  /** A second process on the same database. */
  const other = useService(database, () => ({ installation: service.installation }))
  let owner: TestMember
  beforeAll(async () => {
    owner = await newOwner(service)
  })

  const signIn = (email: string, password = PASSWORD, url = service.url) =>
    callApi(url, 'POST', '/sign-in', { body: { email, password } })

  async function enter(email: string): Promise<TestMember> {
    const response = await signIn(email)
    expect(response.status, response.text).toBe(200)
    return memberAt(service.url, (response.json as { staff: TestMember }).staff, cookieIn(response))
  }

  /** Advances both clocks: each service has its own. */
  function pass(seconds: number): void {
    service.clock.advance(seconds)
    other.clock.advance(seconds)
  }

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

  it('locks an account after ten tries, whichever process they come to, known or not', async () => {
    const { id } = await newMember(owner, service.url, 'reader', 'locked@example.com')
    for (const email of ['locked@example.com', 'unknown@example.com']) {
      const urls = Array.from({ length: 12 }, (_, i) => (i % 2 ? service.url : other.url))
      const tries = await Promise.all(urls.map((url) => signIn(email, 'wrong password', url)))
      const statuses = tries.map(({ status }) => status)
      expect(statuses.filter((status) => status === 401)).toHaveLength(10)
      expect(statuses.filter((status) => status === 429)).toHaveLength(2)
    }
    const [known, unknown] = [
      await signIn('locked@example.com'),
      await signIn('unknown@example.com'),
    ]
    expect(known).toMatchObject({ status: 429, headers: { 'retry-after': '900' } })
    expect(seen(known)).toEqual(seen(unknown))

    // A reset by an owner unlocks the account, and so does time.
    expect((await owner.call('POST', `/team/${id}/reset`)).status).toBe(200)
    expect((await signIn('locked@example.com')).status).toBe(200)
    pass(15 * 60)
    expect((await signIn('unknown@example.com')).status).toBe(401)
  })

  it('locks an address out after fifty tries for whomever; those that succeed do not count', async () => {
    pass(15 * 60)
    for (let n = 0; n < 3; n++) expect((await signIn('owner@example.com')).status).toBe(200)
    const statuses: number[] = []
    // All of them count in one row. More at once would wait for its lock too long on a busy machine.
    for (let done = 0; done < 52; done += 13) {
      const tries = Array.from({ length: 13 }, (_, i) =>
        signIn(`person${done + i}@example.com`, 'wrong password', i % 2 ? service.url : other.url),
      )
      statuses.push(...(await Promise.all(tries)).map(({ status }) => status))
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(50)
    expect(statuses.filter((status) => status === 429)).toHaveLength(2)
    expect((await signIn('owner@example.com')).status).toBe(429)
    pass(15 * 60)
    expect((await signIn('owner@example.com')).status).toBe(200)
  })

  it('writes nothing for an address that is locked out, and locks no account for it', async () => {
    pass(15 * 60)
    for (let n = 0; n < 50; n++) await signIn(`person${n}@example.com`, 'wrong password')
    const rows = async () =>
      (await service.ctx.control.read.selectFrom('staff_tries').selectAll().execute()).sort(
        (a, b) => (a.subject < b.subject ? -1 : 1),
      )
    const before = await rows()
    for (let n = 0; n < 11; n++) expect((await signIn('owner@example.com')).status).toBe(429)
    expect(await rows()).toEqual(before)
    await service.ctx.control.write((trx) =>
      trx.deleteFrom('staff_tries').where('subject', 'like', 'address %').execute(),
    )
    expect((await signIn('owner@example.com')).status).toBe(200)
  })

  it('counts no try that nobody had time to look at', async () => {
    pass(15 * 60)
    const people = Array.from({ length: 20 }, (_, i) => `patient${i}@example.com`)
    const codes = await inCrowd(async (leave) => {
      const tries = people.map(async (email) => {
        const { json } = await signIn(email)
        const { code } = (json as { error: { code: string } }).error
        if (code === 'overloaded') leave()
        return code
      })
      return await Promise.all(tries)
    })
    expect(codes).toContain('overloaded')
    const tries = await Promise.all(people.map((email) => triesOf(accountSubject(email))))
    // Attempts that were checked count as usual. On a busy machine the database may have turned some away, at any point.
    const isSure = (_: unknown, n: number) => codes[n] !== 'database_unavailable'
    const counted = codes.map((code) => (code === 'overloaded' ? 0 : 1))
    expect(tries.filter(isSure)).toEqual(counted.filter(isSure))
    expect(await triesOf('address 127.0.0.1')).toBe(tries.filter((one) => one === 1).length)
  })

  const triesOf = async (subject: string) => {
    const query = service.ctx.control.read.selectFrom('staff_tries').select('tries')
    return (await query.where('subject', '=', subject).executeTakeFirst())?.tries ?? 0
  }

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
    expect(left).toMatchObject({ status: 204 })
    expect(left.headers['set-cookie']?.[0]).toMatch(/^gatehouse-session=; .*Max-Age=0/)
    expect((await one.call('GET', '/me')).status).toBe(401)
    expect((await two.call('GET', '/me')).status).toBe(200)
    await two.call('POST', '/sign-out-everywhere')
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
    const change = (current: string, next: string) =>
      bob.call('POST', '/password', { current, next })
    for (const [current, next, problem] of [
      ['wrong', 'another password', 'current: not your current password'],
      [PASSWORD, 'short', 'next: must have at least 10 characters'],
      [PASSWORD, 'x'.repeat(201), 'next: must have at most 200 characters'],
      [PASSWORD, 'BOB@example.com', 'next: must differ from the email address'],
      [PASSWORD, 'abababababab', 'next: must have at least 5 different characters'],
      [PASSWORD, '1234567890', expect.stringContaining('too common')],
      [PASSWORD, '!Password2026', expect.stringContaining('too common')],
      [PASSWORD, 'password1password1', expect.stringContaining('too common')],
      [PASSWORD, '12345678901234567890', expect.stringContaining('too common')],
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

describe.each(databases)('setting up on $name', (database) => {
  it('makes one owner, whoever has a link and however many use theirs at once', async () => {
    const service = await startTestService(database)
    try {
      const { ctx, url, clock } = service
      const links = await Promise.all([1, 2, 3].map(() => createSetupLink(ctx.control, clock.now)))
      const tokens = links.map((link) => link?.token as string)
      const withoutAddress = { token: tokens[0], name: 'A', password: PASSWORD }
      const incomplete = await callApi(url, 'POST', '/link/use', { body: withoutAddress })
      expect(incomplete.json).toMatchObject({ error: { message: 'email: must not be empty' } })
      const all = await Promise.allSettled(
        tokens.map((token, i) => acceptInvite(url, token, { email: `owner${i}@example.com` })),
      )
      const arrived = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      expect(arrived).toHaveLength(1)
      expect(arrived[0]?.role).toBe('owner')
      for (const token of tokens) {
        const look = await callApi(url, 'POST', '/link/look', { body: { token } })
        expect(look.json).toMatchObject({ error: { code: 'link_used' } })
      }
    } finally {
      await service.stop()
    }
  })
})
