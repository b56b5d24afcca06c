import { ApiError, NotFoundError } from '@gatehouse/sdk'
import { expect } from 'vitest'
import { outageOf } from '../../db/outage.ts'
import { runDuePayments } from '../../domain/payments/orders/payment-loop.ts'
import { ProviderError } from '../../domain/payments/provider.ts'
import type { TestDatabase } from '../databases.ts'
import { startTestService, type TestApplication, type TestService } from '../service.ts'
import { outboxOf } from '../smtp/mailing.ts'
import { type FakeStripe, startFakeStripe } from '../stripe/fake-stripe.ts'
import {
  buyByStripe,
  payUnheard,
  RENEWED,
  RENEWED_AFTER,
  sandboxSettings,
} from '../stripe/stripe-shop.ts'
import { createFaultPoints, type FaultPoints, WAYS, type Way } from './fault-points.ts'
import { look } from './visitor.ts'

/** A service whose every step can be made to fail. */
export interface Bench {
  service: TestService
  app: TestApplication
  fake: FakeStripe
  points: FaultPoints
  stop(): Promise<void>
}

export async function openBench(database: TestDatabase): Promise<Bench> {
  const fake = await startFakeStripe()
  const service = await startTestService(database, { env: sandboxSettings(fake) })
  const app = await service.newApplication('sandbox')
  await app.addResource('pass')
  await app.addResource('article')
  return {
    service,
    app,
    fake,
    points: createFaultPoints(app.environment.database, fake),
    async stop() {
      await service.stop()
      await fake.stop()
    },
  }
}

/** Something that must happen exactly once: how it is prepared, what may fail, and what must be true in the end. */
export interface Scenario {
  prepare(bench: Bench, reader: string): Promise<() => Promise<void>>
  require(bench: Bench, reader: string): Promise<void>
}

let readers = 0

/** Plays a scenario in which these points fail; returns how many of them were reached. */
async function play(
  bench: Bench,
  scenario: Scenario,
  plan: ReadonlyMap<number, Way>,
): Promise<number> {
  const reader = `reader-${readers++}`
  const act = await scenario.prepare(bench, reader)
  bench.points.arm(plan)
  await act()
  const fired = bench.points.disarm()
  await finish(bench)
  await scenario.require(bench, reader)
  return fired
}

/** Makes every point fail alone, in every way; returns the number of points. */
export async function playEachPoint(bench: Bench, scenario: Scenario): Promise<number> {
  for (let n = 1; ; n++) {
    let fired = 0
    for (const way of WAYS) fired += await play(bench, scenario, new Map([[n, way]]))
    await bench.service.requireInvariants()
    if (fired === 0) return n - 1
  }
}

/** Makes every two points fail together, in every way; returns the number of combinations. */
export async function playEachPair(bench: Bench, scenario: Scenario): Promise<number> {
  let pairs = 0
  for (let n = 1; ; n++) {
    let isBeyond = true
    for (const first of WAYS) {
      for (const second of WAYS) {
        for (let m = n + 1; ; m++) {
          const fired = await play(
            bench,
            scenario,
            new Map([
              [n, first],
              [m, second],
            ]),
          )
          if (fired > 0) isBeyond = false
          if (fired < 2) break
          pairs++
        }
      }
    }
    await bench.service.requireInvariants()
    if (isBeyond) return pairs
  }
}

/** Does what the worker does: whatever fails, it continues, and tries again after a pause. */
async function workAnyway({ app, service }: Bench): Promise<void> {
  for (let minute = 0; minute < 3; minute++) {
    await runDuePayments(app.environment).catch(requireOutage)
    service.clock.advance(60)
  }
}

function requireOutage(error: unknown): void {
  if (!outageOf(error)) throw error
}

/** When the faults are over and leases and backoffs have expired, lets the worker do what is left. */
async function finish({ service, app, fake }: Bench): Promise<void> {
  // Expires payment pages that nobody reached; otherwise each run would poll those of all runs before it.
  for (const { id, status } of fake.ledger.sessions.values()) {
    if (status === 'open') fake.expire(id)
  }
  for (let minute = 0; minute < 3; minute++) {
    service.clock.advance(60)
    while ((await runDuePayments(app.environment)) > 0);
  }
}

const read = ({ app }: Bench) => app.environment.database.read

async function uidOf(bench: Bench, ref: string): Promise<string> {
  const query = read(bench).selectFrom('user_refs').select('uid').where('ref', '=', ref)
  return (await query.executeTakeFirstOrThrow()).uid
}

