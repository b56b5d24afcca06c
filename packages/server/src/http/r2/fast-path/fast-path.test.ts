import type { OutgoingHttpHeaders } from 'node:http'
import { encodeParameters } from '@gatehouse/sdk/signing'
import { describe, expect, it, vi } from 'vitest'
import { setOpens } from '../../../domain/passes/opens.ts'
import { setEmail } from '../../../domain/users/change.ts'
import { databases } from '../../../testing/databases.ts'
import { useAccessChecks } from '../../../testing/http/access-checks.ts'
import {
  authorization,
  send,
  type TestResponse,
  withoutRequestId,
} from '../../../testing/http/requests.ts'
import { seededRandom } from '../../../testing/random.ts'
import { useService } from '../../../testing/use-service.ts'

/** A header that makes the fast path leave a request to the route, where it has no effect. */
const BY_HOUSE = { headers: { 'content-length': '0' } }

/** Characters that JSON, SQL or a URL treats specially, and plain ones. */
const CHARACTERS = [...'abcABC019 "\\/\'%:?&=<>+;{}[]\u00e9\u0301\u2028\u2029\ufeff\u{1f600}ß字']

/** Everything that must be identical in two responses. */
const shownOf = (response: TestResponse) => ({
  status: response.status,
  body: withoutRequestId(response),
  headers: { ...response.headers, date: undefined },
})

