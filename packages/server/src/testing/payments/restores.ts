import { expect } from 'vitest'
import { runDuePayments } from '../../domain/payments/orders/payment-loop.ts'
import { ProviderError } from '../../domain/payments/provider.ts'
import { reconcile } from '../../domain/payments/reconcile/reconcile.ts'
import type { RefundInput } from '../../domain/payments/refunds/orders.ts'
import type { Home, TestDatabase } from '../databases.ts'
import { seededRandom } from '../random.ts'
import { backUp, restoredHome } from '../restored.ts'
import { startTestService, type TestApplication, type TestService } from '../service.ts'
import {
  type FakeStripe,
  type Fault,
  randomFaults,
  startFakeStripe,
} from '../stripe/fake-stripe.ts'
import { buyByStripe, RENEWED, RENEWED_AFTER, sandboxSettings } from '../stripe/stripe-shop.ts'

export interface RestoreRounds {
  subscribers: number
  buyers: number
  /** How many periods pass, and so how often each subscriber is charged again. */
  periods: number
  faults: readonly Fault[]
  seed: number
}

export interface RestoreReport {
  restores: number
  /** How many of them went back by more than a period. */
  long: number
  repaired: number
  faults: number
  charges: number
  refunds: number
}

/** A backup that may be restored later. */
interface Backup {
  file: string
  period: number
}

interface Stage {
  database: TestDatabase
  fake: FakeStripe
  random: () => number
  service: TestService
  app: TestApplication
  homes: Home[]
  backups: Backup[]
  subscriptions: string[]
  refunds: Pick<RefundInput, 'paymentId' | 'amount'>[]
  report: RestoreReport
}

const SHARE_OF_FAULTS = 0.2
const MINUTES_TO_SETTLE = 8

/**
 * Renews and refunds with a failing provider, while the database is repeatedly restored to an earlier state. After a
 * restore by less than a period nothing is compared, as after a failover to a standby; after a longer one, our records
 * are first compared with the provider's, as `gatehouse resume` does. In the end every period was charged once, and
 * every refund made once.
 */
export async function restoreRounds(
  database: TestDatabase,
  rounds: RestoreRounds,
): Promise<RestoreReport> {
  const stage = await openStage(database, rounds)
  try {
    for (let period = 1; period <= rounds.periods; period++) await playPeriod(stage, rounds, period)
    stage.fake.fault = () => undefined
    await settle(stage)
    await askForRefunds(stage, stage.refunds)
    await compare(stage)
    await requireOnce(stage, rounds)
    const { charges, refunds } = stage.fake.ledger
    return { ...stage.report, charges: charges.size, refunds: refunds.size }
  } finally {
    await stage.service.stop()
    for (const home of stage.homes) await home.remove()
    await stage.fake.stop()
  }
}

async function openStage(database: TestDatabase, rounds: RestoreRounds): Promise<Stage> {
  const fake = await startFakeStripe()
  const home = await database.makeHome()
  const service = await startTestService(database, { env: sandboxSettings(fake), home })
  const app = await service.newApplication('sandbox')
  for (const rid of ['pass', 'article']) await app.addResource(rid)
  const report = { restores: 0, long: 0, repaired: 0, faults: 0, charges: 0, refunds: 0 }
  const stage: Stage = {
    ...{ database, fake, service, app, report },
    random: seededRandom(rounds.seed),
    ...{ homes: [home], backups: [], subscriptions: [], refunds: [] },
  }
  fake.ledger.now = () => stage.service.clock.now
  const buy = (input: Parameters<typeof buyByStripe>[3]) =>
    buyByStripe(envOf(stage), app.aid, fake, input)
  for (let n = 0; n < rounds.subscribers; n++) {
    const bought = await buy({ rid: 'pass', userRef: `subscriber-${n}`, terms: RENEWED })
    stage.subscriptions.push(bought.subscription_id as string)
  }
  for (let n = 0; n < rounds.buyers; n++) {
    const { payment_id } = await buy({ rid: 'article', userRef: `buyer-${n}` })
    stage.refunds.push({ paymentId: payment_id, amount: n % 2 === 0 ? 499 : 100 })
  }
  return stage
}

const envOf = ({ service }: Stage) => service.ctx.environments.sandbox

