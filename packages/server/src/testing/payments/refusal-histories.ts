import { expect } from 'vitest'
import { findViolations } from '../../db/invariants/invariants.ts'
import { listRows } from '../../db/queries/rows.ts'
import type { Seconds } from '../../db/tables.ts'
import { clocksOf, MAX_REFUSED_PAUSE_MS } from '../../domain/payments/context.ts'
import { dismissFinding, listOpenFindings } from '../../domain/payments/reconcile/findings.ts'
import { requestRefund } from '../../domain/payments/refunds/orders.ts'
import { seededRandom } from '../random.ts'
import type { actionsOf, Books } from '../stripe/books.ts'
import type { Fault } from '../stripe/fake-stripe.ts'
import { QUICK_FAULTS } from '../stripe/faults.ts'
import { REFUSALS } from '../stripe/refusals.ts'
import { RENEWAL_PERIOD_S } from '../stripe/stripe-shop.ts'
import { DAY } from '../time.ts'

type History = Books & ReturnType<typeof actionsOf>

const FAULTS: readonly Fault[] = [
  ...QUICK_FAULTS,
  'key_refused',
  'no_permission',
  ...Object.values(REFUSALS),
]
/** A quarter of the calls succeed even in the worst time. */
const WORST = 0.75
const STEPS = 14
const CREATES = ['POST /v1/payment_intents', 'POST /v1/refunds']

/** The longest time that passes between two looks of the worker in a history. */
const MAX_STEP_S: Seconds = 3 * 3_600

/**
 * Plays random histories of one reader each, whose renewals and refunds Stripe refuses in every way and answers from its
 * memory, while time passes, staff try again, and access is revoked. After each step nobody was charged or paid back
 * twice, and staff know of every order that waits longer than its longest pause. In the end everything is settled.
 */
export async function playRefusalHistories(
  history: History,
  { count, seed, from = 0 }: { count: number; seed: number; from?: number },
): Promise<void> {
  for (let n = from; n < from + count; n++) {
    const random = seededRandom(seed + n)
    try {
      await play(history, `reader-${seed}-${n}`, random)
    } catch (error) {
      throw new Error(`the history with the seed ${seed + n} fails`, { cause: error })
    }
  }
}

const pick = <T>(random: () => number, list: readonly T[]): T =>
  list[Math.floor(random() * list.length)] as T

async function play(history: History, userRef: string, random: () => number): Promise<void> {
  const { fake, app } = history
  const { subscription_id } = await history.subscribe(userRef)
  const { payment_id } = await history.buy(userRef)
  await pass(history, RENEWAL_PERIOD_S - MAX_STEP_S, RENEWAL_PERIOD_S)
  for (let step = 0; step < STEPS; step++) {
    await takeStep(history, { userRef, paymentId: payment_id }, random)
    await requireSound(history, subscription_id as string)
  }
  fake.fault = () => undefined
  await pass(history, 2 * DAY)
  await requireSound(history, subscription_id as string)
  await requireSettled(history)
  if (await history.hasAccess(userRef, 'pass')) {
    await app.client.revokeAccess({ rid: 'pass', user_ref: userRef })
  }
}

const requireCode = (code: string) => (error: { code?: string }) => {
  expect(error.code).toBe(code)
}

interface Reader {
  userRef: string
  paymentId: string
}

async function takeStep(history: History, reader: Reader, random: () => number): Promise<void> {
  const { fake, app, env } = history
  switch (
    pick(random, [
      'fail',
      'fail',
      'fail',
      'recover',
      'wait',
      'wait',
      'wait',
      'long',
      'refund',
      'dismiss',
      'cancel',
      'revoke',
    ])
  ) {
    case 'fail': {
      const fault = pick(random, FAULTS)
      const isAlways = random() < 0.3
      const onlyCreates = random() < 0.7
      fake.fault = ({ route }) => {
        if (onlyCreates && !CREATES.includes(route)) return undefined
        return isAlways || random() < WORST ? fault : undefined
      }
      return
    }
    case 'recover':
      fake.fault = () => undefined
      return await history.work()
    case 'wait':
      return await pass(history, pick(random, [1, 60, 600, MAX_STEP_S]))
    case 'long':
      return await pass(history, pick(random, [DAY / 2, DAY, 3 * DAY]))
    case 'refund':
      return await orderRefund(history, reader, 1 + Math.floor(random() * 200))
    case 'dismiss': {
      const [finding] = await listOpenFindings(env().database.read)
      if (!finding) return
      await env().database.write((trx) => dismissFinding(trx, finding.id, env().realTime()))
      return await history.work()
    }
    case 'cancel': {
      if (random() > 0.3) return
      return await app.client
        .cancelSubscription({ rid: 'pass', user_ref: reader.userRef })
        .then(() => {}, requireCode('subscription_not_found'))
    }
    default: {
      if (random() > 0.2 || !(await history.hasAccess(reader.userRef, 'pass'))) return
      await app.client.revokeAccess({
        rid: 'pass',
        user_ref: reader.userRef,
        refund: random() < 0.5,
      })
    }
  }
}

/** Lets time pass in steps in which the worker looks for what is due. */
async function pass(
  history: History,
  seconds: Seconds,
  stride: Seconds = MAX_STEP_S,
): Promise<void> {
  for (let left = seconds; left > 0; left -= stride) {
    history.service.clock.advance(Math.min(left, stride))
    await history.work()
  }
}

async function orderRefund(history: History, { paymentId }: Reader, amount: number): Promise<void> {
  const env = history.env()
  const input = { aid: history.app.aid, paymentId, actor: 'test', amount, reference: `r${amount}` }
  await env.database
    .write((trx) => requestRefund(trx, input, clocksOf(env)))
    .catch(requireCode('refund_too_large'))
  await history.work()
}

const pendingOf = async ({ env, app }: History) => {
  const by = { aid: app.aid, status: 'pending' as const }
  const { read } = env().database
  return [...(await listRows(read, 'payments', by)), ...(await listRows(read, 'refunds', by))]
}

async function requireSound(history: History, subscriptionId: string): Promise<void> {
  const { env, fake, app } = history
  const { read } = env().database
  expect(await findViolations(read, env().clock())).toEqual([])
  const reported = (await listOpenFindings(read)).map(({ subject }) => subject)
  const latest = env().clock() - MAX_REFUSED_PAUSE_MS / 1000 - MAX_STEP_S
  const silent = (await pendingOf(history)).filter(
    ({ id, created }) => created < latest && !reported.includes(id),
  )
  expect(silent).toEqual([])
  const renewals = await listRows(read, 'payments', {
    aid: app.aid,
    subscription_id: subscriptionId,
  })
  for (const { period_start } of renewals) {
    expect(fake.ledger.chargesFor(subscriptionId, period_start ?? 0).length).toBeLessThan(2)
  }
  for (const { id } of await listRows(read, 'refunds', { aid: app.aid })) {
    expect(fake.ledger.refundsOf(id).length).toBeLessThan(2)
  }
}

async function requireSettled(history: History): Promise<void> {
  expect(await pendingOf(history)).toEqual([])
  expect(await listOpenFindings(history.env().database.read)).toEqual([])
  await history.requireSameBooks()
}