/** What a reader was charged and refunded, in our records and in the provider's. */
async function moneyOf(bench: Bench, reader: string) {
  const { ledger } = bench.fake
  const uid = await uidOf(bench, reader)
  const payments = await read(bench)
    .selectFrom('payments')
    .selectAll()
    .where('uid', '=', uid)
    .orderBy('id')
    .execute()
  const refunds = await read(bench)
    .selectFrom('refunds as r')
    .innerJoin('payments as p', 'p.id', 'r.payment_id')
    .selectAll('r')
    .where('p.uid', '=', uid)
    .execute()
  const mails = (await outboxOf(bench.service, 'sandbox')).filter((mail) => mail.uid === uid)
  return {
    payments: payments.map(({ status }) => status),
    charges: payments.map(({ id }) => ledger.chargesOf(id).length),
    refunds: refunds.map(({ status }) => status),
    paidBack: refunds.map(({ id }) => ledger.refundsOf(id).map(({ amount }) => amount)),
    mails: mails.map(({ kind }) => kind).sort(),
  }
}

const accessOf = ({ app }: Bench, rid: string, user_ref: string) =>
  app.client.findAccess({ rid, user_ref })

/** A period ends, and the next one is charged. */
export const renewal: Scenario = {
  async prepare(bench, reader) {
    const { app, service, fake } = bench
    const input = { rid: 'pass', userRef: reader, terms: RENEWED }
    await buyByStripe(app.environment, app.aid, fake, input)
    service.clock.advance(RENEWED_AFTER)
    return () => workAnyway(bench)
  },
  async require(bench, reader) {
    expect(await moneyOf(bench, reader)).toEqual({
      payments: ['succeeded', 'succeeded'],
      charges: [1, 1],
      refunds: [],
      paidBack: [],
      mails: ['receipt', 'receipt'],
    })
    const { clock } = bench.service
    const expires = (await accessOf(bench, 'pass', reader))?.expires ?? 0
    expect(expires - clock.seconds).toBeGreaterThan(RENEWED_AFTER - 3_600)
    expect(expires - clock.seconds).toBeLessThanOrEqual(RENEWED_AFTER)
    await bench.app.client.revokeAccess({ rid: 'pass', user_ref: reader })
  },
}

/** Access is revoked, and its payment is refunded. */
export const refund: Scenario = {
  async prepare(bench, reader) {
    const { app, fake } = bench
    await buyByStripe(app.environment, app.aid, fake, { rid: 'article', userRef: reader })
    return async () => {
      for (let tries = 0; tries < 3 && !(await revoke(bench, reader)); tries++);
      await workAnyway(bench)
    }
  },
  async require(bench, reader) {
    expect(await moneyOf(bench, reader)).toEqual({
      payments: ['refunded'],
      charges: [1],
      refunds: ['succeeded'],
      paidBack: [[499]],
      mails: ['receipt', 'refunded'],
    })
    expect(await accessOf(bench, 'article', reader)).toBeUndefined()
  },
}

/** Returns whether it was answered. "Not found" is an answer too: the previous response may have been lost. */
async function revoke({ app }: Bench, user_ref: string): Promise<boolean> {
  try {
    await app.client.revokeAccess({ rid: 'article', user_ref, refund: true })
    return true
  } catch (error) {
    if (error instanceof NotFoundError) return true
    expect(error).toBeInstanceOf(ApiError)
    expect((error as ApiError).status).toBe(503)
    return false
  }
}

/** A reader buys a subscription and returns from the provider's page. */
export const purchase: Scenario = {
  async prepare(bench, reader) {
    return async () => {
      const id =
        (await pay(bench, reader)) ?? (await pay(bench, reader)) ?? (await pay(bench, reader))
      for (let looks = 0; looks < 2; looks++) {
        const { status } = await look(`${bench.app.baseUrl}/checkout/done/${id}`)
        expect([200, 503]).toContain(status)
      }
      await workAnyway(bench)
    }
  },
  async require(bench, reader) {
    expect(await moneyOf(bench, reader)).toEqual({
      payments: ['succeeded'],
      charges: [1],
      refunds: [],
      paidBack: [],
      mails: ['receipt'],
    })
    const { data } = await bench.app.client.searchSubscriptions({ user_ref: reader })
    expect(data).toMatchObject([{ status: 'active', amount: 4.99 }])
    expect(await accessOf(bench, 'pass', reader)).toMatchObject({ amount: 4.99, currency: 'EUR' })
    await bench.app.client.revokeAccess({ rid: 'pass', user_ref: reader })
  },
}

/** Returns undefined if the provider's page was not reached. */
async function pay({ app, fake }: Bench, userRef: string): Promise<string | undefined> {
  try {
    const input = { rid: 'pass', userRef, terms: RENEWED }
    return (await payUnheard(app.environment, app.aid, fake, input)).id
  } catch (error) {
    if (!(error instanceof ProviderError)) requireOutage(error)
    return undefined
  }
}
