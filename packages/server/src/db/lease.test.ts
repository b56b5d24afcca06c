import { describe, expect, it } from 'vitest'
import { databases } from '../testing/databases.ts'
import { useService } from '../testing/use-service.ts'
import { claimLease, releaseLease, renewLease } from './lease.ts'
import { readMeta } from './meta.ts'

describe.each(databases)('a lease on $name', (database) => {
  const service = useService(database)
  const db = () => service.ctx.environments.production.database
  const end = (name: string) => readMeta(db().read, name)
  const claim = (name: string, token: string, now: number) =>
    db().write((trx) => claimLease(trx, { name, token }, now + 10, now))
  const renew = (name: string, token: string, until: number) =>
    db().write((trx) => renewLease(trx, { name, token }, until))
  const release = (name: string, token: string) =>
    db().write((trx) => releaseLease(trx, { name, token }))

  it('is taken by one of two at once, and by the other when it has run out', async () => {
    const both = await Promise.all([claim('a', 'one', 5), claim('a', 'two', 5)])
    expect(both.sort()).toEqual([false, true])
    expect(await claim('a', 'three', 14)).toBe(false)
    expect(await claim('a', 'three', 15)).toBe(true)
    expect(await end('a')).toBe('25')
  })

  it('is renewed and released by its holder alone', async () => {
    expect(await renew('b', 'one', 20)).toBe(false)
    await claim('b', 'one', 5)
    expect(await renew('b', 'one', 20)).toBe(true)
    expect(await renew('b', 'two', 30)).toBe(false)
    await release('b', 'two')
    expect(await end('b')).toBe('20')
    await release('b', 'one')
    expect(await end('b')).toBe('0')
  })

  it('is not taken back by a renewal that comes after its release', async () => {
    await claim('c', 'one', 5)
    await release('c', 'one')
    expect(await renew('c', 'one', 20)).toBe(false)
    expect(await claim('c', 'two', 6)).toBe(true)
  })
})
