import { describe, expect, it } from 'vitest'
import { START, setUpGate } from '../../../server/src/testing/sdk/gate.ts'
import { createGate } from '../index.ts'
import { fakeGatehouse } from '../testing.ts'

describe('the cache', () => {
  it('uses a yes for 30 seconds, and a no for 5', async () => {
    const { gatehouse, decide, asked, wait } = setUpGate()
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
    const { gatehouse, decide, asked, wait, seconds } = setUpGate()
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
    const { gatehouse, decide } = setUpGate()
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
    const off = setUpGate({ cacheFor: 0, cacheRefusalsFor: 0 })
    await off.decide('ann')
    await off.decide('ann')
    expect(off.asked()).toBe(2)
    const { gatehouse, gate, decide } = setUpGate()
    await decide('ann')
    gatehouse.allow('ann', 'news')
    expect((await decide('ann')).granted).toBe(false)
    gate.forget('ann', 'news')
    expect((await decide('ann')).granted).toBe(true)
  })

  it('asks anew if it is told to, and keeps the new answer', async () => {
    const { gatehouse, gate, decide } = setUpGate()
    await decide('ann')
    gatehouse.allow('ann', 'news')
    const fresh = { userRef: 'ann', rid: 'news', isFresh: true }
    expect((await gate.decide(fresh)).granted).toBe(true)
    expect((await decide('ann')).granted).toBe(true)
  })

  it('holds no more than it may, and drops what was not used for longest', async () => {
    const { decide, asked } = setUpGate({ maxEntries: 2 })
    for (const userRef of ['ann', 'bob', 'ann', 'cid']) await decide(userRef)
    expect(asked()).toBe(3)
    await decide('ann')
    expect(asked()).toBe(0)
    await decide('bob')
    expect(asked()).toBe(1)
  })

  it('asks once for all who want the same at the same time', async () => {
    const { gatehouse, decide, asked, wait } = setUpGate()
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
    const { gatehouse, gate, decide } = setUpGate({ timeout: 300 })
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
