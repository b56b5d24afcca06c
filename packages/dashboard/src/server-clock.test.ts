import { afterEach, describe, expect, it, vi } from 'vitest'
import { noteResponseTime, noteServerTime, serverTime } from './server-clock.ts'

const NOW = Date.UTC(2027, 2, 3, 9)

describe('the clock of the server', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  const respondAt = (environment: string, time: number) =>
    noteResponseTime(new Headers({ 'gatehouse-time': `${environment} ${time}` }))

  it.each([-600_000, 0, 600_000])('counts, not that of a browser that is %i ms off', (error) => {
    vi.useFakeTimers({ now: NOW + error })
    respondAt('production', NOW)
    expect(serverTime('production')).toBe(NOW)
    // Something that is done 21 seconds later is not in the future.
    vi.advanceTimersByTime(21_000)
    respondAt('production', NOW + 21_000)
    expect(serverTime('production')).toBe(NOW + 21_000)
  })

  it('is another one in the sandbox, and follows when that is advanced', () => {
    vi.useFakeTimers({ now: NOW })
    noteServerTime('production', NOW)
    respondAt('sandbox', NOW + 86_400_000)
    expect([serverTime('production'), serverTime('sandbox')]).toEqual([NOW, NOW + 86_400_000])
    respondAt('sandbox', NOW + 2 * 86_400_000)
    expect([serverTime('production'), serverTime('sandbox')]).toEqual([NOW, NOW + 2 * 86_400_000])
  })

  it('is not moved by a response without the header, or by a delay of the network', () => {
    vi.useFakeTimers({ now: NOW })
    respondAt('production', NOW)
    noteResponseTime(new Headers())
    respondAt('elsewhere', 0)
    respondAt('production', NOW - 900)
    expect(serverTime('production')).toBe(NOW)
  })
})
