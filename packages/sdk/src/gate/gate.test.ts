import { describe, expect, it } from 'vitest'
import {
  createGate,
  type GateOptions,
  NotFoundError,
  OptionsError,
  UnauthorizedError,
} from '../index.ts'
import { fakeGatehouse } from '../testing.ts'

const START = Date.UTC(2027, 2, 3, 9)

/** A gate in front of a fake, with one clock for both. */
function setUp(options: Partial<GateOptions> = {}) {
  let time = START
  const gatehouse = fakeGatehouse({ now: () => Math.floor(time / 1000) })
  const errors: unknown[] = []
  const gate = createGate({
    ...{ gatehouse, timeout: 50, now: () => time },
    onError: (error) => errors.push(error),
    ...options,
  })
  return {
    ...{ gate, gatehouse, errors },
    decide: (userRef: string | number | null | undefined, rid = 'news') =>
      gate.decide({ userRef, rid }),
    /** How many times the service was asked since the last look. */
    asked: () => (gatehouse.calls as unknown[]).splice(0).length,
    wait: (ms: number) => {
      time += ms
    },
    seconds: () => Math.floor(time / 1000),
  }
}

describe('a decision', () => {
  it('is yes with its reason, its end and its pass', async () => {
    const { gatehouse, decide, seconds } = setUp()
    const until = seconds() + 3600
    gatehouse.allow('ann', 'news', { code: 'subscribed', until, via: 'all' })
    expect(await decide('ann')).toEqual({
      ...{ granted: true, code: 'subscribed', rid: 'news', userRef: 'ann', until, via: 'all' },
      ...{ offers: [], checkoutUrl: undefined, since: undefined, stale: false },
    })
  })

  it('is no with its reason, and with a purchase link where something is offered', async () => {
    const { gatehouse, gate, decide } = setUp()
    gatehouse.refuse('ann', 'news', { code: 'refunded', since: 7 })
    expect(await decide('ann')).toMatchObject({ granted: false, code: 'refunded', since: 7 })
    expect((await decide('ann')).checkoutUrl).toBeUndefined()
    gatehouse.offer('news', { amount: 3 })
    const purchase = { return_url: 'https://site.example/news', email: 'bob@example.com' }
    const { offers, checkoutUrl } = await gate.decide({ userRef: 'bob', rid: 'news', purchase })
    expect(offers).toMatchObject([{ amount: 3, currency: 'EUR' }])
    const link = new URL(checkoutUrl as string)
    expect(link.pathname).toBe('/checkout/FakeClient/news')
    expect(Object.fromEntries(link.searchParams)).toMatchObject({ user_ref: 'bob', ...purchase })
  })

  it('offers the resource itself before a pass, a pass where nothing else is for sale, and own terms', async () => {
    const { gatehouse, gate } = setUp({ cacheRefusalsFor: 0 })
    const linkFor = async (purchase = {}) => {
      const { checkoutUrl } = await gate.decide({ userRef: 'ann', rid: 'news', purchase })
      return checkoutUrl && new URL(checkoutUrl).pathname.split('/')[3]
    }
    gatehouse.offer('news', { rid: 'pass' }, { rid: 'news' })
    expect(await linkFor()).toBe('news')
    gatehouse.offer('news', { rid: 'pass' })
    expect(await linkFor()).toBe('pass')
    expect(await linkFor({ rid: 'other' })).toBe('other')
    gatehouse.offer('news')
    expect(await linkFor()).toBeUndefined()
    expect(await linkFor({ amount: '1.00', currency: 'EUR' })).toBe('news')
  })

  it.each([undefined, null, ''])('is “anonymous” for %j, without asking', async (userRef) => {
    const { decide, asked } = setUp()
    expect(await decide(userRef)).toMatchObject({ granted: false, code: 'anonymous', offers: [] })
    expect(asked()).toBe(0)
  })

  it('takes numbers as ids of readers', async () => {
    const { gatehouse, decide } = setUp()
    gatehouse.allow('0', 'news')
    expect(await decide(0)).toMatchObject({ granted: true, userRef: '0' })
  })

  it.each(['', 'free paid', 'free\tpaid', ' free', 'free\u00a0'])(
    'about %j, which is no rid, is no, without asking: the service would take it for two',
    async (rid) => {
      const { gatehouse, decide, asked } = setUp()
      gatehouse.allow('ann', 'free')
      expect(await decide('ann', rid)).toMatchObject({ granted: false, code: 'never_granted', rid })
      expect(asked()).toBe(0)
      const question = { user_ref: 'ann', rids: ['free', rid] }
      await expect(gatehouse.checkAccess(question)).rejects.toThrow('not a rid')
    },
  )
})

