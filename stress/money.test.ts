import { describe, expect, it } from 'vitest'
import { databases } from '../packages/server/src/testing/databases.ts'
import {
  playEachPair,
  purchase,
  refund,
  renewal,
  startFaultFixture,
} from '../packages/server/src/testing/payments/fault-scenarios.ts'
import { playHistories } from '../packages/server/src/testing/payments/histories.ts'
import { playRefusalHistories } from '../packages/server/src/testing/payments/refusal-histories.ts'
import { restoreRounds } from '../packages/server/src/testing/payments/restores.ts'
import { moneyRounds } from '../packages/server/src/testing/payments/rounds.ts'
import { actionsOf, openBooks } from '../packages/server/src/testing/stripe/books.ts'
import { useService } from '../packages/server/src/testing/use-service.ts'
import { seedSetting, setting } from './settings.ts'

const count = setting('MONEY_COUNT', 1_000)
const seconds = setting('MONEY_SECONDS', 240)
const kills = setting('MONEY_KILLS', 30)
const seed = seedSetting('MONEY_SEED')

const FAULTS = [
  'hang_before',
  'hang_after',
  'reset_before',
  'reset_after',
  'reset_after',
  'error_before',
  'error_after',
  'error_after',
  'rate_limited',
  'in_progress',
] as const

const trouble = { renewals: count, refunds: count, seconds, kills, faults: FAULTS, seed }

describe.each(databases)('random histories of paid access on $name', (database) => {
  const service = useService(database)
  const histories = setting('MONEY_HISTORIES', 300)

  it(`leave, ${histories} times, the access that a small model says`, async () => {
    console.info(`MONEY_HISTORIES=${histories} MONEY_SEED=${seed}`)
    await playHistories(service, { numRuns: histories, seed, checkEvery: 50 })
  })
})

describe.each(databases)(
  'a provider that fails and servers that are killed, on $name,',
  (database) => {
    it.each([
      ['one server', { processes: 1 }],
      [
        'two servers, which also stand still for 5 seconds',
        { processes: 2, pauses: Math.ceil(kills / 5) },
      ],
    ])(
      `have charged ${count} renewals and paid back ${count} refunds, each once: %s`,
      async (_, more) => {
        console.info(
          `MONEY_COUNT=${count} MONEY_SECONDS=${seconds} MONEY_KILLS=${kills} MONEY_SEED=${seed}`,
        )
        const report = await moneyRounds(database, { ...trouble, ...more })
        console.info(database.name, report)
        expect(Object.keys(report.faults).length).toBeGreaterThan(5)
      },
    )
  },
)

describe.each(databases)(
  'a provider that fails, and a database that is brought back again and again, on $name,',
  (database) => {
    const periods = 20
    const size = Math.ceil(count / periods)

    it(`have charged ${size * periods} renewals and paid back ${count} refunds, each once`, async () => {
      console.info(`MONEY_COUNT=${count} MONEY_SEED=${seed}`)
      const report = await restoreRounds(database, {
        ...{ subscribers: size, buyers: count, periods, seed },
        // Without faults that hang: this process would wait for each of them.
        faults: FAULTS.filter((fault) => !fault.startsWith('hang')),
      })
      console.info(database.name, report)
      expect(report.restores).toBe(periods)
      expect(report.long).toBeGreaterThan(0)
    })
  },
)

const histories = setting('MONEY_HISTORIES', 10_000)
/** A history looks at all records of its installation. */
const HISTORIES_EACH = 50

describe.each(databases)('a provider that refuses in every way, on $name,', (database) => {
  it(`charges and pays back nothing twice in ${histories} histories, and staff know what waits`, async () => {
    console.info(`MONEY_HISTORIES=${histories} MONEY_SEED=${seed}`)
    for (let from = 0; from < histories; from += HISTORIES_EACH) {
      const books = await openBooks(database)
      const count = Math.min(HISTORIES_EACH, histories - from)
      await playRefusalHistories({ ...books, ...actionsOf(() => books) }, { count, seed, from })
      await books.service.stop()
      await books.fake.stop()
    }
  })
})

describe('a provider that fails, and a PostgreSQL that goes away under two servers,', () => {
  it(`have charged ${count} renewals and paid back ${count} refunds, each once`, async () => {
    console.info(
      `MONEY_COUNT=${count} MONEY_SECONDS=${seconds} MONEY_KILLS=${kills} MONEY_SEED=${seed}`,
    )
    const more = { kills: Math.ceil(kills / 3), restarts: Math.ceil(kills / 2), processes: 2 }
    const report = await moneyRounds(databases[1], { ...trouble, ...more })
    console.info(report)
    expect(report.restarts).toBeGreaterThan(0)
  })
})

describe.each(databases)(
  'whichever two steps fail, before or after their effect, on $name,',
  (database) => {
    it.each([
      ['a renewal is charged once', renewal],
      ['a revoke pays back once', refund],
      ['a purchase opens one access, with one receipt', purchase],
    ])('%s', async (_, scenario) => {
      const fixture = await startFaultFixture(database)
      const pairs = await playEachPair(fixture, scenario)
      console.info(database.name, { pairs })
      expect(pairs).toBeGreaterThan(50)
      await fixture.stop()
    })
  },
)
