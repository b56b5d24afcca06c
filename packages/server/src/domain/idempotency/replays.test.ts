import { describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { seededRandom } from '../../testing/random.ts'
import { captureWrites, readEffects, replayWrites, sendTogether } from '../../testing/replays.ts'
import { useFreshShop, useService } from '../../testing/use-service.ts'
import { changeSettings } from '../apps/applications.ts'

const count = 40
const times = 3
const seed = Math.floor(Math.random() * 2 ** 31)

/** Two services on one database. `stress/replays.test.ts` does the same at full size, with two processes. */
describe.each(databases)(`Captured writes on $name, seed ${seed}`, (database) => {
  const service = useService(database)
  const second = useService(database, () => ({ installation: service.installation }))
  const shop = useFreshShop(service, 'article')
  const urls = () => [service.url, second.url]

  const requireTs = async () => {
    const { database: own } = shop.environment
    await own.write((trx) => changeSettings(trx, shop.aid, { require_ts: 1 }, 0, 'test'))
    for (const { ctx } of [service, second]) await ctx.environments.sandbox.keyring.refresh()
  }

  it.each([
    ['with keys get their stored answers', (n: number) => ({ idempotency_key: `key ${n}` })],
    ['with times alone are refused if the application requires them', undefined],
  ])('%s, and nothing happens twice', async (_, withKeys) => {
    if (!withKeys) await requireTs()
    const added = withKeys ?? (() => ({ ts: service.clock.seconds }))
    const captured = await captureWrites(shop, urls(), { count, added })
    const before = await readEffects(shop.environment.database.read)
    const replay = { times, random: seededRandom(seed) }
    const tally = await replayWrites(captured, urls(), replay)
    const kind = withKeys ? 'the stored answer' : '402 request_replayed'
    expect(tally).toEqual({ [kind]: count * times })
    expect(await readEffects(shop.environment.database.read)).toEqual(before)
  })

  it('that are sent at once to two processes take effect once, and have one answer', async () => {
    const { writes } = await sendTogether(shop, urls(), { count: 12, copies: 4 })
    expect(writes).toBeGreaterThanOrEqual(12)
  })

  it('without either would happen again', async () => {
    const captured = await captureWrites(shop, urls(), { count: 8, added: () => ({}) })
    const before = await readEffects(shop.environment.database.read)
    await replayWrites(captured, urls(), { times: 1, random: seededRandom(seed) })
    expect(await readEffects(shop.environment.database.read)).not.toEqual(before)
  })
})