/** Lets one period pass and restores a backup in the middle of it. */
async function playPeriod(stage: Stage, rounds: RestoreRounds, period: number): Promise<void> {
  const { fake, random, report, refunds, service } = stage
  const fault = randomFaults(random, SHARE_OF_FAULTS, rounds.faults)
  fake.fault = (call) => {
    const found = fault(call)
    if (found !== undefined) report.faults++
    return found
  }
  stage.backups.push({ file: await backUp(service.ctx), period })
  service.clock.advance(RENEWED_AFTER)
  const share = Math.ceil(refunds.length / rounds.periods)
  const due = refunds.slice((period - 1) * share, period * share)
  // The restore comes in the middle of the work, or after it.
  const work = settle(stage, random() < 0.5 ? 1 : MINUTES_TO_SETTLE)
  await Promise.all([work, askForRefunds(stage, due)])
  if (random() < 0.3) fake.forgetKeys()
  await restoreOne(stage, period)
  await settle(stage)
}

/** Runs due work minute by minute, so that what failed is retried. */
async function settle(stage: Stage, minutes = MINUTES_TO_SETTLE): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    stage.service.clock.advance(60)
    while ((await runDuePayments(envOf(stage))) > 0);
  }
}

async function askForRefunds(stage: Stage, wishes: Stage['refunds']): Promise<void> {
  for (const { paymentId: payment, amount = 0 } of wishes) {
    const input = { payment, amount: (amount / 100).toFixed(2), reference: 'rounds' }
    const { status } = await stage.app.client.refundPayment(input)
    expect(status).not.toBe('failed')
  }
}

async function restoreOne(stage: Stage, period: number): Promise<void> {
  const { random, backups, report } = stage
  const back = random() < 0.4 ? 1 + Math.floor(random() * 3) : 0
  const backup = backups.findLast((one) => one.period <= period - back) ?? backups[0]
  if (!backup) return
  const isLong = backup.period < period
  await goBackTo(stage, backup)
  report.restores++
  if (!isLong) return
  report.long++
  await compare(stage)
}

async function goBackTo(stage: Stage, { file, period }: Backup): Promise<void> {
  const { database, fake, service: old } = stage
  const home = await restoredHome(database, old.home, file)
  stage.homes.push(home)
  await old.stop()
  const service = await startTestService(database, { env: sandboxSettings(fake), home })
  service.clock.now = old.clock.now
  const { sandbox } = service.ctx.environments
  stage.service = service
  stage.app = { ...stage.app, environment: sandbox, client: stage.app.clientAt(service.url) }
  // For the restored database, later backups do not exist.
  stage.backups = stage.backups.filter((one) => one.period <= period)
}

/** A comparison that fails because of the provider's faults is repeated without faults: it makes so many calls that it
 * would hardly ever finish. */
async function compare(stage: Stage): Promise<void> {
  const { fake, report } = stage
  const { fault } = fake
  const found = await reconcile(envOf(stage), {}).catch(async (error: unknown) => {
    if (!(error instanceof ProviderError)) throw error
    fake.fault = () => undefined
    return await reconcile(envOf(stage), {})
  })
  fake.fault = fault
  expect(found.open).toEqual([])
  report.repaired += found.repaired.length
}

async function requireOnce(stage: Stage, { periods }: RestoreRounds): Promise<void> {
  const { fake, service, subscriptions, refunds } = stage
  await service.requireInvariants()
  const { database } = envOf(stage)
  const payments = await database.read.selectFrom('payments').selectAll().execute()
  const taken = [...fake.ledger.charges.values()].filter(({ paid }) => paid)
  const refs = payments.filter(({ status }) => status !== 'failed').map((one) => one.provider_ref)
  expect(taken.map((one) => one.payment_intent).sort()).toEqual(refs.sort())
  for (const id of subscriptions) {
    const own = payments.filter((one) => one.subscription_id === id && one.status === 'succeeded')
    expect(own, id).toHaveLength(1 + periods)
    for (const { period_start, checkout_id } of own) {
      const charges = fake.ledger.chargesFor(id, period_start as number)
      expect(charges, `${id} ${period_start}`).toHaveLength(checkout_id === null ? 1 : 0)
    }
  }
  const made = [...fake.ledger.refunds.values()].map((one) => [one.payment_intent, one.amount])
  const refOf = new Map(payments.map((one) => [one.id, one.provider_ref]))
  const wanted = refunds.map((one) => [refOf.get(one.paymentId), one.amount])
  expect(made.sort()).toEqual(wanted.sort())
}