describe('the cache', () => {
  it('uses a yes for 30 seconds, and a no for 5', async () => {
    const { gatehouse, decide, asked, wait } = setUp()
    gatehouse.allow('ann', 'news')
    await decide('ann')
    await decide('eve')
    expect(asked()).toBe(2)
    wait(4_999)
    await decide('ann')
    await decide('eve')
    expect(asked()).toBe(0)
    wait(1)
    await decide('eve')
    expect(asked()).toBe(1)
    wait(24_999)
    await decide('ann')
    expect(asked()).toBe(0)
    gatehouse.refuse('ann', 'news')
    expect((await decide('ann')).granted).toBe(true)
    wait(1)
    expect((await decide('ann')).granted).toBe(false)
    expect(asked()).toBe(1)
  })

  it('uses no answer past the time at which it can change by itself', async () => {
    const { gatehouse, decide, asked, wait, seconds } = setUp()
    wait(700)
    gatehouse.allow('ann', 'news', { until: seconds() + 10 })
    expect((await decide('ann')).granted).toBe(true)
    wait(8_999)
    expect((await decide('ann')).granted).toBe(true)
    expect(asked()).toBe(1)
    // The service cuts its time to whole seconds, so the end may be up to a second nearer than it looks.
    wait(1)
    expect((await decide('ann')).granted).toBe(true)
    expect(asked()).toBe(1)
    wait(300)
    expect((await decide('ann')).granted).toBe(false)
    gatehouse.refuse('bob', 'news', { code: 'not_started', next_change: seconds() + 3 })
    await decide('bob')
    asked()
    wait(2_000)
    await decide('bob')
    expect(asked()).toBe(1)
  })

  it('counts by the clock of the service, which may be another', async () => {
    let time = START
    const gatehouse = fakeGatehouse({ now: () => 5_000_000_000 })
    const gate = createGate({ gatehouse, now: () => time })
    gatehouse.allow('ann', 'news', { until: 5_000_000_011 })
    const question = { userRef: 'ann', rid: 'news' }
    await gate.decide(question)
    time += 9_999
    await gate.decide(question)
    expect(gatehouse.calls).toHaveLength(1)
    time += 1
    await gate.decide(question)
    expect(gatehouse.calls).toHaveLength(2)
  })

  it('keeps readers and resources apart', async () => {
    const { gatehouse, decide } = setUp()
    gatehouse.allow('ann', 'news')
    gatehouse.allow('1', '1:x')
    expect((await decide('ann', 'news')).granted).toBe(true)
    expect((await decide('ann', 'other')).granted).toBe(false)
    expect((await decide('ann2', 'news')).granted).toBe(false)
    expect((await decide('annn', 'ews')).granted).toBe(false)
    expect((await decide('1', '1:x')).granted).toBe(true)
    expect((await decide('11:', 'x')).granted).toBe(false)
  })

  it('is off with 0, and forgets what it is told to', async () => {
    const off = setUp({ cacheFor: 0, cacheRefusalsFor: 0 })
    await off.decide('ann')
    await off.decide('ann')
    expect(off.asked()).toBe(2)
    const { gatehouse, gate, decide } = setUp()
    await decide('ann')
    gatehouse.allow('ann', 'news')
    expect((await decide('ann')).granted).toBe(false)
    gate.forget('ann', 'news')
    expect((await decide('ann')).granted).toBe(true)
  })

  it('asks anew if it is told to, and keeps the new answer', async () => {
    const { gatehouse, gate, decide } = setUp()
    await decide('ann')
    gatehouse.allow('ann', 'news')
    const fresh = { userRef: 'ann', rid: 'news', isFresh: true }
    expect((await gate.decide(fresh)).granted).toBe(true)
    expect((await decide('ann')).granted).toBe(true)
  })

  it('holds no more than it may, and drops what was not used for longest', async () => {
    const { decide, asked } = setUp({ maxEntries: 2 })
    for (const userRef of ['ann', 'bob', 'ann', 'cid']) await decide(userRef)
    expect(asked()).toBe(3)
    await decide('ann')
    expect(asked()).toBe(0)
    await decide('bob')
    expect(asked()).toBe(1)
  })

  it('asks once for all who want the same at the same time', async () => {
    const { gatehouse, decide, asked, wait } = setUp()
    gatehouse.allow('ann', 'news')
    const all = await Promise.all(Array.from({ length: 50 }, () => decide('ann')))
    expect(all.every(({ granted }) => granted)).toBe(true)
    expect(asked()).toBe(1)
    wait(30_000)
    gatehouse.become('down')
    const stale = await Promise.all(Array.from({ length: 50 }, () => decide('ann')))
    expect(stale.every(({ granted }) => granted)).toBe(true)
    expect(asked()).toBe(1)
  })

  it('does not let a returning buyer wait for a check that began before', async () => {
    const { gatehouse, gate, decide } = setUp({ timeout: 300 })
    gatehouse.become('hanging')
    const before = decide('ann')
    await expect.poll(() => gatehouse.calls.length, { interval: 1 }).toBe(1)
    gatehouse.become('up')
    gatehouse.allow('ann', 'news')
    const fresh = { userRef: 'ann', rid: 'news', isFresh: true }
    expect((await gate.decide(fresh)).granted).toBe(true)
    await before
  })
})

