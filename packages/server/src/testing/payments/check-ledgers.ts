import { expect } from 'vitest'
import type { Environment } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import { findViolations } from '../../db/invariants/invariants.ts'
import type { PaymentTable, RefundTable, SubscriptionTable } from '../../db/tables.ts'
import { pushTo } from '../../push-to.ts'
import type { FakeCall, FakeStripe } from '../stripe/fake-stripe.ts'
import type { FakeCharge, FakeRefund } from '../stripe/ledger.ts'
import { RENEWAL_PERIOD_S } from '../stripe/stripe-shop.ts'
import { ARTICLE, PASS, type PaymentFixture } from './payment-fixture.ts'

/** Everything that we and the provider have recorded. */
interface Ledgers {
  payments: PaymentTable[]
  refunds: RefundTable[]
  subscriptions: SubscriptionTable[]
  uids: Map<string, string>
  /** Successful charges, by the id of our payment. */
  charges: Map<string, FakeCharge[]>
  refunded: Map<string, FakeRefund[]>
}

/** Fails unless every order was carried out exactly once and both ledgers agree. */
export async function requireConsistentMoney(
  env: Environment,
  fake: FakeStripe,
  fixture: PaymentFixture,
): Promise<void> {
  const { database, clock } = env
  expect(await findViolations(database.read, clock())).toEqual([])
  expect(await database.findDamage()).toEqual([])
  const books = await readLedgers(database.read, fake)
  requireEqualLedgers(books, fake)
  requireRenewals(books, fixture)
  requireRefunds(books, fixture)
  requireQuittersRefunded(books, fixture)
  requireIdempotencyKeys(fake.calls)
  await requireMails(database.read, books)
  await requireAccess(env, fixture, books)
}

function groupBy<T>(items: Iterable<T>, keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) pushTo(groups, keyOf(item), item)
  return groups
}

async function readLedgers(db: Db, { ledger }: FakeStripe): Promise<Ledgers> {
  const refs = await db.selectFrom('user_refs').select(['ref', 'uid']).execute()
  const taken = [...ledger.charges.values()].filter(({ paid }) => paid)
  const back = [...ledger.refunds.values()].filter(({ status }) => status !== 'failed')
  return {
    payments: await db.selectFrom('payments').selectAll().execute(),
    refunds: await db.selectFrom('refunds').selectAll().execute(),
    subscriptions: await db.selectFrom('subscriptions').selectAll().execute(),
    uids: new Map(refs.map(({ ref, uid }) => [ref, uid])),
    charges: groupBy(taken, ({ metadata }) => metadata.gatehouse_payment as string),
    refunded: groupBy(back, ({ metadata }) => metadata.gatehouse_refund as string),
  }
}

/** Requires one charge for each payment and one refund for each of ours, with the same amounts, and no others. */
function requireEqualLedgers(
  { payments, refunds, charges, refunded: paidBack }: Ledgers,
  fake: FakeStripe,
): void {
  const taken = payments.filter(({ status }) => status !== 'failed')
  const ours = taken.map(({ id, amount, currency, provider_ref }) => [
    id,
    [[amount, currency.toLowerCase(), provider_ref]],
  ])
  const theirs = [...charges].map(([id, list]) => [
    id,
    list.map((one) => [one.amount, one.currency, one.payment_intent]),
  ])
  expect(theirs.sort()).toEqual(ours.sort())
  const refOf = new Map(payments.map(({ id, provider_ref }) => [id, provider_ref]))
  const ourRefunds = refunds.map((one) => [
    one.id,
    [[one.status, one.amount, refOf.get(one.payment_id)]],
  ])
  const theirRefunds = [...paidBack].map(([id, list]) => [
    id,
    list.map((one) => [one.status, one.amount, one.payment_intent]),
  ])
  expect(theirRefunds.sort()).toEqual(ourRefunds.sort())
  expect(fake.ledger.charges.size).toBe(taken.length)
}

