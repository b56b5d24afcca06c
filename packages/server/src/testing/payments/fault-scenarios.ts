import { ApiError, NotFoundError } from '@gatehouse/sdk'
import { expect } from 'vitest'
import { toOutageFailure } from '../../db/outage.ts'
import { runDuePayments } from '../../domain/payments/orders/payment-loop.ts'
import { ProviderError } from '../../domain/payments/provider-error.ts'
import type { TestDatabase } from '../databases.ts'
import { startTestService, type TestApplication, type TestService } from '../service.ts'
import { listOutbox } from '../smtp/outbox.ts'
import { type FakeStripe, startFakeStripe } from '../stripe/fake-stripe.ts'
import {
  buyWithStripe,
  payWithoutWebhook,
  RENEWAL_PERIOD_S,
  RENEWING_TERMS,
  sandboxSettings,
} from '../stripe/stripe-shop.ts'
import {
  createFaultPoints,
  FAULT_TIMINGS,
  type FaultPoints,
  type FaultTiming,
  type FiredPoints,
} from './fault-points.ts'
import { getPage } from './page-client.ts'

/** A service whose every step can be made to fail. */
export interface FaultFixture {
  service: TestService
  app: TestApplication
  fake: FakeStripe
  points: FaultPoints
  stop(): Promise<void>
}

export async function startFaultFixture(database: TestDatabase): Promise<FaultFixture> {
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
  prepare(fixture: FaultFixture, reader: string): Promise<() => Promise<void>>
  require(fixture: FaultFixture, reader: string): Promise<void>
}

let readers = 0

/** Plays a scenario in which these points fail; returns which of them were reached. */
async function play(
  fixture: FaultFixture,
  scenario: Scenario,
  plan: ReadonlyMap<number, FaultTiming>,
): Promise<FiredPoints> {
  const reader = `reader-${readers++}`
  const act = await scenario.prepare(fixture, reader)
  fixture.points.arm(plan)
  await act()
  const fired = fixture.points.disarm()
  await finishWork(fixture)
  await scenario.require(fixture, reader)
  return fired
}

/** Makes every point fail alone, in every way; returns the number of points. */
export async function playEachPoint(fixture: FaultFixture, scenario: Scenario): Promise<number> {
  for (let n = 1; ; n++) {
    for (const way of ['before', 'after'] as const) {
      const { count, atProvider } = await play(fixture, scenario, new Map([[n, way]]))
      if (count === 0) return n - 1
      // A lost database says nothing, so only the provider can fail in one more way.
      if (way === 'after' && atProvider) {
        await play(fixture, scenario, new Map([[n, 'after_500']]))
      }
    }
    await fixture.service.requireInvariants()
  }
}

