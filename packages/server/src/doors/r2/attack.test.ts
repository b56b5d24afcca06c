import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { attack, fingerprint, prepareVictim } from '../../testing/attack.ts'
import type { Victim } from '../../testing/bad-requests.ts'
import { databases } from '../../testing/databases.ts'
import { startTestService, type TestApplication, type TestService } from '../../testing/service.ts'

describe.each(databases)('attacks on $name', (database) => {
  let service: TestService
  let app: TestApplication
  let victims: Victim[]

  beforeAll(async () => {
    service = await startTestService(database)
    app = await service.newApplication()
    victims = [
      await prepareVictim(app),
      await prepareVictim(await service.newApplication('sandbox')),
    ]
  })
  afterAll(async () => {
    await service.requireInvariants()
    await service.stop()
  })

  it('a thousand generated bad requests are refused, and nothing changes', async () => {
    const before = await fingerprint(service.ctx)
    const seed = Math.floor(Math.random() * 2 ** 31)
    try {
      console.log(await attack(service, victims, { count: 1_000, seed }))
    } catch (error) {
      throw new Error(`FUZZ_SEED=${seed}`, { cause: error })
    }
    expect(await fingerprint(service.ctx)).toBe(before)
  })
})
