import { Gatehouse } from '@gatehouse/sdk'
import { describe, expect, it, vi } from 'vitest'
import { rotateKey } from '../../../domain/apps/keys.ts'
import { databases } from '../../../testing/databases.ts'
import { useAccessChecks } from '../../../testing/http/access-checks.ts'
import { RawConnection } from '../../../testing/http/raw-http.ts'
import { authorization } from '../../../testing/http/requests.ts'
import { startTestService } from '../../../testing/service.ts'

describe.each(databases)('Access checks that take the lane, on $name', (database) => {
  const { service, app, lookUps, keepKeys, check } = useAccessChecks(database)

  it('are looked up together when they arrive together', async () => {
    const refs = Array.from({ length: 20 }, (_, i) => `reader${i}`)
    await Promise.all(
      refs.map((user_ref) =>
        app.client.grantAccess({ rid: 'news', email: `${user_ref}@example.com`, user_ref }),
      ),
    )
    keepKeys()
    const inLane = lookUps()
    const found = await Promise.all(
      refs.map((user_ref) => app.client.getAccess({ rid: 'news', user_ref })),
    )
    expect(found.map((one) => one.user_ref)).toEqual(refs)
    const asked = inLane.mock.calls.map(([, keys]) => keys.length)
    expect(asked.reduce((sum, one) => sum + one, 0)).toBe(20)
    expect(asked.length).toBeLessThan(20)
  })

  it('go through the house when looking up together fails', async () => {
    await app.client.grantAccess({ rid: 'news', email: 'ann@example.com', user_ref: 'ann' })
    keepKeys()
    const inLane = lookUps().mockRejectedValueOnce(new Error('broken'))
    expect(await app.client.getAccess({ rid: 'news', user_ref: 'ann' })).toBeDefined()
    expect(inLane).toHaveBeenCalledOnce()
  })

  it('tell all who wait of an outage at once, and ask the database no more often for it', async () => {
    await check({ rid: 'news', user_ref: 'ann' })
    keepKeys()
    // On a busy machine the requests take long to arrive; the route must not take them over meanwhile.
    vi.useFakeTimers({ toFake: ['performance'] })
    const gone = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
    const ALL = 100
    const allAreThere = new Promise<void>((resolve) => {
      let count = 0
      service.app.server.on('request', () => ++count === ALL && resolve())
    })
    const inLane = lookUps().mockImplementation(async () => {
      await allAreThere
      throw gone
    })
    const house = vi.spyOn(service.ctx.environments.production.database.read, 'executeQuery')
    const answers = await Promise.all(
      Array.from({ length: ALL }, (_, i) => check({ rid: 'news', user_ref: `reader${i}` })),
    )
    for (const { status, headers } of answers) {
      expect(status).toBe(503)
      expect(headers['retry-after']).toBe('1')
    }
    expect(inLane.mock.calls.length).toBeLessThan(5)
    expect(house).not.toHaveBeenCalled()
  })

  it('still take the lane after a key was changed for another', async () => {
    await app.client.grantAccess({ rid: 'news', email: 'ann@example.com', user_ref: 'ann' })
    const { database: db, realTime } = app.environment
    const { privateKey } = await db.write((trx) =>
      rotateKey(trx, service.ctx.masterKey, app.aid, 0, realTime()),
    )
    const client = new Gatehouse({ baseUrl: app.baseUrl, aid: app.aid, privateKey })
    await client.searchAccess()
    keepKeys()
    const inLane = lookUps()
    await client.getAccess({ rid: 'news', user_ref: 'ann' })
    expect(inLane).toHaveBeenCalledOnce()
  })

  it('are answered in their order on one connection, also when they are not waited for', async () => {
    await app.client.grantAccess({ rid: 'news', email: 'ann@example.com', user_ref: 'ann' })
    const connection = await RawConnection.open(service.url)
    const refs = ['ann', 'bo', 'ann', 'ann', 'cy', 'ann']
    const requests = refs.map((ref) => {
      const target = `/r2/access?rid=news&user_ref=${ref}`
      const head = `Host: x\r\nAuthorization: ${authorization(app, 'GET', target)}\r\n`
      return `GET ${target} HTTP/1.1\r\n${head}\r\n`
    })
    await connection.write(requests.join(''))
    const statuses = []
    for (const _ of refs) statuses.push((await connection.answer())?.status)
    expect(statuses).toEqual(refs.map((ref) => (ref === 'ann' ? 200 : 404)))
    connection.close()
  })
})

describe('What the lane remembers', () => {
  it('is not asked for from the second time on while nothing is written, and again after any write', async () => {
    const service = await startTestService(databases[0])
    const app = await service.newApplication()
    await app.addResource('news')
    await app.client.grantAccess({ rid: 'news', email: 'ann@example.com', user_ref: 'ann' })
    const inLane = vi.spyOn(service.ctx.environments.production.database, 'lookUp')
    vi.spyOn(app.environment.keyring, 'refreshIfStale').mockReturnValue(undefined)
    const ask = () => app.client.getAccess({ rid: 'news', user_ref: 'ann' })
    for (let n = 0; n < 5; n++) await ask()
    expect(inLane).toHaveBeenCalledTimes(2)
    await app.addResource('more')
    await ask()
    expect(inLane).toHaveBeenCalledTimes(3)
    await service.stop()
  })
})
