import { type Command, Option } from 'commander'
import type { Context } from '../../context.ts'
import type { Trx } from '../../db/database.ts'
import type { SubscriptionStatus } from '../../db/tables.ts'
import { listHistory } from '../../domain/history/history.ts'
import { clocksOf } from '../../domain/payments/context.ts'
import { listRefunds, searchPayments } from '../../domain/payments/payments.ts'
import { formatTerms } from '../../domain/resources/price-text.ts'
import {
  cancelSubscription,
  resumeSubscription,
  type SubscriptionChange,
} from '../../domain/subscriptions/lifecycle.ts'
import { getSubscriptionWithUser, searchSubscriptions } from '../../domain/subscriptions/search.ts'
import type { SubscriptionRow } from '../../domain/subscriptions/subscriptions.ts'
import { findLinkNumber } from '../../domain/users/reader-links.ts'
import { OperatorError } from '../../errors.ts'
import { formatTime } from '../../format-time.ts'
import { changeDetails } from '../../records/history.ts'
import { paymentRecord } from '../../records/payment.ts'
import { formatHistoryTable } from '../access/history-table.ts'
import { ACTOR, withContext } from '../context.ts'
import { addList, findInApplications, type RecordFilter, recordFilters } from '../list.ts'
import { durationOption } from '../options.ts'
import { print } from '../output.ts'
import { formatPaymentTable } from '../payments/tables.ts'
import {
  addKeyOptions,
  type Found,
  findSubscriptionByKey,
  recordOf,
  type SubscriptionKey,
  toView,
  type View,
} from './record.ts'

const STATUSES: readonly SubscriptionStatus[] = [
  'trialing',
  'active',
  'past_due',
  'canceled',
  'ended',
]

/** Returns the command, so that further subcommands can be added to it. */
export function addSubscriptionCommands(program: Command): Command {
  const subscription = program.command('subscription').description('manage subscriptions')
  addList(subscription, 'list', {
    description: 'list subscriptions by application, newest first, including ended ones',
    filters: [
      ...recordFilters(),
      new Option('--status <status>', 'only this status').choices([...STATUSES]),
    ],
    limit: 100,
    find: findSubscriptions,
    toJson: ({ env, row }) => toView(env, row),
    columns: {
      id: ({ row }) => row.id,
      aid: ({ row }) => row.aid,
      environment: ({ env }) => env.name,
      rid: ({ row }) => row.rid,
      user_ref: ({ row }) => row.user_ref ?? row.uid,
      status: ({ row }) => row.status,
      price: ({ row }) => formatTerms({ ...row, recurring: 1, trial_days: 0 }),
      'period ends': ({ row }) => formatTime(row.current_period_end),
    },
    none: 'No subscriptions.',
  })
  addKeyOptions(subscription.command('show'))
    .description('show one subscription with its payments and the history of its access')
    .action((id, options) => withContext((ctx) => show(ctx, id, options)))
  addKeyOptions(subscription.command('cancel'))
    .description('cancel the renewals; access continues until the end of the paid period')
    .action((id, options) => withContext((ctx) => cancel(ctx, id, options)))
  addKeyOptions(subscription.command('resume'))
    .description('undo a cancellation, as long as the subscription has not ended')
    .action((id, options) => withContext((ctx) => resume(ctx, id, options)))
  addKeyOptions(subscription.command('link'))
    .description('print the link at which the reader can change the card, cancel or resume')
    .addOption(durationOption('--lifetime', 'how long the link is valid', '24h'))
    .action((id, options) => withContext((ctx) => link(ctx, id, options)))
  return subscription
}

async function findSubscriptions(
  ctx: Context,
  options: RecordFilter & { status?: SubscriptionStatus },
) {
  const { rid, userRef, status } = options
  return await findInApplications(ctx, options, async (env, aid, limit) => {
    const filter = { aid, rid, userRef, status }
    const { rows } = await searchSubscriptions(env.database.read, filter, { offset: 0, limit })
    return rows.map((row) => ({ env, row }))
  })
}

const MAX_PAYMENTS = 1_000

async function show(ctx: Context, id: string | undefined, options: SubscriptionKey): Promise<void> {
  const { env, row } = await findSubscriptionByKey(ctx, id, options)
  const { aid } = row
  const { shownRow, payments, refunds, history } = await env.database.snapshot(async (db) => {
    const filter = { aid, subscriptionId: row.id }
    const { rows } = await searchPayments(db, filter, { offset: 0, limit: MAX_PAYMENTS })
    const ids = rows.map((payment) => payment.id)
    return {
      shownRow: await getSubscriptionWithUser(db, aid, row.id),
      payments: rows,
      refunds: await listRefunds(db, aid, ids),
      history: await listHistory(db, aid, { accessId: row.access_id }),
    }
  })
  const plain = toView(env, shownRow)
  const data = {
    ...plain,
    payments: payments.map((payment) => paymentRecord(payment, refunds)),
    history: history.map(changeDetails),
  }
  print(options, data, () =>
    [recordOf(plain), formatPaymentTable(payments), formatHistoryTable(history)].join('\n\n'),
  )
}

/** Changes a subscription that has not ended, and returns it in its JSON form. */
async function change(
  { env, row }: Found,
  how: (trx: Trx, who: SubscriptionChange) => Promise<SubscriptionRow>,
): Promise<View> {
  requireNotEnded(row)
  const { aid, id } = row
  const changed = await env.database.write(async (trx) => {
    await how(trx, { aid, id, actor: ACTOR })
    return await getSubscriptionWithUser(trx, aid, id)
  })
  return toView(env, changed)
}

function requireNotEnded({ id, ended }: SubscriptionRow): void {
  if (ended !== null)
    throw new OperatorError(`the subscription ${id} ended on ${formatTime(ended)}`)
}

async function cancel(
  ctx: Context,
  id: string | undefined,
  options: SubscriptionKey,
): Promise<void> {
  const found = await findSubscriptionByKey(ctx, id, options)
  const { env } = found
  const data = await change(found, (trx, who) =>
    cancelSubscription(trx, who, clocksOf(env), env.delivery),
  )
  print(options, data, () =>
    data.status === 'ended'
      ? `Canceled ${data.id}. It has ended, because no paid time is left.`
      : `Canceled ${data.id}. Access continues until ${formatTime(data.current_period_end)}.`,
  )
}

async function resume(
  ctx: Context,
  id: string | undefined,
  options: SubscriptionKey,
): Promise<void> {
  const found = await findSubscriptionByKey(ctx, id, options)
  const data = await change(found, (trx, who) => resumeSubscription(trx, who, found.env.clock()))
  print(
    options,
    data,
    () => `Resumed ${data.id}. It renews on ${formatTime(data.current_period_end)}.`,
  )
}

async function link(
  ctx: Context,
  id: string | undefined,
  options: SubscriptionKey & { lifetime: number },
): Promise<void> {
  const { env, row } = await findSubscriptionByKey(ctx, id, options)
  requireNotEnded(row)
  const now = env.clock()
  const linkNumber = await findLinkNumber(env.database.read, row)
  const url = await env.manageLink({ ...row, linkNumber }, now, options.lifetime)
  print(options, { url, expires: now + options.lifetime }, () => url)
}
