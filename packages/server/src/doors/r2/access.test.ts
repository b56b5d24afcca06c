import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { startTestService, type TestApplication, type TestService } from '../../testing/service.ts'

describe.each(databases)('GET /r2/access on $name', (database) => {
  let service: TestService
  let app: TestApplication

  beforeAll(async () => {
    service = await startTestService(database)
    app = await service.newApplication()
    await app.addResource('news')
  })
  afterAll(async () => {
    await service.requireInvariants()
    await service.stop()
  })

  it('answers with the record of a live access', async () => {
    const granted = await app.client.grantAccess({
      rid: 'news',
      email: 'Ann@example.com',
      user_ref: 'ann',
      expiration: service.clock.now / 1000 + 60,
    })
    expect(await app.client.getAccess({ rid: 'news', user_ref: 'ann' })).toEqual(granted)
    expect(granted).toEqual({
      id: expect.stringMatching(/^[A-Za-z0-9]{16}$/),
      aid: app.aid,
      rid: 'news',
      uid: expect.stringMatching(/^[A-Za-z0-9]{20}$/),
      amount: 0,
      currency: 'USD',
      created: service.clock.now / 1000,
      expires: service.clock.now / 1000 + 60,
      user_ref: 'ann',
      user_email: 'Ann@example.com',
      tags: [],
    })
  })
})