/** Makes every two points fail together, in every way; returns the number of combinations. */
export async function playEachPair(fixture: FaultFixture, scenario: Scenario): Promise<number> {
  let pairs = 0
  for (let n = 1; ; n++) {
    let isBeyond = true
    for (const first of FAULT_TIMINGS) {
      for (const second of FAULT_TIMINGS) {
        for (let m = n + 1; ; m++) {
          const { count: fired } = await play(
            fixture,
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
    await fixture.service.requireInvariants()
    if (isBeyond) return pairs
  }
}

/** Does what the worker does: whatever fails, it continues, and tries again after a pause. */
async function workDespiteFaults({ app, service }: FaultFixture): Promise<void> {
  for (let minute = 0; minute < 3; minute++) {
    await runDuePayments(app.environment).catch(requireOutage)
    service.clock.advance(60)
  }
}

function requireOutage(error: unknown): void {
  if (!toOutageFailure(error)) throw error
}

/** When the faults are over and leases and backoffs have expired, lets the worker do what is left. */
async function finishWork({ service, app, fake }: FaultFixture): Promise<void> {
  // Expires payment pages that nobody reached; otherwise each run would poll those of all runs before it.
  for (const { id, status } of fake.ledger.sessions.values()) {
    if (status === 'open') fake.expire(id)
  }
  service.clock.advance(180)
  while ((await runDuePayments(app.environment)) > 0);
}

const read = ({ app }: FaultFixture) => app.environment.database.read

async function uidOf(fixture: FaultFixture, ref: string): Promise<string> {
  const query = read(fixture).selectFrom('user_refs').select('uid').where('ref', '=', ref)
  return (await query.executeTakeFirstOrThrow()).uid
}

/** Sums charged to and refunded to a reader, in our records and in the provider's. */
async function moneyOf(fixture: FaultFixture, reader: string) {
  const { ledger } = fixture.fake
  const uid = await uidOf(fixture, reader)
  const payments = await read(fixture)
    .selectFrom('payments')
    .selectAll()
    .where('uid', '=', uid)
    .orderBy('id')
    .execute()
  const refunds = await read(fixture)
    .selectFrom('refunds as r')
    .innerJoin('payments as p', 'p.id', 'r.payment_id')
    .selectAll('r')
    .where('p.uid', '=', uid)
    .execute()
  const mails = (await listOutbox(fixture.service, 'sandbox')).filter((mail) => mail.uid === uid)
  return {
    payments: payments.map(({ status }) => status),
    charges: payments.map(({ id }) => ledger.chargesOf(id).length),
    refunds: refunds.map(({ status }) => status),
    paidBack: refunds.map(({ id }) => ledger.refundsOf(id).map(({ amount }) => amount)),
    mails: mails.map(({ kind }) => kind).sort(),
  }
}

const accessOf = ({ app }: FaultFixture, rid: string, user_ref: string) =>
  app.client.findAccess({ rid, user_ref })

/** A period ends, and the next one is charged. */
export const renewal: Scenario = {
  async prepare(fixture, reader) {
    const { app, service, fake } = fixture
    const input = { rid: 'pass', userRef: reader, terms: RENEWING_TERMS }
    await buyWithStripe(app.environment, app.aid, fake, input)
    service.clock.advance(RENEWAL_PERIOD_S)
    return () => workDespiteFaults(fixture)
  },
  async require(fixture, reader) {
    expect(await moneyOf(fixture, reader)).toEqual({
      payments: ['succeeded', 'succeeded'],
      charges: [1, 1],
      refunds: [],
      paidBack: [],
      mails: ['receipt', 'receipt'],
    })
    const { clock } = fixture.service
    const expires = (await accessOf(fixture, 'pass', reader))?.expires ?? 0
    expect(expires - clock.seconds).toBeGreaterThan(RENEWAL_PERIOD_S - 3_600)
    expect(expires - clock.seconds).toBeLessThanOrEqual(RENEWAL_PERIOD_S)
    await fixture.app.client.revokeAccess({ rid: 'pass', user_ref: reader })
  },
}

/** Access is revoked, and its payment is refunded. */
export const refund: Scenario = {
  async prepare(fixture, reader) {
    const { app, fake } = fixture
    await buyWithStripe(app.environment, app.aid, fake, { rid: 'article', userRef: reader })
    return async () => {
      for (let tries = 0; tries < 3 && !(await revoke(fixture, reader)); tries++);
      await workDespiteFaults(fixture)
    }
  },
  async require(fixture, reader) {
    expect(await moneyOf(fixture, reader)).toEqual({
      payments: ['refunded'],
      charges: [1],
      refunds: ['succeeded'],
      paidBack: [[499]],
      mails: ['receipt', 'refunded'],
    })
    expect(await accessOf(fixture, 'article', reader)).toBeUndefined()
  },
}

/** Returns whether it was answered. "Not found" is an answer too: the previous response may have been lost. */
async function revoke({ app }: FaultFixture, user_ref: string): Promise<boolean> {
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
  async prepare(fixture, reader) {
    return async () => {
      const id =
        (await pay(fixture, reader)) ?? (await pay(fixture, reader)) ?? (await pay(fixture, reader))
      for (let looks = 0; looks < 2; looks++) {
        const { status } = await getPage(`${fixture.app.baseUrl}/checkout/done/${id}`)
        expect([200, 503]).toContain(status)
      }
      await workDespiteFaults(fixture)
    }
  },
  async require(fixture, reader) {
    expect(await moneyOf(fixture, reader)).toEqual({
      payments: ['succeeded'],
      charges: [1],
      refunds: [],
      paidBack: [],
      mails: ['receipt'],
    })
    const { data } = await fixture.app.client.searchSubscriptions({ user_ref: reader })
    expect(data).toMatchObject([{ status: 'active', amount: 4.99 }])
    expect(await accessOf(fixture, 'pass', reader)).toMatchObject({ amount: 4.99, currency: 'EUR' })
    await fixture.app.client.revokeAccess({ rid: 'pass', user_ref: reader })
  },
}

/** Returns undefined if the provider's page was not reached. */
async function pay({ app, fake }: FaultFixture, userRef: string): Promise<string | undefined> {
  try {
    const input = { rid: 'pass', userRef, terms: RENEWING_TERMS }
    return (await payWithoutWebhook(app.environment, app.aid, fake, input)).id
  } catch (error) {
    if (!(error instanceof ProviderError)) requireOutage(error)
    return undefined
  }
}