/** Requires that each period was paid once, with the right amount. */
function requireRenewals(books: Ledgers, { subscribers }: PaymentFixture): void {
  const byUser = groupBy(books.subscriptions, ({ uid }) => uid)
  const bySubscription = groupBy(books.payments, (one) => one.subscription_id ?? '')
  for (const { userRef, amount, ends } of subscribers) {
    const [row, ...others] = byUser.get(books.uids.get(userRef) as string) ?? []
    expect(others).toEqual([])
    expect(row, userRef).toMatchObject({
      status: 'active',
      periods: 2,
      current_period_start: ends,
      current_period_end: ends + RENEWAL_PERIOD_S,
      tries: 0,
    })
    const paid = (bySubscription.get(row?.id as string) ?? []).map((one) => ({
      starts: one.period_start,
      amount: one.amount,
      status: one.status,
      flag: one.flag,
    }))
    const one = { amount, status: 'succeeded', flag: null }
    expect(
      paid.sort((a, b) => Number(a.starts) - Number(b.starts)),
      userRef,
    ).toEqual([
      { starts: ends - RENEWAL_PERIOD_S, ...one },
      { starts: ends, ...one },
    ])
  }
}

/** Requires that each requested refund was made once. */
function requireRefunds({ refunds }: Ledgers, { buyers }: PaymentFixture): void {
  const byPayment = groupBy(refunds, ({ payment_id }) => payment_id)
  for (const { userRef, paymentId, amount } of buyers) {
    const found = (byPayment.get(paymentId) ?? []).map((one) => [one.status, one.amount])
    expect(found, userRef).toEqual([['succeeded', amount]])
  }
}

/** Requires that readers who were revoked around a renewal got the money for the new period back, or were not charged: a
 * revoke ends an order that the provider has not got yet. */
function requireQuittersRefunded(books: Ledgers, { quitters }: PaymentFixture): void {
  const byUser = groupBy(books.payments, ({ uid }) => uid)
  for (const { userRef, ends } of quitters) {
    const uid = books.uids.get(userRef) as string
    expect(books.subscriptions.find((one) => one.uid === uid)?.status).toBe('ended')
    const later = (byUser.get(uid) ?? []).filter((one) => Number(one.period_start) >= ends)
    expect(later.length, userRef).toBeLessThanOrEqual(1)
    for (const { id, status, failure } of later) {
      const outcome = status === 'failed' ? failure : status
      expect(outcome, userRef).toBe(books.charges.has(id) ? 'refunded' : 'ended')
    }
  }
}

/** Requires one idempotency key for each order, and one order for each key. */
function requireIdempotencyKeys(calls: readonly FakeCall[]): void {
  const orders = calls.filter(({ idempotencyKey }) => idempotencyKey !== undefined)
  const nameOf = ({ route, text }: FakeCall) => {
    const params = new URLSearchParams(text)
    const of = (name: string) => params.get(`metadata[gatehouse_${name}]`)
    return `${route} ${of('refund') ?? of('checkout') ?? of('payment')}`
  }
  const keyOf = ({ idempotencyKey }: FakeCall) => idempotencyKey as string
  for (const [name, same] of groupBy(orders, nameOf)) {
    expect(new Set(same.map(keyOf)).size, name).toBe(1)
  }
  for (const [key, same] of groupBy(orders, keyOf)) {
    expect(new Set(same.map(nameOf)).size, key).toBe(1)
  }
}

/** Requires one receipt for each payment that granted access, and one mail for each refund. */
async function requireMails(db: Db, { payments, refunds }: Ledgers): Promise<void> {
  const mails = await db.selectFrom('outbox').select(['key', 'kind']).execute()
  const receipts = payments.filter((one) => one.status !== 'failed' && one.flag === null)
  const expected = [
    ...receipts.map(({ id }) => `receipt:${id}`),
    ...refunds.map(({ id }) => `refunded:${id}`),
  ]
  expect(mails.map(({ key }) => key).sort()).toEqual(expected.sort())
}

/** Requires that exactly the readers who have paid, and were not revoked or refunded in full, have access. */
async function requireAccess(
  env: Environment,
  fixture: PaymentFixture,
  { uids }: Ledgers,
): Promise<void> {
  const rows = await env.database.read
    .selectFrom('access')
    .select(['uid', 'rid', 'ends'])
    .where('revoked', 'is', null)
    .execute()
  const live = rows.filter(({ ends }) => ends > env.clock())
  const found = live.map(({ uid, rid, ends }) => `${uid} ${rid} ${rid === PASS ? ends : ''}`)
  const kept = fixture.buyers.filter((one, n) => one.by === 'refund' && n % 4 === 3)
  const expected = [
    ...fixture.subscribers.map((one) => [one.userRef, PASS, one.ends + RENEWAL_PERIOD_S]),
    ...kept.map((one) => [one.userRef, ARTICLE, '']),
  ].map(([ref, rid, ends]) => `${uids.get(String(ref))} ${rid} ${ends}`)
  expect(found.sort()).toEqual(expected.sort())
}
