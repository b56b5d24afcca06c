import type { Db, Trx } from '../db/database.ts'
import type { Millis } from '../db/tables.ts'
import { findResources } from '../resources/resources.ts'
import { type Desk, LEASE_MS, pauseAfter } from './desk.ts'
import { findPayment, type PaymentRow, type RefundRow } from './payments.ts'
import {
  type PaymentFinding,
  type PaymentProvider,
  ProviderTrouble,
  type RefundFinding,
} from './provider.ts'
import { findRefund, settleRefund } from './refunds.ts'
import { settlePayment } from './settle.ts'

type Ordered = 'payments' | 'refunds'

/** Orders that wait for the provider, those that nobody is carrying out just now. */
const selectDue = (db: Db, table: Ordered, wall: Millis) =>
  db
    .selectFrom(table)
    .select(['id', 'attempts'])
    .where('status', '=', 'pending')
    .where('due', '<=', wall)
    .where((eb) => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<=', wall)]))

/** Takes one order for itself. A claim counts as an attempt: whoever dies in the middle has used it. */
async function claim(trx: Trx, table: Ordered, wall: Millis, id?: string) {
  const due = selectDue(trx, table, wall)
  const [order] = await (id === undefined ? due.orderBy('due') : due.where('id', '=', id))
    .limit(1)
    .forUpdate()
    .skipLocked()
    .execute()
  if (!order) return undefined
  const attempts = order.attempts + 1
  await trx
    .updateTable(table)
    .set({ attempts, lease_until: wall + LEASE_MS })
    .where('id', '=', order.id)
    .execute()
  return order.id
}

/** Carries out one order that is due, or the one that is named; false if there was none. */
export async function carryOutNext(desk: Desk, table: Ordered, id?: string): Promise<boolean> {
  const { provider, database } = desk
  if (!provider) return false
  const wall = desk.wall()
  if ((await selectDue(database.read, table, wall).limit(1).execute()).length === 0) return false
  const claimed = await database.write((trx) => claim(trx, table, wall, id))
  if (claimed === undefined) return false
  try {
    if (table === 'payments') await carryOutPayment(desk, provider, claimed)
    else await carryOutRefund(desk, provider, claimed)
  } catch (error) {
    if (!(error instanceof ProviderTrouble)) throw error
    await postpone(desk, table, claimed, error)
  }
  return true
}

async function carryOutPayment(desk: Desk, provider: PaymentProvider, id: string): Promise<void> {
  const payment = (await findPayment(desk.database.read, { id })) as PaymentRow
  const finding =
    (await findAfterTrouble(payment, () =>
      provider.find.payment({
        paymentId: id,
        ref: payment.provider_ref ?? undefined,
        method: payment.method ?? undefined,
      }),
    )) ?? (await charge(desk, provider, payment))
  await desk.database.write((trx) => settlePayment(trx, desk, id, finding))
}

/** An order that was tried before may have been carried out: the provider knows. Only if it never heard
 * of it is it asked again, under the same key. */
async function findAfterTrouble<T>(
  { attempts }: { attempts: number },
  find: () => Promise<T | undefined>,
): Promise<T | undefined> {
  return attempts > 1 ? await find() : undefined
}

async function charge(
  desk: Desk,
  provider: PaymentProvider,
  payment: PaymentRow,
): Promise<PaymentFinding> {
  const { aid, rid, amount, currency, method } = payment
  const [resource] = await findResources(desk.database.read, aid, [rid])
  return await provider.charge({
    aid,
    paymentId: payment.id,
    money: { amount, currency },
    method: method as string,
    title: resource?.name ?? rid,
  })
}

async function carryOutRefund(desk: Desk, provider: PaymentProvider, id: string): Promise<void> {
  const refund = (await findRefund(desk.database.read, id)) as RefundRow
  const payment = (await findPayment(desk.database.read, { id: refund.payment_id })) as PaymentRow
  const paymentRef = payment.provider_ref as string
  const finding: RefundFinding =
    (await findAfterTrouble(refund, () => provider.find.refund({ refundId: id, paymentRef }))) ??
    (await provider.refund({
      aid: refund.aid,
      refundId: id,
      paymentRef,
      money: { amount: refund.amount, currency: refund.currency },
    }))
  if (finding.status === 'pending') {
    await postpone(desk, 'refunds', id, new ProviderTrouble('the provider has not decided yet'))
    return
  }
  await desk.database.write((trx) => settleRefund(trx, desk, id, finding))
}

/** What became of it is not known, or not yet. */
async function postpone(
  desk: Desk,
  table: Ordered,
  id: string,
  trouble: ProviderTrouble,
): Promise<void> {
  const wall = desk.wall()
  await desk.database.write(async (trx) => {
    const row = await trx
      .selectFrom(table)
      .select('attempts')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const due = wall + Math.max(trouble.retryAfter ?? 0, pauseAfter(row.attempts))
    await trx
      .updateTable(table)
      .set({
        due,
        lease_until: null,
        ...(table === 'refunds' ? { last_error: trouble.message.slice(0, 500) } : {}),
      })
      .where('id', '=', id)
      .where('status', '=', 'pending')
      .execute()
  })
}
