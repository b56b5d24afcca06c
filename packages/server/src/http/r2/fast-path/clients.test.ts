import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createApp } from '../../../app.ts'
import { createLogger } from '../../../logging/logger.ts'
import { databases } from '../../../testing/databases.ts'
import { useAccessChecks } from '../../../testing/http/access-checks.ts'
import { RawConnection, sendRaw, signedBytes } from '../../../testing/http/raw-http.ts'

const TARGET = '/r2/access?rid=news&user_ref=ann'

describe.each(databases)('Access checks that take the fast path, on $name', (database) => {
  const { service, app, lookUps, keepKeys, check } = useAccessChecks(database)

  it('of clients that disconnect before the answer harm nobody', async () => {
    const { server } = service.app
    const connections = () => promisify(server.getConnections).call(server)
    await app.client.grantAccess({ rid: 'news', email: 'ann@example.com', user_ref: 'ann' })
    keepKeys()
    const { lookUp } = app.environment.database
    let answer = () => {}
    const asked = lookUps().mockImplementationOnce(async (...keys) => {
      await new Promise<void>((resolve) => {
        answer = resolve
      })
      return await lookUp(...keys)
    })
    const before = await connections()
    const connection = await RawConnection.open(service.url)
    await connection.write(signedBytes(app, { target: TARGET }))
    await expect.poll(() => asked.mock.calls.length).toBe(1)
    connection.close()
    await expect.poll(connections).toBeLessThanOrEqual(before)
    answer()
    await setImmediate()
    expect((await check({ rid: 'news', user_ref: 'ann' })).status).toBe(200)
  })

  it.each(['draining', 'retiring'] as const)(
    'close their connection while the process is %s',
    async (state) => {
      await app.client.grantAccess({ rid: 'news', email: 'ann@example.com', user_ref: 'ann' })
      keepKeys()
      const lifecycle = { state, isAccepting: false }
      const other = await createApp(service.ctx, createLogger('silent'), lifecycle)
      const url = await other.listen({ host: '127.0.0.1', port: 0 })
      const asked = lookUps()
      const response = await sendRaw(url, signedBytes(app, { target: TARGET }))
      expect(response?.status).toBe(200)
      expect(response?.headers.get('connection')).toBe('close')
      // A process that was told to stop leaves checks to the route.
      expect(asked.mock.calls.length).toBe(state === 'draining' ? 0 : 1)
      other.server.closeAllConnections()
      await promisify(other.server.close).call(other.server)
    },
  )
})