describe.each(databases)('Access checks that take the lane, on $name', (database) => {
  const { service, app, lookUps, keepKeys, check } = useAccessChecks(database)
  const second = useService(database, () => ({ installation: service.installation }))

  it('are answered as by the house, byte for byte', async () => {
    const soon = service.clock.seconds + 60
    const { client } = app
    await client.grantAccess({ rid: 'news', email: 'ann@example.com', user_ref: 'ann' })
    await client.grantAccess({ rid: 'news', email: 'ann@example.com', user_ref: 'ann 2 ü&' })
    await client.grantAccess({
      rid: 'news',
      email: 'bo@example.com',
      user_ref: 'bo',
      expiration: soon,
      tags: 'a,"b\\',
    })
    const { uid } = await client.grantAccess({ rid: 'news', email: 'cy@example.com' })
    await client.grantAccess({ rid: 'news', email: 'di@example.com', user_ref: 'di' })
    await client.revokeAccess({ rid: 'news', user_ref: 'di' })
    const names = ['ann', 'ann 2 ü&', 'bo', uid, 'di', 'nobody', 'ANN', '']
    const asked = [
      ...names.map((user_ref) => ({ rid: 'news', user_ref })),
      ...names.map((user_ref) => ({ rid: 'news', user_ref, show_expired: 'true' })),
      { rid: 'news', user_ref: 'bo', show_expired: 'maybe' },
      { rid: 'other', user_ref: 'ann' },
      { user_ref: 'ann' },
    ]
    const inLane = lookUps()
    for (const seconds of [0, 60]) {
      service.clock.advance(seconds)
      for (const parameters of asked) {
        const [lane, house] = [await check(parameters), await check(parameters, BY_HOUSE)]
        expect(shownOf(lane), JSON.stringify(parameters)).toEqual(shownOf(house))
      }
    }
    expect(inLane.mock.calls.length).toBeGreaterThan(0)
  })

  it('are answered as by the route, byte for byte, whatever the record holds', async () => {
    const seed = Date.now() % 2 ** 31
    const random = seededRandom(seed)
    const pick = <T>(items: readonly T[]) => items[Math.floor(random() * items.length)] as T
    const text = (length: number) =>
      Array.from({ length: 1 + Math.floor(random() * length) }, () => pick(CHARACTERS)).join('')
    for (let n = 0; n < 60; n++) {
      const user_ref = `${n}${text(random() < 0.2 ? 200 : 20)}`
      const granted = await app.client.grantAccess({
        rid: 'news',
        email: `${text(5).replace(/[^a-zà-ž]/g, 'x')}${n}@example.com`,
        ...(random() < 0.2 ? {} : { user_ref }),
        ...(random() < 0.5 ? {} : { expiration: service.clock.seconds + 1 + n }),
        ...(random() < 0.5 ? {} : { tags: `1${text(20)},2${text(5)}` }),
      })
      const amount = Math.floor(random() * 10 ** pick([1, 3, 6, 9]))
      const paid = { amount, currency: pick(['USD', 'JPY', 'KWD', 'CLF']) }
      await app.environment.database.write((trx) =>
        trx.updateTable('access').set(paid).where('id', '=', granted.id).execute(),
      )
      const asked = { rid: 'news', user_ref: granted.user_ref }
      const [fast, route] = [await check(asked), await check(asked, BY_HOUSE)]
      expect(route.status).toBe(200)
      expect(shownOf(fast), `seed ${seed}, record ${n}`).toEqual(shownOf(route))
    }
  })

  it('are refused like any other request that is not signed, or not plain', async () => {
    await app.client.grantAccess({ rid: 'news', email: 'ann@example.com', user_ref: 'ann' })
    const parameters = { rid: 'news', user_ref: 'ann' }
    expect((await check(parameters)).status).toBe(200)
    const target = `/r2/access?${encodeParameters(parameters)}`
    const good = authorization(app, 'GET', target)
    const other = await service.newApplication()
    for (const [path, headers, status] of [
      [target, { authorization: good }, 200],
      [target, {}, 401],
      [target, { authorization: `${good.slice(0, -1)}!` }, 401],
      [target, { authorization: good.replace(app.aid, other.aid) }, 401],
      [target, { authorization: [good, good] as unknown as string }, 401],
      [`${target}&page=1`, { authorization: good }, 401],
      [`${target}#x`, { authorization: authorization(app, 'GET', `${target}#x`) }, 404],
      [target, { authorization: good, expect: 'a miracle' }, 400],
      [`/sandbox${target}`, { authorization: good }, 401],
    ] satisfies [string, OutgoingHttpHeaders, number][]) {
      expect((await send(service.url, path, { headers })).status, path).toBe(status)
    }
  })

  it('take the same steps to be refused for an unknown application as for a wrong signature', async () => {
    // The keys of a new application are read at its first request.
    await check({ rid: 'news', user_ref: 'ann' })
    keepKeys()
    const target = '/r2/access?rid=news&user_ref=ann'
    const wrong = authorization({ ...app, privateKey: 'x' }, 'GET', target)
    const asked = vi.spyOn(app.environment.keyring, 'keysOf')
    const checksFor = async (given: string) => {
      asked.mockClear()
      const { status, headers } = await send(service.url, target, {
        headers: { authorization: given },
      })
      expect([status, headers['www-authenticate']]).toEqual([401, 'Gatehouse'])
      return asked.mock.calls.length
    }
    const ofWrong = await checksFor(wrong)
    expect(await checksFor(wrong.replace(app.aid, 'Unknown001'))).toBe(ofWrong)
  })

  it('never answer with access that another process has revoked, or granted, before they were asked', async () => {
    const here = app.client
    const there = app.clientAt(second.url)
    const key = { rid: 'news', user_ref: 'ann' }
    for (let round = 0; round < 25; round++) {
      await there.grantAccess({ ...key, email: 'ann@example.com' })
      for (let again = 0; again < 4; again++) expect(await here.getAccess(key)).toBeDefined()
      await there.revokeAccess(key)
      await expect(here.getAccess(key)).rejects.toMatchObject({ status: 404 })
    }
  })

  it('see the end of an access come, although nothing is written then', async () => {
    const key = { rid: 'news', user_ref: 'ann' }
    const expiration = service.clock.seconds + 10
    await app.client.grantAccess({ ...key, email: 'ann@example.com', expiration })
    service.clock.advance(9)
    await app.client.getAccess(key)
    service.clock.advance(1)
    await expect(app.client.getAccess(key)).rejects.toMatchObject({ status: 404 })
  })

  it('are answered through a pass as by the route, and follow what another process lets it open', async () => {
    const there = second.ctx.environments.production
    const open = (rids: string[], prefixes: string[] = []) =>
      there.database.write((trx) =>
        setOpens(trx, { aid: app.aid, rid: 'pass' }, { rids, prefixes, all: false }, 0, 'test'),
      )
    const soon = service.clock.seconds + 10
    const person = { email: 'ann@example.com', user_ref: 'ann "ü"' }
    for (const rid of ['pass', 'other']) await app.addResource(rid)
    await open(['news', 'ü"'], ['mag/'])
    const direct = await app.client.grantAccess({ ...person, rid: 'news', expiration: soon })
    const pass = await app.client.grantAccess({ ...person, rid: 'pass', expiration: soon + 10 })
    await app.client.grantAccess({ ...person, rid: 'other' })
    const both = async (rid: string, more = {}) => {
      const asked = { rid, user_ref: person.user_ref, ...more }
      const [fast, route] = [await check(asked), await check(asked, BY_HOUSE)]
      expect(shownOf(fast), JSON.stringify(asked)).toEqual(shownOf(route))
      expect(shownOf(await check(asked))).toEqual(shownOf(route))
      return route.status === 200 ? JSON.parse(route.text) : route.status
    }
    expect(await both('news')).toEqual(direct)
    expect(await both('mag/1')).toEqual({ ...pass, rid: 'mag/1', via: 'pass' })
    expect(await both('ü"', { show_expired: 'true' })).toEqual({ ...pass, rid: 'ü"', via: 'pass' })
    expect(await both('mag')).toBe(404)
    // The direct record ends while nothing is written: the pass answers from then on, until it ends too.
    service.clock.advance(10)
    expect(await both('news')).toEqual({ ...pass, rid: 'news', via: 'pass' })
    expect((await both('news', { show_expired: 'true' })).via).toBe('pass')
    for (let round = 0; round < 5; round++) {
      await open([])
      expect(await both('news')).toBe(404)
      await open(['news'])
      expect((await both('news')).via).toBe('pass')
    }
    service.clock.advance(10)
    expect(await both('news')).toBe(404)
    expect(await both('news', { show_expired: 'true' })).toEqual(direct)
  })

  it('show a person as she is now, whoever changed that', async () => {
    const key = { rid: 'news', user_ref: 'ann' }
    const { uid } = await app.client.grantAccess({ ...key, email: 'ann@example.com' })
    await app.client.getAccess(key)
    const there = second.ctx.environments.production
    await there.database.write((trx) =>
      setEmail(trx, { aid: app.aid, uid, actor: 'test' }, 'ann@example.org', there.clock()),
    )
    expect((await app.client.getAccess(key)).user_email).toBe('ann@example.org')
  })
})
