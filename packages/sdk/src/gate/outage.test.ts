import { describe, expect, it } from 'vitest'
import { setUpGate } from '../../../server/src/testing/sdk/gate.ts'
import { NotFoundError, UnauthorizedError } from '../index.ts'
import { fakeGatehouse } from '../testing.ts'

describe('while the service can’t be reached', () => {
  it.each(['down', 'hanging', 'failing'] as const)(
    '(%s) known readers read on for 5 minutes, strangers are refused',
    async (state) => {
      const { gatehouse, decide, wait, errors } = setUpGate()
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
    const { gatehouse, decide } = setUpGate()
    gatehouse.allow('ann', 'news')
    gatehouse.become('down')
    expect((await decide('ann')).code).toBe('unavailable')
    gatehouse.become('up')
    expect((await decide('ann')).granted).toBe(true)
  })

  it('strangers are let in if the site says so, but nobody who is known to have no access', async () => {
    const { gatehouse, decide, wait } = setUpGate({ whenUnavailable: 'open' })
    await decide('eve')
    gatehouse.become('down')
    wait(10_000)
    expect(await decide('new')).toMatchObject({ granted: true, code: 'unavailable' })
    expect(await decide('eve')).toMatchObject({ granted: false, code: 'user_unknown' })
    expect(await decide(undefined)).toMatchObject({ granted: false, code: 'anonymous' })
  })

  it('nobody reads past the end of their access', async () => {
    const { gatehouse, decide, wait, seconds } = setUpGate()
    gatehouse.allow('ann', 'news', { until: seconds() + 60 })
    await decide('ann')
    gatehouse.become('down')
    wait(58_999)
    expect((await decide('ann')).granted).toBe(true)
    wait(1_000)
    expect((await decide('ann')).granted).toBe(false)
  })

  it('a refusal that has ended by itself is not used', async () => {
    const { gatehouse, decide, wait, seconds } = setUpGate()
    gatehouse.refuse('ann', 'news', { code: 'not_started', next_change: seconds() + 60 })
    await decide('ann')
    gatehouse.become('down')
    wait(10_000)
    expect((await decide('ann')).code).toBe('not_started')
    wait(50_000)
    expect((await decide('ann')).code).toBe('unavailable')
  })

  it('known readers don’t wait each time: it is asked again after 5 seconds', async () => {
    const { gatehouse, decide, asked, wait } = setUpGate()
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
    const { gatehouse, decide, wait } = setUpGate({ staleIfError: 0 })
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
    setUpGate({
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
