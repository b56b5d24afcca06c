import type { ControlDatabase, Trx } from '../../db/database.ts'
import { countAffected } from '../../db/queries/rows.ts'
import { listApplications } from '../apps/applications.ts'
import { removeConnections } from '../connections/stored.ts'
import type { InstallationDatabases } from '../installation/databases.ts'
import { assignNewInstallationIds } from '../installation/generations.ts'
import { markDetached } from '../installation/hold.ts'
import { applyPaymentFinding } from '../payments/apply-payment.ts'
import type { PaymentContext } from '../payments/context.ts'
import type { PaymentRow, RefundRow } from '../payments/payments.ts'
import { applyRefundFinding } from '../payments/refunds/refunds.ts'
import { switchOffAll } from '../webhooks/switch.ts'
import type { Gate } from './gate.ts'
import type { NamedEnvironment } from './reconcile-first.ts'
import { countWaitingMails, discardQueuedMails } from './resume.ts'

/** Name of the built-in test provider. A detached copy keeps it, because no money moves there. */
const BUILT_IN = 'test'

export interface DetachResult {
  /** Orders that were closed without asking the provider. */
  payments: number
  refunds: number
  checkouts: number
  /** Queued mails that are kept instead of sent. */
  mails: number
}

/**
 * Makes a copy an installation of its own. From the first step on, no process of it can reach the payment provider or
 * a mail server. Pending orders are settled as if the provider had refused them. An interrupted run can be repeated.
 */
export async function detachInstallation(
  gate: Gate,
  control: ControlDatabase,
  environments: readonly NamedEnvironment[],
  databases: InstallationDatabases,
): Promise<DetachResult> {
  await control.write((trx) => markDetached(trx, Date.now()))
  const closed = { payments: 0, refunds: 0, checkouts: 0 }
  for (const ctx of environments) {
    for (const { aid } of await listApplications(ctx.database.read)) {
      closed.payments += await closePayments(ctx, aid)
      closed.refunds += await closeRefunds(ctx, aid)
      closed.checkouts += await closeCheckouts(ctx, aid)
    }
  }
  // A copy knows the keys of the installation that it was copied from, and must not be able to use them later either.
  for (const { database } of environments) {
    await database.write(async (trx) => {
      await removeConnections(trx)
      await switchOffAll(trx, Date.now())
    })
  }
  const mails = await countWaitingMails(control, environments)
  await discardQueuedMails(control, environments)
  await assignNewInstallationIds(databases)
  await gate.resume()
  return { ...closed, mails }
}

/** Closes each order in a transaction of its own, and returns how many there were. */
async function closeEach<R>(
  ctx: NamedEnvironment,
  pending: readonly R[],
  close: (trx: Trx, ctx: PaymentContext, order: R) => Promise<void>,
): Promise<number> {
  for (const order of pending) await ctx.database.write((trx) => close(trx, ctx, order))
  return pending.length
}

async function closePayments(ctx: NamedEnvironment, aid: string): Promise<number> {
  const pending = await ctx.database.read
    .selectFrom('payments')
    .selectAll()
    .where((eb) => eb.and({ aid, status: 'pending' }))
    .where('provider', '<>', BUILT_IN)
    .execute()
  return await closeEach(ctx, pending, closePayment)
}

async function closePayment(trx: Trx, ctx: PaymentContext, payment: PaymentRow): Promise<void> {
  const { amount, currency, provider_ref } = payment
  await applyPaymentFinding(trx, ctx, payment, {
    status: 'failed',
    ref: provider_ref ?? undefined,
    money: { amount, currency },
    failure: 'no_card',
  })
}

async function closeRefunds(ctx: NamedEnvironment, aid: string): Promise<number> {
  const pending = await ctx.database.read
    .selectFrom('refunds as r')
    .innerJoin('payments as p', (join) =>
      join.onRef('p.aid', '=', 'r.aid').onRef('p.id', '=', 'r.payment_id'),
    )
    .selectAll('r')
    .where((eb) => eb.and({ 'r.aid': aid, 'r.status': 'pending' }))
    .where('p.provider', '<>', BUILT_IN)
    .execute()
  return await closeEach(ctx, pending, closeRefund)
}

async function closeRefund(trx: Trx, ctx: PaymentContext, refund: RefundRow): Promise<void> {
  const { amount, currency } = refund
  const money = { amount, currency }
  await applyRefundFinding(trx, ctx, refund, {
    status: 'failed',
    ref: undefined,
    money,
    failure: 'detached',
  })
}

async function closeCheckouts({ database }: NamedEnvironment, aid: string): Promise<number> {
  return await database.write((trx) =>
    countAffected(
      trx
        .updateTable('checkouts')
        .set({ status: 'expired', due: null })
        .where((eb) => eb.and({ aid, status: 'open' }))
        .where('provider', '<>', BUILT_IN),
    ),
  )
}