describe('while the service can’t be reached', () => {
  it.each(['down', 'hanging', 'failing'] as const)(
    '(%s) known readers read on for 5 minutes, strangers are refused',
    async (state) => {
      const { gatehouse, decide, wait, errors } = setUp()
      gatehouse.allow('ann', 'news')
      await decide('ann')
      await decide('eve')
      gatehouse.become(state)
      wait(60_000)
      expect(await decide('ann')).toMatchObject({ granted: true, code: 'granted', stale: true })
      expect(await decide('eve')).toMatchObject({ granted: false, code: 'user_unknown' })
      expect(await decide('new')).toMatchObject({ granted: false, code: 'unavailable' })
      expect(errors).toHaveLength(3)
      wait(5 * 60_000 - 60_001)
      expect((await decide('ann')).granted).toBe(true)
      wait(1)
      expect(await decide('ann')).toMatchObject({ granted: false, code: 'unavailable' })
    },
  )

  it('an error is never remembered as a no', async () => {
    const { gatehouse, decide } = setUp()
    gatehouse.allow('ann', 'news')
    gatehouse.become('down')
    expect((await decide('ann')).code).toBe('unavailable')
    gatehouse.become('up')
    expect((await decide('ann')).granted).toBe(true)
  })

  it('strangers are let in if the site says so, but nobody who is known to have no access', async () => {
    const { gatehouse, decide, wait } = setUp({ whenUnavailable: 'open' })
    await decide('eve')
    gatehouse.become('down')
    wait(10_000)
    expect(await decide('new')).toMatchObject({ granted: true, code: 'unavailable' })
    expect(await decide('eve')).toMatchObject({ granted: false, code: 'user_unknown' })
    expect(await decide(undefined)).toMatchObject({ granted: false, code: 'anonymous' })
  })

  it('nobody reads past the end of their access', async () => {
    const { gatehouse, decide, wait, seconds } = setUp()
    gatehouse.allow('ann', 'news', { until: seconds() + 60 })
    await decide('ann')
    gatehouse.become('down')
    wait(58_999)
    expect((await decide('ann')).granted).toBe(true)
    wait(1_000)
    expect((await decide('ann')).granted).toBe(false)
  })

  it('a refusal that has ended by itself is not used', async () => {
    const { gatehouse, decide, wait, seconds } = setUp()
    gatehouse.refuse('ann', 'news', { code: 'not_started', next_change: seconds() + 60 })
    await decide('ann')
    gatehouse.become('down')
    wait(10_000)
    expect((await decide('ann')).code).toBe('not_started')
    wait(50_000)
    expect((await decide('ann')).code).toBe('unavailable')
  })

  it('known readers don’t wait each time: it is asked again after 5 seconds', async () => {
    const { gatehouse, decide, asked, wait } = setUp()
    gatehouse.allow('ann', 'news')
    await decide('ann')
    gatehouse.become('hanging')
    wait(60_000)
    asked()
    await decide('ann')
    expect(asked()).toBe(1)
    wait(4_999)
    expect(await decide('ann')).toMatchObject({ granted: true, stale: true })
    expect(asked()).toBe(0)
    gatehouse.become('up')
    wait(1)
    expect(await decide('ann')).toMatchObject({ granted: true, stale: false })
  })

  it('is not used as an excuse with 0', async () => {
    const { gatehouse, decide, wait } = setUp({ staleIfError: 0 })
    gatehouse.allow('ann', 'news')
    await decide('ann')
    gatehouse.become('down')
    wait(29_999)
    expect((await decide('ann')).granted).toBe(true)
    wait(1)
    expect((await decide('ann')).code).toBe('unavailable')
  })
})

describe('what is no outage', () => {
  const answering = (status: number, body: object) =>
    setUp({
      gatehouse: Object.assign(fakeGatehouse(), {
        checkAccess: () =>
          status === 401
            ? Promise.reject(
                new UnauthorizedError({ status, message: '', code: '', requestId: '' }),
              )
            : status === 404
              ? Promise.reject(new NotFoundError({ status, message: '', code: '', requestId: '' }))
              : Promise.resolve(body),
      }),
    })

  it.each([401, 404])('is thrown: %d', async (status) => {
    await expect(answering(status, {}).decide('ann')).rejects.toMatchObject({ status })
  })

  it.each([
    {},
    { now: 1, checks: [] },
    { now: 1, checks: [{ rid: 'other', granted: true, offers: [] }] },
    { now: 1, checks: [{ rid: 'news', granted: 'yes', offers: [] }] },
  ])('an answer to another question is none: %j', async (body) => {
    expect(await answering(200, body).decide('ann')).toMatchObject({
      granted: false,
      code: 'unavailable',
    })
  })
})

describe('the options of a gate', () => {
  it('are named where they are missing or wrong', () => {
    const wrong = { cacheFor: -1, staleIfError: '5', timeout: 0, whenUnavailable: 'half' }
    expect(() => createGate(wrong as never)).toThrow(OptionsError)
    expect(() => createGate(wrong as never)).toThrow(
      "gatehouse is missing; cacheFor must be a number of milliseconds, 0 or more; staleIfError must be a number of milliseconds, 0 or more; timeout must be a number above 0; whenUnavailable must be 'closed' or 'open'",
    )
    expect(() => createGate(undefined as never)).toThrow('gatehouse is missing')
  })
})
