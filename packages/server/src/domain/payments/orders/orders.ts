import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '../../../db/database.ts'
import { getInstallationId } from '../../../db/installation.ts'
import { listRows, type RowKey } from '../../../db/queries/rows.ts'
import type { Millis } from '../../../db/tables.ts'
import { type DueWork, findEarliest, listDueApplications, takeInTurns } from '../../apps/turns.ts'
import { findResources } from '../../resources/resources.ts'
import { getSubscription } from '../../subscriptions/subscriptions.ts'
import { applyPaymentFinding } from '../apply-payment.ts'
import { LEASE_MS, type PaymentContext, requireProvider } from '../context.ts'
import { expectEvent } from '../event-arrival.ts'
import type { RenewalCharge } from '../labels.ts'
import { getPayment, type PaymentRow, type RefundRow } from '../payments.ts'
import type { PaymentFinding, PaymentProvider, RefundFinding, RefundOrder } from '../provider.ts'
import { ProviderError, ProviderRefusal } from '../provider-error.ts'
import { recordFindings } from '../reconcile/findings.ts'
import { applyRefundFinding, findRefund } from '../refunds/refunds.ts'
import {
  ChargeInDoubt,
  findEarlierCharge,
  labelsOf,
  renewalChargeOf,
} from '../renewals/earlier-charges.ts'
import type { Claim, OrderTable } from './order-table.ts'
import { undecidedPause } from './pauses.ts'
import { postponeOrder } from './postpone.ts'

/** A literal, not a parameter: otherwise SQLite does not use the index of pending orders. */
const isPending = sql<boolean>`status = 'pending'`

/** Orders to another provider wait until that provider is configured again. */
const isForProvider: Record<OrderTable, (provider: string) => RawBuilder<boolean>> = {
  payments: (provider) => sql`provider = ${provider}`,
  refunds: (provider) => sql`exists (select 1 from payments as p
    where p.aid = refunds.aid and p.id = refunds.payment_id and p.provider = ${provider})`,
}

const isPendingFor = (table: OrderTable, provider: string) =>
  sql<boolean>`${isPending} and ${isForProvider[table](provider)}`

/** Whether any order still waits for the provider's first answer. */
export async function hasPendingOrders({ database, provider }: PaymentContext): Promise<boolean> {
  for (const table of ['payments', 'refunds'] as const) {
    if (!provider) return false
    const isDue = sql<boolean>`${isPendingFor(table, provider.name)} and refusals = 0`
    if ((await listDueApplications(database.read, { table, isDue })).length > 0) return true
  }
  return false
}

/** Orders that are due and that no process is working on. */
const dueOrders = (table: OrderTable, provider: string, realTime: Millis): DueWork => ({
  name: table,
  table,
  isDue: sql<boolean>`${isPendingFor(table, provider)} and due <= ${realTime}
    and (lease_until is null or lease_until <= ${realTime})`,
})

/** Returns when the next pending order is due, even if a process is working on it. */
export const findNextOrderDue = (db: Db, table: OrderTable): Promise<Millis | undefined> =>
  findEarliest(db, table, 'due', isPending)

/** Claims one order that is due. */
export async function claimNextOrder(
  ctx: PaymentContext,
  table: OrderTable,
): Promise<Claim | undefined> {
  const { provider, database, realTime } = ctx
  if (!provider || (await ctx.isOnHold())) return undefined
  const work = dueOrders(table, provider.name, realTime())
  const [order] = await takeInTurns(database, work, 1, async (aid) => {
    const claimed = await claimFirst(ctx, table, (db) =>
      selectDue(db, table, aid, work).orderBy('due'),
    )
    return claimed ? [claimed] : []
  })
  return order
}

