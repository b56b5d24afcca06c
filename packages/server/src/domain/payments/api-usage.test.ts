import { describe, expect, it, vi } from 'vitest'
import type { EnvironmentDatabase } from '../../db/database.ts'
import { databases } from '../../testing/databases.ts'
import { startTestService } from '../../testing/service.ts'
import { useBooks } from '../../testing/stripe/books.ts'
import { sandboxSettings } from '../../testing/stripe/stripe-shop.ts'
import { DAY } from '../../testing/time.ts'
import { createApiUsageCounter, readApiUsage } from './api-usage.ts'

describe.each(databases)('the calls to Stripe on $name', (database) => {
  const books = useBooks(database)
  const { env, fake, service, buy } = books
  const rows = () =>
    env().database.read.selectFrom('provider_calls').selectAll().orderBy('day').execute()
  const today = () => Math.floor(service.clock.now / 86_400_000)

  it('are counted by day, reads and writes apart, also those that fail', async () => {
    await buy('ann')
    fake.fault = () => 'error_before'
    await expect(env().provider?.check()).rejects.toThrow('503')
    fake.fault = () => undefined
    expect(await rows()).toEqual([])
    await env().apiUsage.flush()
    const isRead = ({ route }: { route: string }) => route.startsWith('GET')
    const reads = fake.calls.filter(isRead).length
    const writes = fake.calls.length - reads
    expect(await rows()).toEqual([{ day: today(), reads, writes }])
    expect(reads).toBeGreaterThan(1)
    expect(writes).toBeGreaterThan(0)
  })

  it('of two processes are added up', async () => {
    const [before] = await rows()
    const counters = [1, 2].map(() => createApiUsageCounter(env().database, env().realTime))
    for (const one of counters) {
      for (let call = 0; call < 50; call++) one.count('GET')
      one.count('POST')
      one.count('DELETE')
    }
    await Promise.all(counters.map((one) => one.flush()))
    expect(await rows()).toEqual([
      {
        day: today(),
        reads: Number(before?.reads) + 100,
        writes: Number(before?.writes) + 4,
      },
    ])
  })

  it('are kept while the database is down', async () => {
    const failing = { ...env().database, write: () => Promise.reject(new Error('down')) }
    const [before] = await rows()
    const database = { ...failing } as EnvironmentDatabase
    const counter = createApiUsageCounter(database, env().realTime)
    counter.count('GET')
    await counter.flush()
    counter.count('GET')
    database.write = env().database.write
    await counter.flush()
    expect(await rows()).toMatchObject([{ reads: Number(before?.reads) + 2 }])
  })

  it('are compared with 500 reads for each sale of 30 days, and 10,000 at least', async () => {
    const reads = Number((await rows())[0]?.reads)
    expect(await readApiUsage(env())).toEqual({ reads, allowed: 10_000, isHigh: false })
    const add = async (more: number) => {
      await env().database.write((trx) =>
        trx.updateTable('provider_calls').set({ reads: more }).execute(),
      )
    }
    await add(7_999)
    expect(await readApiUsage(env())).toMatchObject({ isHigh: false })
    await add(8_000)
    expect(await readApiUsage(env())).toMatchObject({ isHigh: true })
    for (let sale = 0; sale < 20; sale++) await buy(`reader-${sale}`)
    expect(await readApiUsage(env())).toMatchObject({ allowed: 10_500, isHigh: false })
    const { database, realTime, clock } = env()
    const later = {
      ...env(),
      realTime: () => realTime() + 30 * DAY * 1000,
      clock: () => clock() + 30 * DAY + 1,
    }
    expect(await readApiUsage({ ...later, database })).toEqual({
      ...{ reads: 0, allowed: 10_000, isHigh: false },
    })
  })

  it('are not limited without a provider', async () => {
    expect(await readApiUsage({ ...env(), provider: undefined })).toBeUndefined()
  })

  it('are stored when a process ends', async () => {
    const before = await rows()
    const { installation } = service
    const own = await startTestService(database, { env: sandboxSettings(fake), installation })
    own.clock.now = service.clock.now
    await own.ctx.environments.sandbox.provider?.check()
    await own.stop()
    expect(await rows()).toEqual([{ ...before[0], reads: Number(before[0]?.reads) + 1 }])
  })

  it('are stored after a minute', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const write = vi.fn(async () => {})
      const stub = { write } as unknown as EnvironmentDatabase
      const counter = createApiUsageCounter(stub, env().realTime)
      counter.count('GET')
      await vi.advanceTimersByTimeAsync(59_999)
      expect(write).not.toHaveBeenCalled()
      await vi.advanceTimersByTimeAsync(1)
      expect(write).toHaveBeenCalledOnce()
    } finally {
      vi.useRealTimers()
    }
  })
})
