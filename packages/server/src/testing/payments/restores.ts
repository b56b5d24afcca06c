import { expect } from 'vitest'
import { hasPendingOrders } from '../../domain/payments/orders/orders.ts'
import { runDuePayments } from '../../domain/payments/orders/payment-loop.ts'
import { ProviderError } from '../../domain/payments/provider-error.ts'
import { reconcile } from '../../domain/payments/reconcile/reconcile.ts'
import type { RefundInput } from '../../domain/payments/refunds/orders.ts'
import type { TestDatabase, TestInstallation } from '../databases.ts'
import { seededRandom } from '../random.ts'
import { backUp, restoreInstallation } from '../restores/restore.ts'
import { startTestService, type TestApplication, type TestService } from '../service.ts'
import {
  type FakeStripe,
  type Fault,
  randomFaults,
  startFakeStripe,
} from '../stripe/fake-stripe.ts'
import {
  buyWithStripe,
  RENEWAL_PERIOD_S,
  RENEWING_TERMS,
  sandboxSettings,
} from '../stripe/stripe-shop.ts'

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

interface RestoreContext {
  database: TestDatabase
  fake: FakeStripe
  random: () => number
  service: TestService
  app: TestApplication
  installations: TestInstallation[]
  backups: Backup[]
  subscriptions: string[]
  refunds: Pick<RefundInput, 'paymentId' | 'amount'>[]
  report: RestoreReport
}

const FAULT_RATE = 0.2
const MINUTES_TO_SETTLE = 8
/** Maximum time until the provider has answered every order. Each is tried once a minute, and about every second attempt
 * fails. */
const MAX_MINUTES_TO_ANSWER = 30

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
  const system = await openContext(database, rounds)
  try {
    for (let period = 1; period <= rounds.periods; period++)
      await playPeriod(system, rounds, period)
    system.fake.fault = () => undefined
    await settle(system)
    await requestRefunds(system, system.refunds)
    await reconcileAll(system)
    await requireChargedOnce(system, rounds)
    const { charges, refunds } = system.fake.ledger
    return { ...system.report, charges: charges.size, refunds: refunds.size }
  } finally {
    await system.service.stop()
    for (const installation of system.installations) await installation.remove()
    await system.fake.stop()
  }
}

async function openContext(database: TestDatabase, rounds: RestoreRounds): Promise<RestoreContext> {
  const fake = await startFakeStripe()
  const installation = await database.createMigrated()
  const service = await startTestService(database, { env: sandboxSettings(fake), installation })
  const app = await service.newApplication('sandbox')
  for (const rid of ['pass', 'article']) await app.addResource(rid)
  const report = { restores: 0, long: 0, repaired: 0, faults: 0, charges: 0, refunds: 0 }
  const system: RestoreContext = {
    ...{ database, fake, service, app, report },
    random: seededRandom(rounds.seed),
    ...{ installations: [installation], backups: [], subscriptions: [], refunds: [] },
  }
  fake.ledger.now = () => system.service.clock.now
  const buy = (input: Parameters<typeof buyWithStripe>[3]) =>
    buyWithStripe(envOf(system), app.aid, fake, input)
  for (let n = 0; n < rounds.subscribers; n++) {
    const bought = await buy({ rid: 'pass', userRef: `subscriber-${n}`, terms: RENEWING_TERMS })
    system.subscriptions.push(bought.subscription_id as string)
  }
  for (let n = 0; n < rounds.buyers; n++) {
    const { payment_id } = await buy({ rid: 'article', userRef: `buyer-${n}` })
    system.refunds.push({ paymentId: payment_id, amount: n % 2 === 0 ? 499 : 100 })
  }
  return system
}

const envOf = ({ service }: RestoreContext) => service.ctx.environments.sandbox

