import { describe, expect, it } from 'vitest'
import { entryPointDatabases } from '../../../testing/databases.ts'
import { expectFailure, expectRetryAfter, until } from '../../../testing/http/failures.ts'
import { sendSigned } from '../../../testing/http/requests.ts'
import { blockWrites } from '../../../testing/postgres/faults.ts'
import { startTestService } from '../../../testing/service.ts'

describe.each(entryPointDatabases)('Limits on $name', (database) => {
  it('of one application: 429 with Retry-After, and no other application is held up', async () => {
    const service = await startTestService(database, {
      env: { GATEHOUSE_LIMIT_PER_APPLICATION: '3' },
    })
    try {
      const [app, other] = [await service.newApplication(), await service.newApplication()]
      for (let i = 0; i < 3; i++)
        expect((await sendSigned(app, 'GET', '/r2/access/search')).status).toBe(200)
      const over = await sendSigned(app, 'GET', '/r2/access/search')
      expectFailure(over, 429, 'too_many_requests')
      expectRetryAfter(over, 60)
      // Requests with a wrong signature don't count toward the limit of the AID that they name.
      const forger = { ...other, privateKey: 'x'.repeat(40) }
      for (let i = 0; i < 5; i++) await sendSigned(forger, 'GET', '/r2/access/search')
      expect((await sendSigned(other, 'GET', '/r2/access/search')).status).toBe(200)
    } finally {
      await service.stop()
    }
  })

  it('of one address: 429 with Retry-After, told apart behind a trusted proxy', async () => {
    const env = { GATEHOUSE_LIMIT_PER_ADDRESS: '3', GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1' }
    const service = await startTestService(database, { env })
    try {
      const app = await service.newApplication()
      const from = (address: string) =>
        sendSigned(app, 'GET', '/r2/access/search', {}, { headers: { 'x-forwarded-for': address } })
      for (let i = 0; i < 3; i++) expect((await from('192.0.2.1')).status).toBe(200)
      const over = await from('192.0.2.1')
      expectFailure(over, 429, 'too_many_requests')
      expectRetryAfter(over, 60)
      expect((await from('192.0.2.2')).status).toBe(200)
    } finally {
      await service.stop()
    }
  })

  it('of requests in flight: 503 with Retry-After, and none is lost or left behind', async () => {
    const service = await startTestService(database, { env: { GATEHOUSE_LIMIT_IN_FLIGHT: '2' } })
    try {
      const app = await service.newApplication()
      await app.addResource('news')
      const held = await blockWrites(service.installation)
      const search = () => sendSigned(app, 'GET', '/r2/access/search')
      const waiting = [1, 2].map((i) => {
        const input = { rid: 'news', email: `u${i}@example.com` }
        // The search below may have used up the limit of requests in flight, so the grant is retried.
        return until(
          () => sendSigned(app, 'POST', '/r2/access/grant', input),
          ({ status }) => status !== 503,
        )
      })
      const over = await until(search, ({ status }) => status === 503)
      await held.release()
      expectFailure(over, 503, 'overloaded')
      expectRetryAfter(over, 60)
      for (const { status } of await Promise.all(waiting)) expect(status).toBe(200)
      const after = await until(search, ({ status }) => status === 200)
      expect(JSON.parse(after.text).total).toBe(2)
      await service.requireInvariants()
    } finally {
      await service.stop()
    }
  })
})
