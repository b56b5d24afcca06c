import { describe, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import { playHistories } from '../../testing/payments/histories.ts'
import { useService } from '../../testing/use-service.ts'

describe.each(databases)('random histories of paid access on $name', (database) => {
  const service = useService(database)

  it('leave the access that a small model says', { timeout: 120_000 }, async () => {
    // `stress/money.test.ts` plays thousands.
    await playHistories(service, {
      ...{ numRuns: 6, seed: Math.floor(Math.random() * 2 ** 31), checkEvery: 1 },
    })
  })
})
