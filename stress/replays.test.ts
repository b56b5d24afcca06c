import { describe, expect, it } from 'vitest'
import { changeSettings } from '../packages/server/src/domain/apps/applications.ts'
import { databases, type TestDatabase } from '../packages/server/src/testing/databases.ts'
import { openShop, type Shop } from '../packages/server/src/testing/payments/shop.ts'
import { ServerGroup } from '../packages/server/src/testing/processes/server-group.ts'
import { seededRandom } from '../packages/server/src/testing/random.ts'
import {
  captureWrites,
  readEffects,
  replayWrites,
  sendTogether,
} from '../packages/server/src/testing/replays.ts'
import { startTestService } from '../packages/server/src/testing/service.ts'
import { seedSetting, setting } from './settings.ts'

const count = setting('REPLAY_WRITES', 1_000)
const times = setting('REPLAY_TIMES', 10)
const seed = seedSetting('REPLAY_SEED')

interface Setup {
  processes: number
  env?: Record<string, string>
}

/** Plays with a shop that real processes serve at these URLs; then all invariants must hold. */
async function withShop(
  database: TestDatabase,
  { processes, env }: Setup,
  play: (shop: Shop, urls: readonly string[]) => Promise<void>,
): Promise<void> {
  const installation = await database.createMigrated()
  const servers = new ServerGroup({ ...installation.env, ...env }, { count: processes })
  try {
    await servers.start()
    const service = await startTestService(database, {
      ...{ installation, useRealTime: true, servedAt: servers.urls[0] as string },
    })
    const shop = await openShop(service)
    await shop.addResource('article')
    await play(shop, servers.urls)
    await service.requireInvariants()
    await service.stop()
    await servers.stop()
  } finally {
    await servers.end()
    await installation.remove()
  }
}

describe.each(databases)(
  `${count} captured writes, replayed ${times} times at two processes on $name`,
  (database) => {
    it.each([
      ['with keys', true],
      ['with times that the application requires, without keys', false],
    ])('%s: nothing happens twice', async (_, hasKeys) => {
      console.info(`REPLAY_WRITES=${count} REPLAY_TIMES=${times} REPLAY_SEED=${seed}`)
      await withShop(database, { processes: 2 }, async (shop, urls) => {
        const { database: own } = shop.environment
        const require_ts = hasKeys ? 0 : 1
        await own.write((trx) => changeSettings(trx, shop.aid, { require_ts }, 0, 'test'))
        const added = hasKeys
          ? (n: number) => ({ idempotency_key: `key ${n}` })
          : () => ({ ts: Math.floor(Date.now() / 1000) })
        const captured = await captureWrites(shop, urls, { count, added })
        const before = await readEffects(own.read)
        const replay = { times, random: seededRandom(seed) }
        const tally = await replayWrites(captured, urls, replay)
        console.info(database.name, tally)
        expect(await readEffects(own.read)).toEqual(before)
        const replayed = (tally['the stored answer'] ?? 0) + (tally['402 request_replayed'] ?? 0)
        // A slow machine replays some only when their time is too old.
        expect(replayed + (tally['402 ts_out_of_range'] ?? 0)).toBe(count * times)
        expect(replayed).toBeGreaterThan(0)
      })
    })
  },
)

describe.each(databases)(
  'writes that are sent four times at once, at two processes or two workers, on $name',
  (database) => {
    it(`take effect once, and have one answer, ${count} times`, async () => {
      console.info(`REPLAY_WRITES=${count}`)
      const isShared = database.engine === 'postgres'
      const setup = isShared ? { processes: 2 } : { processes: 1, env: { GATEHOUSE_WORKERS: '2' } }
      await withShop(database, setup, async (shop, urls) => {
        console.info(database.name, await sendTogether(shop, urls, { count, copies: 4 }))
      })
    })
  },
)
