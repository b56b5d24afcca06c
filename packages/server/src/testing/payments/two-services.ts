import { afterEach, expect } from 'vitest'
import type { Environment } from '../../context.ts'
import { runDuePayments } from '../../domain/payments/orders/payment-loop.ts'
import { findPayment, listRefunds } from '../../domain/payments/payments.ts'
import type { PaymentProvider } from '../../domain/payments/provider.ts'
import { newId } from '../../ids.ts'
import type { TestDatabase } from '../databases.ts'
import { useFixture } from '../fixtures.ts'
import {
  buyWithStripe,
  RENEWAL_PERIOD_S,
  RENEWING_TERMS,
  sandboxSettings,
} from '../stripe/stripe-shop.ts'
import { useApplication, useFakeStripe, useService } from '../use-service.ts'

export const MOMENTS = [
  'before it is charged',
  'at the same time',
  'before we hear that it was',
] as const
type Moment = (typeof MOMENTS)[number]

/** Runs two services on one database, with a shop that both of them serve. */
export function useTwoServices(database: TestDatabase) {
  const fake = useFakeStripe()
  const settings = () => ({ env: sandboxSettings(fake) })
  const first = useService(database, settings)
  const second = useService(database, () => ({ ...settings(), installation: first.installation }))
  const app = useApplication(first, { environment: 'sandbox', resources: ['pass', 'article'] })
  const services = [first, second]
  const envs = useFixture(async () => services.map(({ ctx }) => ctx.environments.sandbox))
  afterEach(() => first.requireInvariants())

  const env = () => envs[0] as Environment
  const clients = () => services.map(({ url }) => app.clientAt(url))
  const newReader = () => `reader-${newId()}`
  const advance = (seconds: number) => {
    for (const { clock } of services) clock.advance(seconds)
  }
  /** Runs both services concurrently until neither has anything to do. */
  const work = () =>
    Promise.all(
      envs.map(async (one) => {
        while ((await runDuePayments(one)) > 0);
      }),
    )
  return { fake, app, envs, env, clients, newReader, advance, work }
}

/** Purchases of the readers of two services, and what has become of them. */
export function readersOf({
  fake,
  app,
  env,
  newReader,
  advance,
}: ReturnType<typeof useTwoServices>) {
  const read = () => env().database.read
  const buy = (userRef: string, rid: 'pass' | 'article') =>
    buyWithStripe(env(), app.aid, fake, {
      rid,
      userRef,
      terms: rid === 'pass' ? RENEWING_TERMS : {},
    })
  const paymentsOf = async (userRef: string) =>
    (await app.client.searchPayments({ user_ref: userRef })).data
  const subscriptionOf = async (userRef: string) =>
    (await app.client.searchSubscriptions({ user_ref: userRef })).data[0]
  const chargesOf = (paymentId = '') => fake.ledger.chargesOf(paymentId).length
  const paidBackOf = async (paymentId = '') => {
    const rows = await listRefunds(read(), app.aid, [paymentId])
    return rows.map(({ id, status }) => [status, fake.ledger.refundsOf(id).length])
  }

  /** Returns a subscriber's first payment, and the renewal if it was ordered. */
  async function periodsOf(user_ref: string) {
    const { data } = await app.client.searchPayments({ user_ref, rid: 'pass' })
    const found = await Promise.all(data.map(({ id }) => findPayment(read(), app.aid, id)))
    found.sort((a, b) => Number(a?.period_start) - Number(b?.period_start))
    const [first, renewal, ...others] = found
    expect(others).toEqual([])
    return { first, renewal }
  }

  /** Lets the first service do what is due, and runs `happens` while it charges. */
  async function meanwhile(moment: Moment, happens: () => Promise<unknown>): Promise<void> {
    const provider = env().provider as PaymentProvider
    const { charge } = provider
    provider.charge = async (order) => {
      if (moment === 'before it is charged') await happens()
      const [finding] = await Promise.all([
        charge(order),
        moment === 'at the same time' ? happens() : undefined,
      ])
      if (moment === 'before we hear that it was') await happens()
      return finding
    }
    try {
      while ((await runDuePayments(env())) > 0);
    } finally {
      provider.charge = charge
    }
  }

  /** Creates a subscriber whose renewal is due. */
  async function fallDue(): Promise<string> {
    const reader = newReader()
    await buy(reader, 'pass')
    advance(RENEWAL_PERIOD_S)
    return reader
  }
  return { buy, paymentsOf, subscriptionOf, chargesOf, paidBackOf, periodsOf, meanwhile, fallDue }
}
