import type { ControlDatabase, Trx } from '../../db/database.ts'
import type { InstallationDatabases } from '../installation/databases.ts'
import { renameInstallation } from '../installation/generations.ts'
import { markDetached } from '../installation/hold.ts'
import type { PaymentContext } from '../payments/context.ts'
import type { PaymentRow, RefundRow } from '../payments/payments.ts'
import { settleRefund } from '../payments/refunds/refunds.ts'
import { settlePayment } from '../payments/settle.ts'
import type { Gate } from './gate.ts'
import type { NamedDesk } from './reconcile-first.ts'
import { countWaitingMails, keepMails } from './resume.ts'

/** Name of the built-in test provider. A detached copy keeps it, because no money moves there. */
const BUILT_IN = 'test'

export interface Detached {
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
  desks: readonly NamedDesk[],
  databases: InstallationDatabases,
): Promise<Detached> {
  await control.write((trx) => markDetached(trx, Date.now()))
  const closed = { payments: 0, refunds: 0, checkouts: 0 }
  for (const ctx of desks) {
    closed.payments += await closePayments(ctx)
    closed.refunds += await closeRefunds(ctx)
    closed.checkouts += await closeCheckouts(ctx)
  }
  const mails = await countWaitingMails(desks)
  await keepMails(desks)
  await renameInstallation(databases)
  await gate.resume()
  return { ...closed, mails }
}

async function closePayments(ctx: NamedDesk): Promise<number> {
  const pending = await ctx.database.read
    .selectFrom('payments')
    .selectAll()
    .where('status', '=', 'pending')
    .where('provider', '<>', BUILT_IN)
    .execute()
  for (const payment of pending) {
    await ctx.database.write((trx) => closePayment(trx, ctx, payment))
  }
  return pending.length
}

async function closePayment(trx: Trx, ctx: PaymentContext, payment: PaymentRow): Promise<void> {
  const { id, amount, currency, provider_ref } = payment
  await settlePayment(trx, ctx, id, {
    status: 'failed',
    ref: provider_ref ?? undefined,
    money: { amount, currency },
    failure: 'no_card',
  })
}

async function closeRefunds(ctx: NamedDesk): Promise<number> {
  const pending = await ctx.database.read
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.payment_id')
    .selectAll('refunds')
    .where('refunds.status', '=', 'pending')
    .where('payments.provider', '<>', BUILT_IN)
    .execute()
  for (const refund of pending) {
    await ctx.database.write((trx) => closeRefund(trx, ctx, refund))
  }
  return pending.length
}

async function closeRefund(trx: Trx, ctx: PaymentContext, refund: RefundRow): Promise<void> {
  const { id, amount, currency } = refund
  const money = { amount, currency }
  await settleRefund(trx, ctx, id, {
    status: 'failed',
    ref: undefined,
    money,
    failure: 'detached',
  })
}

async function closeCheckouts({ database }: NamedDesk): Promise<number> {
  const closed = await database.write((trx) =>
    trx
      .updateTable('checkouts')
      .set({ status: 'expired', due: null })
      .where('status', '=', 'open')
      .where('provider', '<>', BUILT_IN)
      .returning('id')
      .execute(),
  )
  return closed.length
}
