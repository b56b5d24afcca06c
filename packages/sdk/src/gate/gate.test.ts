import { describe, expect, it } from 'vitest'
import { setUpGate } from '../../../server/src/testing/sdk/gate.ts'
import { createGate, OptionsError } from '../index.ts'

describe('a decision', () => {
  it('is yes with its reason, its end and its pass', async () => {
    const { gatehouse, decide, seconds } = setUpGate()
    const until = seconds() + 3600
    gatehouse.allow('ann', 'news', { code: 'subscribed', until, via: 'all' })
    expect(await decide('ann')).toEqual({
      ...{ granted: true, code: 'subscribed', rid: 'news', userRef: 'ann', until, via: 'all' },
      ...{ offers: [], checkoutUrl: undefined, since: undefined, stale: false },
    })
  })

  it('is no with its reason, and with a purchase link where something is offered', async () => {
    const { gatehouse, gate, decide } = setUpGate()
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
    const { gatehouse, gate } = setUpGate({ cacheRefusalsFor: 0 })
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
    const { decide, asked } = setUpGate()
    expect(await decide(userRef)).toMatchObject({ granted: false, code: 'anonymous', offers: [] })
    expect(asked()).toBe(0)
  })

  it('takes numbers as ids of readers', async () => {
    const { gatehouse, decide } = setUpGate()
    gatehouse.allow('0', 'news')
    expect(await decide(0)).toMatchObject({ granted: true, userRef: '0' })
  })

  it.each(['', 'free paid', 'free\tpaid', ' free', 'free\u00a0'])(
    'about %j, which is no rid, is no, without asking: the service would take it for two',
    async (rid) => {
      const { gatehouse, decide, asked } = setUpGate()
      gatehouse.allow('ann', 'free')
      expect(await decide('ann', rid)).toMatchObject({ granted: false, code: 'never_granted', rid })
      expect(asked()).toBe(0)
      const question = { user_ref: 'ann', rids: ['free', rid] }
      await expect(gatehouse.checkAccess(question)).rejects.toThrow('not a rid')
    },
  )
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