/** Claims this order if it is due. */
async function claimOrder(
  ctx: PaymentContext,
  table: OrderTable,
  { aid, id }: RowKey,
): Promise<Claim | undefined> {
  const { provider, realTime } = ctx
  if (!provider || (await ctx.isOnHold())) return undefined
  const work = dueOrders(table, provider.name, realTime())
  return await claimFirst(ctx, table, (db) => selectDue(db, table, aid, work).where('id', '=', id))
}

const selectDue = (db: Db, table: OrderTable, aid: string, { isDue }: DueWork) =>
  db.selectFrom(table).select(['aid', 'id', 'attempts']).where('aid', '=', aid).where(isDue)

/** Claims the first of the selected orders. Reads first, because most of the time there is none. */
async function claimFirst(
  { database, realTime }: PaymentContext,
  table: OrderTable,
  select: (db: Db) => ReturnType<typeof selectDue>,
): Promise<Claim | undefined> {
  if (!(await select(database.read).limit(1).executeTakeFirst())) return undefined
  return await database.write(async (trx) => {
    const order = await select(trx).limit(1).forUpdate().skipLocked().executeTakeFirst()
    return order && (await claim(trx, table, order, realTime()))
  })
}

/** A claim counts as an attempt, even if the process dies before it finishes. */
async function claim(trx: Trx, table: OrderTable, order: Claim, realTime: Millis): Promise<Claim> {
  const attempts = order.attempts + 1
  await trx
    .updateTable(table)
    .set({ attempts, lease_until: realTime + LEASE_MS })
    .where((eb) => eb.and({ aid: order.aid, id: order.id }))
    .execute()
  return { ...order, attempts }
}

/** Sends the given order to the provider, unless another process is doing so. */
export async function sendOrderNow(
  ctx: PaymentContext,
  table: OrderTable,
  key: RowKey,
): Promise<void> {
  const order = await claimOrder(ctx, table, key)
  if (order) await sendClaimedOrder(ctx, table, order)
}

/** Sends an order that this process has claimed to the provider, unless the provider already has it.
 * Returns false if the provider gave no answer; a refusal is one. */
export async function sendClaimedOrder(
  ctx: PaymentContext,
  table: OrderTable,
  order: Claim,
): Promise<boolean> {
  const provider = requireProvider(ctx)
  try {
    if (table === 'payments') await sendPaymentOrder(ctx, provider, order)
    else await sendRefundOrder(ctx, provider, order)
    return true
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    await postponeOrder(ctx, table, order, error)
    if (error instanceof ChargeInDoubt) await reportChargeInDoubt(ctx, order, error)
    return error instanceof ChargeInDoubt || error instanceof ProviderRefusal
  }
}

/** Throws if another process has taken the order over while this one looked. It may have used another idempotency key since, so
 * that ours no longer keeps the order from being carried out twice. */
async function requireClaim(
  { database }: PaymentContext,
  table: OrderTable,
  { aid, id, attempts }: Claim,
): Promise<void> {
  const [order] = await listRows(database.read, table, { aid, id, attempts, status: 'pending' })
  if (!order) throw new ProviderError('another process has taken the order over')
}

const UNDECIDED = 'the provider has not decided yet'

async function sendPaymentOrder(
  ctx: PaymentContext,
  provider: PaymentProvider,
  order: Claim,
): Promise<void> {
  const payment = await getPayment(ctx.database.read, order.aid, order.id)
  const renewal = await renewalChargeOf(ctx, payment)
  const finding =
    (await findEarlierCharge(ctx, provider, payment, renewal)) ??
    (await chargeUnlessEnded(ctx, provider, { order, payment, renewal }))
  await ctx.refreshClock()
  await ctx.database.write((trx) => applyPaymentFinding(trx, ctx, payment, finding))
  if (finding.status === 'pending') await postponeUndecided(ctx, 'payments', order)
  else if (finding.ref !== undefined) await expectEvent(ctx)
}