/** Lets one period pass and restores a backup in the middle of it. */
async function playPeriod(
  system: RestoreContext,
  rounds: RestoreRounds,
  period: number,
): Promise<void> {
  const { fake, random, report, refunds, service } = system
  const fault = randomFaults(random, FAULT_RATE, rounds.faults)
  fake.fault = (call) => {
    const found = fault(call)
    if (found !== undefined) report.faults++
    return found
  }
  system.backups.push({ file: await backUp(service.ctx), period })
  await awaitAnswers(system)
  service.clock.advance(RENEWAL_PERIOD_S)
  const share = Math.ceil(refunds.length / rounds.periods)
  const due = refunds.slice((period - 1) * share, period * share)
  // The restore comes in the middle of the work, or after it.
  const work = settle(system, random() < 0.5 ? 1 : MINUTES_TO_SETTLE)
  await Promise.all([work, requestRefunds(system, due)])
  if (random() < 0.3) fake.forgetKeys()
  await restoreOne(system, period)
  await settle(system)
}

/** Runs due work minute by minute, so that what failed is retried. */
async function settle(system: RestoreContext, minutes = MINUTES_TO_SETTLE): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    system.service.clock.advance(60)
    while ((await runDuePayments(envOf(system))) > 0);
  }
}

/** Works until the provider has answered every order. An order has a whole period for that, most of which these rounds
 * skip. One that a later restore loses unanswered is not repeated once its period is over: nobody pays for days on
 * which the service was down. */
async function awaitAnswers(system: RestoreContext): Promise<void> {
  for (let minute = 0; await hasPendingOrders(envOf(system)); minute++) {
    expect(minute, 'minutes without an answer').toBeLessThan(MAX_MINUTES_TO_ANSWER)
    await settle(system, 1)
  }
}

async function requestRefunds(
  system: RestoreContext,
  refunds: RestoreContext['refunds'],
): Promise<void> {
  for (const { paymentId: payment, amount = 0 } of refunds) {
    const input = { payment, amount: (amount / 100).toFixed(2), reference: 'rounds' }
    const { status } = await system.app.client.refundPayment(input)
    expect(status).not.toBe('failed')
  }
}

async function restoreOne(system: RestoreContext, period: number): Promise<void> {
  const { random, backups, report } = system
  const back = random() < 0.4 ? 1 + Math.floor(random() * 3) : 0
  const backup = backups.findLast((one) => one.period <= period - back) ?? backups[0]
  if (!backup) return
  const isLong = backup.period < period
  await restoreTo(system, backup)
  report.restores++
  if (!isLong) return
  report.long++
  await reconcileAll(system)
}

async function restoreTo(system: RestoreContext, { file, period }: Backup): Promise<void> {
  const { database, fake, service: old } = system
  const installation = await restoreInstallation(database, old.installation, file)
  system.installations.push(installation)
  await old.stop()
  const service = await startTestService(database, { env: sandboxSettings(fake), installation })
  service.clock.now = old.clock.now
  const { sandbox } = service.ctx.environments
  system.service = service
  system.app = { ...system.app, environment: sandbox, client: system.app.clientAt(service.url) }
  // For the restored database, later backups do not exist.
  system.backups = system.backups.filter((one) => one.period <= period)
}

/** A comparison that fails because of the provider's faults is repeated without faults: it makes so many calls that it
 * would hardly ever finish. */
async function reconcileAll(system: RestoreContext): Promise<void> {
  const { fake, report } = system
  const { fault } = fake
  const found = await reconcile(envOf(system), {}).catch(async (error: unknown) => {
    if (!(error instanceof ProviderError)) throw error
    fake.fault = () => undefined
    return await reconcile(envOf(system), {})
  })
  fake.fault = fault
  expect(found.open).toEqual([])
  report.repaired += found.repaired.length
}

async function requireChargedOnce(
  system: RestoreContext,
  { periods }: RestoreRounds,
): Promise<void> {
  const { fake, service, subscriptions, refunds } = system
  await service.requireInvariants()
  const { database } = envOf(system)
  const payments = await database.read.selectFrom('payments').selectAll().execute()
  const taken = [...fake.ledger.charges.values()].filter(({ paid }) => paid)
  const refs = payments.filter(({ status }) => status !== 'failed').map((one) => one.provider_ref)
  expect(taken.map((one) => one.payment_intent).sort()).toEqual(refs.sort())
  for (const id of subscriptions) {
    const all = payments.filter((one) => one.subscription_id === id)
    const own = all.filter(({ status }) => status === 'succeeded')
    expect(own, JSON.stringify(all)).toHaveLength(1 + periods)
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
