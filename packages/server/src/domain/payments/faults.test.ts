import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases } from '../../testing/databases.ts'
import {
  type FaultFixture,
  playEachPoint,
  purchase,
  refund,
  renewal,
  startFaultFixture,
} from '../../testing/payments/fault-scenarios.ts'
import { restoreRounds } from '../../testing/payments/restores.ts'
import { moneyRounds } from '../../testing/payments/rounds.ts'

const seed = Number(process.env.MONEY_SEED ?? Math.floor(Math.random() * 2 ** 31))

describe.each(databases)('a service that is killed, on $name,', (database) => {
  it('has charged and paid back once, whatever the provider did', { timeout: 90_000 }, async () => {
    console.info(`MONEY_SEED=${seed}`)
    const { kills, charges, refunds } = await moneyRounds(database, {
      // `npm run stress money` plays 1,000 of each.
      renewals: 8,
      refunds: 8,
      seconds: 1,
      kills: 1,
      faults: ['reset_before', 'reset_after', 'error_before', 'error_after', 'in_progress'],
      seed,
      skipPauses: true,
    })
    expect(kills).toBeGreaterThan(0)
    expect(charges).toBeGreaterThanOrEqual(24)
    expect(refunds).toBeGreaterThanOrEqual(8)
  })
})

describe.each(databases)(
  'a database that is brought back again and again, on $name,',
  (database) => {
    it('has charged every period once, and paid back once', { timeout: 120_000 }, async () => {
      console.info(`MONEY_SEED=${seed}`)
      const { restores, faults } = await restoreRounds(database, {
        ...{ subscribers: 3, buyers: 3, periods: 3, seed },
        faults: ['reset_before', 'reset_after', 'error_before', 'error_after', 'in_progress'],
      })
      expect(restores).toBe(3)
      expect(faults).toBeGreaterThan(0)
    })
  },
)

describe.each(databases)(
  'whichever step fails, before or after its effect, on $name,',
  (database) => {
    let fixture: FaultFixture
    beforeAll(async () => {
      fixture = await startFaultFixture(database)
    })
    afterAll(() => fixture.stop())

    it('a renewal is charged once', async () => {
      expect(await playEachPoint(fixture, renewal)).toBeGreaterThanOrEqual(4)
    })

    it('a revoke pays back once', async () => {
      expect(await playEachPoint(fixture, refund)).toBeGreaterThanOrEqual(4)
    })

    it('a purchase opens one access, with one receipt', async () => {
      expect(await playEachPoint(fixture, purchase)).toBeGreaterThanOrEqual(5)
    })
  },
)