/** The provider has taken the order, and not decided it. */
async function postponeUndecided(
  ctx: PaymentContext,
  table: OrderTable,
  order: Claim,
): Promise<void> {
  const retryAfter = await undecidedPause(ctx.database.read, ctx, order.attempts)
  await postponeOrder(ctx, table, order, new ProviderError(UNDECIDED, { retryAfter }))
}

/** A revoke or an erasure may have ended the subscription since the renewal was ordered, or the reader may have canceled it
 * while the order waited. A card that was not charged by then is no longer charged. */
async function chargeUnlessEnded(
  ctx: PaymentContext,
  provider: PaymentProvider,
  { order, payment, renewal }: { order: Claim; payment: PaymentRow; renewal: RenewalCharge },
): Promise<PaymentFinding> {
  await requireClaim(ctx, 'payments', order)
  const { aid, subscription_id, amount, currency } = payment
  const row =
    subscription_id === null
      ? undefined
      : await getSubscription(ctx.database.read, aid, subscription_id)
  const hasWaited = payment.attempts > 1
  const isStopped = row?.status === 'ended' || (hasWaited && row?.status === 'canceled')
  if (!isStopped) return await charge(ctx, provider, payment, renewal)
  return { status: 'failed', ref: undefined, money: { amount, currency }, failure: 'ended' }
}

async function charge(
  ctx: PaymentContext,
  provider: PaymentProvider,
  payment: PaymentRow,
  renewal: RenewalCharge,
): Promise<PaymentFinding> {
  const { aid, rid, amount, currency, method } = payment
  const [resource] = await findResources(ctx.database.read, aid, [rid])
  return await provider.charge({
    aid,
    paymentId: payment.id,
    money: { amount, currency },
    method: method as string,
    title: resource?.name ?? rid,
    labels: labelsOf(payment, renewal),
    refusals: payment.refusals,
  })
}

async function sendRefundOrder(
  ctx: PaymentContext,
  provider: PaymentProvider,
  order: Claim,
): Promise<void> {
  const { aid, id } = order
  const refund = (await findRefund(ctx.database.read, aid, id)) as RefundRow
  const payment = await getPayment(ctx.database.read, aid, refund.payment_id)
  const paymentRef = payment.provider_ref as string
  // The refund may already exist, made before a crash or a restore.
  const query = { refundId: id, paymentRef, ref: refund.provider_ref ?? undefined }
  let finding: RefundFinding | undefined = await provider.find.refund(query)
  if (!finding) {
    await requireClaim(ctx, 'refunds', order)
    finding = await provider.refund(await refundOrderOf(ctx, refund, payment))
  }
  if (finding.status === 'pending') {
    await postponeUndecided(ctx, 'refunds', order)
    return
  }
  await ctx.refreshClock()
  await ctx.database.write((trx) => applyRefundFinding(trx, ctx, refund, finding))
  if (finding.ref !== undefined) await expectEvent(ctx)
}

async function refundOrderOf(
  ctx: PaymentContext,
  { id, aid, amount, currency, reference, refusals }: RefundRow,
  { rid, uid, provider_ref }: PaymentRow,
): Promise<RefundOrder> {
  const installation = await getInstallationId(ctx.database)
  return {
    aid,
    refundId: id,
    paymentRef: provider_ref as string,
    money: { amount, currency },
    refusals,
    labels: { installation, rid, uid, ...(reference === null ? {} : { reference }) },
  }
}

async function reportChargeInDoubt(
  ctx: PaymentContext,
  { aid, id: paymentId }: RowKey,
  { charges }: ChargeInDoubt,
): Promise<void> {
  const findings = charges.map((charge) => ({
    kind: 'charge_in_doubt' as const,
    message:
      `${charge.ref} may have paid for the period that the payment ${paymentId} is for; ` +
      'nothing is charged until you say',
    paymentId,
    providerRef: charge.ref,
    aid,
    ...charge.money,
    at: charge.created,
  }))
  await ctx.database.write((trx) => recordFindings(trx, findings, ctx.realTime()))
}
