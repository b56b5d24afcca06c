import { readConfig } from '../../config/config.ts'
import { type Context, createContext } from '../../context.ts'
import { setMeta } from '../../db/meta.ts'
import type { Seconds } from '../../db/tables.ts'
import { createApplication, reserveAid } from '../../domain/apps/applications.ts'
import { createResource } from '../../domain/resources/resources.ts'
import { getSubscription } from '../../domain/subscriptions/subscriptions.ts'
import type { FakeStripe } from '../stripe/fake-stripe.ts'
import {
  buyWithStripe,
  RENEWAL_PERIOD_S,
  RENEWING_TERMS,
  type StripePurchase,
} from '../stripe/stripe-shop.ts'

/** A reader whose subscription is renewed while everything goes wrong. */
export interface Subscriber {
  userRef: string
  amount: number
  /** The end of the paid period. */
  ends: Seconds
}

/** A reader who has paid for an article and gets money back. */
export interface Buyer {
  userRef: string
  paymentId: string
  /** The amount to refund. */
  amount: number
  by: 'revoke' | 'refund'
}

/** A sandbox application, and the readers who have bought there. */
export interface PaymentFixture {
  aid: string
  privateKey: string
  subscribers: Subscriber[]
  /** Subscribers whose access is revoked with a refund around the time of their renewal. */
  quitters: Subscriber[]
  buyers: Buyer[]
}

export interface FixtureSize {
  renewals: number
  refunds: number
  /** The renewals fall due within this many seconds. */
  within: Seconds
}

export const PASS = 'pass'
export const ARTICLE = 'article'
/** How many readers buy concurrently. */
const CONCURRENCY = 8

/** Creates an application whose readers bought a period ago by the sandbox's clock, so that renewals fall due now. */
export async function createPaymentFixture(
  settings: Record<string, string>,
  fake: FakeStripe,
  size: FixtureSize,
): Promise<PaymentFixture> {
  const started = Date.now()
  let ahead: Seconds = 0
  const ctx = await createContext(readConfig(settings), { realTime: () => started + ahead * 1000 })
  try {
    const { database } = ctx.environments.sandbox
    const application = await newApplication(ctx)
    const { aid } = application
    const buy = (input: StripePurchase) => buyWithStripe(ctx.environments.sandbox, aid, fake, input)
    async function subscribe(userRef: string, amount: number): Promise<Subscriber> {
      const { subscription_id } = await buy({
        rid: PASS,
        userRef,
        terms: { ...RENEWING_TERMS, amount },
      })
      const row = await getSubscription(database.read, aid, subscription_id as string)
      return { userRef, amount, ends: row.current_period_end }
    }
    const buyers = await runConcurrently(size.refunds, (n) => buyArticle(buy, n))
    const quitting = Math.ceil(size.renewals / 20)
    const people = await runConcurrently(size.renewals + quitting, (n) => {
      ahead = Math.floor((size.within * n) / (size.renewals + quitting))
      return subscribe(`subscriber-${n}`, 300 + n)
    })
    const isQuitter = (n: number) => n % 21 === 20
    const elapsed = Math.floor((Date.now() - started) / 1000)
    await database.write((trx) => setMeta(trx, 'clock_offset', String(RENEWAL_PERIOD_S - elapsed)))
    return {
      ...application,
      subscribers: people.filter((_, n) => !isQuitter(n)),
      quitters: people.filter((_, n) => isQuitter(n)),
      buyers,
    }
  } finally {
    await ctx.close()
  }
}

async function newApplication({ control, masterKey, environments }: Context) {
  const { database, clock, realTime } = environments.sandbox
  const clocks = { now: clock(), realTime: realTime() }
  const aid = await reserveAid(control, 'sandbox')
  return await database.write(async (trx) => {
    const { privateKey } = await createApplication(
      trx,
      masterKey,
      { aid, name: 'Test magazine' },
      clocks,
      'test',
    )
    for (const rid of [PASS, ARTICLE]) {
      await createResource(trx, { aid, rid, name: `The ${rid}`, url: '' }, clocks.now, 'test')
    }
    return { aid, privateKey }
  })
}

/** Half of the buyers will be revoked; every second one of the others gets only a part back. */
async function buyArticle(
  buy: (input: StripePurchase) => ReturnType<typeof buyWithStripe>,
  n: number,
): Promise<Buyer> {
  const userRef = `buyer-${n}`
  const amount = 500 + n
  const { payment_id } = await buy({ rid: ARTICLE, userRef, terms: { amount } })
  return {
    userRef,
    paymentId: payment_id,
    amount: n % 4 === 3 ? 100 + n : amount,
    by: n % 2 === 0 ? 'revoke' : 'refund',
  }
}

/** Runs `one` for each number, a few concurrently. */
async function runConcurrently<T>(count: number, one: (n: number) => Promise<T>): Promise<T[]> {
  const served: T[] = []
  let next = 0
  async function line(): Promise<void> {
    while (next < count) {
      const n = next++
      served[n] = await one(n)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, line))
  return served
}
