import { beforeAll, expect } from 'vitest'
import { runDuePayments } from '../../domain/payments/orders/payment-loop.ts'
import { type Reconciliation, reconcile } from '../../domain/payments/reconcile/reconcile.ts'
import type { TestDatabase } from '../databases.ts'
import { startTestService, type TestApplication, type TestService } from '../service.ts'
import { useApplication, useFakeStripe, useService } from '../use-service.ts'
import { type FakeStripe, type Fault, startFakeStripe } from './fake-stripe.ts'
import { buyWithStripe, RENEWING_TERMS, sandboxSettings } from './stripe-shop.ts'

/** A sandbox application that sells through the fake Stripe. */
export interface Books {
  fake: FakeStripe
  service: TestService
  app: TestApplication
}

const RESOURCES = ['pass', 'article']

export async function openBooks(database: TestDatabase): Promise<Books> {
  const fake = await startFakeStripe()
  const service = await startTestService(database, { env: sandboxSettings(fake) })
  shareClock(fake, service)
  const app = await service.newApplication('sandbox')
  for (const rid of RESOURCES) await app.addResource(rid)
  return { fake, service, app }
}

/** Requires that what was stored fits together, and stops the service. */
export async function stopBooks({ service, fake }: Books): Promise<void> {
  try {
    await service.requireInvariants()
  } finally {
    await service.stop()
    await fake.stop()
  }
}

/** Opens them for the tests of the current `describe` block. */
export function useBooks(database: TestDatabase) {
  const fake = useFakeStripe()
  const service = useService(database, () => ({ env: sandboxSettings(fake) }))
  beforeAll(() => shareClock(fake, service))
  const app = useApplication(service, { environment: 'sandbox', resources: RESOURCES })
  return { fake, service, app, ...actionsOf(() => ({ fake, service, app })) }
}

/** The clock starts at real time, because the provider's pages expire by real time. */
function shareClock(fake: FakeStripe, service: TestService): void {
  service.clock.now = Date.now()
  fake.ledger.now = () => service.clock.now
}

export function actionsOf(books: () => Books) {
  const env = () => books().service.ctx.environments.sandbox
  const paymentOf = async (id: string) =>
    await env()
      .database.read.selectFrom('payments')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  return {
    env,
    async work() {
      while ((await runDuePayments(env())) > 0);
    },
    subscribe: (userRef: string) =>
      buyWithStripe(env(), books().app.aid, books().fake, {
        rid: 'pass',
        userRef,
        terms: RENEWING_TERMS,
      }),
    buy: (userRef: string) =>
      buyWithStripe(env(), books().app.aid, books().fake, { rid: 'article', userRef }),
    hasAccess: (user_ref: string, rid = 'article') =>
      books().app.client.hasAccess({ rid, user_ref }),
    paymentOf,
    intentOf: async (paymentId: string) => (await paymentOf(paymentId)).provider_ref as string,
    compare: () => reconcile(env(), {}),
    /** Makes all calls of one route fail. */
    failWith(fault: Fault | undefined, route: string): void {
      books().fake.fault = (call) => (call.route === route ? fault : undefined)
    },
    /** The idempotency keys of an order's calls. */
    keysOf: (route: string, id: string) =>
      books()
        .fake.calls.filter((call) => call.route === route && call.idempotencyKey?.includes(id))
        .map(({ idempotencyKey }) => idempotencyKey),
    deliver: () => {
      const { fake, service } = books()
      const how = { at: service.clock.now, copies: 2 }
      return fake.deliver(`${service.url}/sandbox/events/stripe`, how)
    },
    /** Requires that each charge in the provider's records has one payment here, with the same refunded amount. */
    async requireSameBooks() {
      const payments = await env().database.read.selectFrom('payments').selectAll().execute()
      const taken = payments.filter(({ status }) => status !== 'failed' && status !== 'pending')
      const charges = [...books().fake.ledger.charges.values()].filter(({ paid }) => paid)
      const theirs = charges.map((one) => [one.payment_intent, one.amount, one.amount_refunded])
      const ours = taken.map((one) => [one.provider_ref, one.amount, one.refunded])
      expect(ours.sort()).toEqual(theirs.sort())
    },
  }
}

/** The kinds of findings, sorted. */
export const kindsOf = (findings: Reconciliation['open']) => findings.map(({ kind }) => kind).sort()
