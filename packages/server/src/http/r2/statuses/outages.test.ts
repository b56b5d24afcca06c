import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { databases } from '../../../testing/databases.ts'
import { expectFailure, expectRetryAfter, until } from '../../../testing/http/failures.ts'
import { send, sendSigned } from '../../../testing/http/requests.ts'
import { blockWrites, startCuttableProxy } from '../../../testing/postgres/faults.ts'
import { startTestService } from '../../../testing/service.ts'
import { useApplication, useService } from '../../../testing/use-service.ts'

describe.each(databases)('A write that waits on $name', (database) => {
  const service = useService(database)
  const app = useApplication(service, { resources: ['news'] })

  it('for another process stalls no read', async () => {
    const held = await blockWrites(service.installation)
    const input = { rid: 'news', email: 'late@example.com', user_ref: 'late' }
    let granted = false
    // PostgreSQL cancels the writes after some seconds, and on a busy machine the reads may take that long.
    const waiting = Promise.allSettled(
      [0, 1, 2].map(() => app.client.grantAccess(input).then(() => (granted = true))),
    )
    const slowest = await slowestOf(30, () => app.client.searchAccess({ pagesize: 1 }))
    expect(granted).toBe(false)
    // A driver that blocked our thread would have delayed the reads until the writes give up, after 15 seconds.
    expect(slowest).toBeLessThan(10_000)
    await held.release()
    await waiting
    await app.client.grantAccess(input)
    expect(await app.client.hasAccess({ rid: 'news', user_ref: 'late' })).toBe(true)
  })

  async function slowestOf(count: number, ask: () => Promise<unknown>): Promise<number> {
    let slowest = 0
    for (let i = 0; i < count; i++) {
      const start = performance.now()
      await ask()
      slowest = Math.max(slowest, performance.now() - start)
    }
    return slowest
  }
})

describe.each(databases)('A fault on $name', (database) => {
  it('of ours is a 500 that tells nothing but the request id, and leaves nothing behind', async () => {
    const service = await startTestService(database)
    try {
      const app = await service.newApplication()
      await app.addResource('news')
      const { database: db } = app.environment
      // One of the last tables that a grant writes to, after users and access.
      await db.write((trx) => sql`alter table outbox rename to gone`.execute(trx))
      const input = { rid: 'news', email: 'ann@example.com', user_ref: 'ann' }
      const response = await sendSigned(app, 'POST', '/r2/access/grant', input)
      expectFailure(response, 500, 'internal_error')
      expect(Object.keys(JSON.parse(response.text).error)).toEqual([
        'message',
        'code',
        'request_id',
      ])
      expect(JSON.parse(response.text).error.message).toBe('Something went wrong on our side.')
      expect(await db.read.selectFrom('users').selectAll().execute()).toEqual([])
      await db.write((trx) => sql`alter table gone rename to outbox`.execute(trx))
      expect((await sendSigned(app, 'POST', '/r2/access/grant', input)).status).toBe(200)
      await service.requireInvariants()
    } finally {
      await service.stop()
    }
  })
})

describe('A database that is away', () => {
  const [, postgres] = databases

  it('is a 503 with Retry-After on PostgreSQL, and all is well when it is back', async () => {
    const installation = await postgres.createMigrated()
    const proxy = await startCuttableProxy(installation.env.GATEHOUSE_DATABASE_URL as string)
    const env = { GATEHOUSE_DATABASE_URL: proxy.url }
    const service = await startTestService(postgres, { installation, env })
    try {
      const app = await service.newApplication()
      await app.addResource('news')
      const input = { rid: 'news', email: 'ann@example.com', user_ref: 'ann' }
      const first = await app.client.grantAccess(input)
      await proxy.cut()
      for (const ask of [
        () => sendSigned(app, 'GET', '/r2/access', { rid: 'news', user_ref: 'ann' }),
        () => sendSigned(app, 'POST', '/r2/access/grant', { ...input, message: 'again' }),
        () => sendSigned(app, 'POST', '/r2/access/revoke', { rid: 'news', user_ref: 'ann' }),
        () => send(service.url, '/readyz'),
      ]) {
        const response = await ask()
        expectFailure(response, 503, 'database_unavailable')
        expectRetryAfter(response, 60)
      }
      expect((await send(service.url, '/healthz')).status).toBe(200)
      await proxy.restore()
      const back = await until(
        () => sendSigned(app, 'GET', '/r2/access', { rid: 'news', user_ref: 'ann' }),
        ({ status }) => status === 200,
      )
      expect(JSON.parse(back.text)).toEqual(first)
      await service.requireInvariants()
    } finally {
      await service.stop()
      await proxy.cut()
      await installation.remove()
    }
  })
})
