import { describe, expect, it } from 'vitest'
import { findViolations } from '../packages/server/src/db/invariants/invariants.ts'
import { createResource } from '../packages/server/src/domain/resources/resources.ts'
import { databases, type TestInstallation } from '../packages/server/src/testing/databases.ts'
import { createApplicationIn, withContext } from '../packages/server/src/testing/installations.ts'
import { newProgram } from '../packages/server/src/testing/management.ts'
import {
  ARTICLE,
  createPaymentFixture,
} from '../packages/server/src/testing/payments/payment-fixture.ts'
import { ServerGroup } from '../packages/server/src/testing/processes/server-group.ts'
import { seededRandom } from '../packages/server/src/testing/random.ts'
import { startFakeStripe } from '../packages/server/src/testing/stripe/fake-stripe.ts'
import { sandboxSettings } from '../packages/server/src/testing/stripe/stripe-shop.ts'
import { exportAllTheTime } from './races/exports.ts'
import { openConnections, race } from './races/hot-record.ts'
import { PASS, passChanges } from './races/passes.ts'
import { isSerial } from './races/serial.ts'
import { findStaleAnswers, grantsAndRevokes } from './races/stale.ts'
import { seedSetting, setting } from './settings.ts'

const changes = setting('RACE_CHANGES', 5_000)
const records = setting('RACE_RECORDS', 500)
const seed = seedSetting('RACE_SEED')

async function withTwoServers<T>(
  installation: TestInstallation,
  more: Record<string, string>,
  work: (urls: string[]) => Promise<T>,
): Promise<T> {
  const service = new ServerGroup({ ...installation.env, ...more }, { count: 2 })
  try {
    await service.start()
    const result = await work(service.urls)
    await service.stop()
    return result
  } finally {
    await service.end()
  }
}

const requireSound = (installation: TestInstallation, environment: 'production' | 'sandbox') =>
  withContext(installation, async ({ environments }) => {
    const { database, clock } = environments[environment]
    expect(await findViolations(database.read, clock())).toEqual([])
  })

describe('answers of one record', () => {
  const at = (began: number, ended: number) => ({ began, ended })
  const revoke = { kind: 'revoke', refund: true } as const

  it('fit an order, or are found not to', () => {
    const paidBack = { ...revoke, ...at(0, 5), id: 'a', refunds: 1 }
    const notFound = { kind: 'check', id: undefined } as const
    expect(isSerial('a', [paidBack, { ...notFound, ...at(1, 2) }])).toBe(true)
    expect(isSerial('a', [{ ...notFound, ...at(-2, -1) }, paidBack])).toBe(false)
    expect(isSerial('a', [paidBack, { kind: 'check', id: 'a', ...at(6, 7) }])).toBe(false)
    expect(isSerial('a', [paidBack, { ...paidBack, ...at(1, 2) }])).toBe(false)
    expect(isSerial('a', [paidBack, { kind: 'grant', id: 'b', ...at(1, 2) }])).toBe(true)
    expect(isSerial('a', [paidBack, { kind: 'grant', id: 'a', ...at(6, 7) }])).toBe(false)
  })
})

describe.each(databases)('two servers on $name', (database) => {
  it(`never answer with what was before, ${changes} times, also while an export is written`, async () => {
    console.info(`RACE_CHANGES=${changes} RACE_SEED=${seed}`)
    const installation = await database.createEmpty()
    const app = await createApplicationIn(installation)
    const exports = exportAllTheTime(installation, app)
    const report = await withTwoServers(installation, {}, (urls) =>
      findStaleAnswers(urls, app, {
        changes: grantsAndRevokes(app, changes),
        random: seededRandom(seed),
      }),
    )
    console.info(database.name, { ...report, exports: await exports.stop() })
    await requireSound(installation, 'production')
    await installation.remove()
  })

  it(`see a changed pass at once, wherever it was changed, ${changes} times`, async () => {
    console.info(`RACE_CHANGES=${changes} RACE_SEED=${seed}`)
    const random = seededRandom(seed)
    const installation = await database.createEmpty()
    const app = await createApplicationIn(installation)
    const { token } = await withContext(installation, async (ctx) => {
      const { database, clock } = ctx.environments.production
      const resource = { aid: app.aid, rid: PASS, name: 'Gold', url: '' }
      await database.write((trx) => createResource(trx, resource, clock(), 'test'))
      return await newProgram({ ctx, url: '' }, 'developer')
    })
    const report = await withTwoServers(installation, {}, (urls) =>
      findStaleAnswers(urls, app, {
        changes: passChanges(app, { count: changes, token, random }),
        random,
      }),
    )
    console.info(database.name, report)
    expect(report.sure).toBeGreaterThan(changes)
    await requireSound(installation, 'production')
    await installation.remove()
  })

  it(`answer all that is asked of one of ${records} records at once as if it was asked in turn, and pay back once`, async () => {
    console.info(`RACE_RECORDS=${records} RACE_SEED=${seed}`)
    const random = seededRandom(seed)
    const fake = await startFakeStripe()
    const installation = await database.createEmpty()
    const settings = sandboxSettings(fake)
    const size = { renewals: 0, refunds: records, within: 1 }
    const fixture = await createPaymentFixture({ ...installation.env, ...settings }, fake, size)
    let refunds = 0
    await withTwoServers(installation, settings, async (urls) => {
      const lines = await openConnections(urls)
      for (const { userRef, paymentId } of fixture.buyers) {
        const paid = await race(lines, fixture, { rid: ARTICLE, userRef }, random)
        expect(paid, paymentId).toBeLessThanOrEqual(1)
        refunds += paid
      }
      for (const line of lines) line.close()
    })
    console.info(database.name, { records, refunds })
    expect(refunds).toBeGreaterThan(0)
    expect(fake.ledger.refunds.size).toBe(refunds)
    await requireSound(installation, 'sandbox')
    await fake.stop()
    await installation.remove()
  })
})
