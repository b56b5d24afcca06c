import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, it } from 'vitest'
import { databases } from '../testing/databases.ts'
import { startTestService } from '../testing/service.ts'

/** The garbage collector, as `--expose-gc` exposes it. */
function exposeCollector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}

describe('The garbage collector', () => {
  const collect = exposeCollector()

  it('takes nothing from a service that is at work', async () => {
    const service = await startTestService(databases[0])
    try {
      const app = await service.newApplication()
      await app.addResource('news')
      const input = (i: number) => ({ rid: 'news', email: `u${i}@example.com`, user_ref: `u${i}` })
      // A collection takes long: the process has loaded all modules of the suite.
      for (let i = 0; i < 4; i++) {
        const asking = Promise.all([
          app.client.grantAccess(input(i)),
          app.client.searchAccess({ show_expired: true }),
          app.client.hasAccess({ rid: 'news', user_ref: `u${i}` }),
        ])
        collect()
        await new Promise(setImmediate)
        collect()
        await asking
        await service.ctx.environments.production.database.snapshot(async (snapshot) => {
          collect()
          await new Promise(setImmediate)
          await snapshot.selectFrom('users').selectAll().execute()
        })
      }
      await service.requireInvariants()
    } finally {
      await service.stop()
    }
  })
})
