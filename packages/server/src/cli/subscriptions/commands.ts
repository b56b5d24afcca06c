import { type Command, Option } from 'commander'
import type { Context, Environment } from '../../context.ts'
import type { Trx } from '../../db/database.ts'
import type { SubscriptionStatus } from '../../db/tables.ts'
import { listHistory } from '../../domain/history/history.ts'
import { clocksOf } from '../../domain/payments/context.ts'
import { listRefunds, searchPayments } from '../../domain/payments/payments.ts'
import { showTerms } from '../../domain/resources/price-text.ts'
import {
  type Changing,
  cancelSubscription,
  resumeSubscription,
} from '../../domain/subscriptions/change.ts'
import {
  getShownSubscription,
  type ShownSubscription,
  searchSubscriptions,
} from '../../domain/subscriptions/search.ts'
import type { SubscriptionRow } from '../../domain/subscriptions/subscriptions.ts'
import { OperatorError } from '../../errors.ts'
import { changeDetails } from '../../records/history.ts'
import { paymentRecord } from '../../records/payment.ts'
import { historyTable } from '../access/history-table.ts'
import { paymentTable } from '../payments/tables.ts'
import {
  ACTOR,
  aidOption,
  envOption,
  formatTime,
  limitOption,
  listScopedApplications,
  type Output,
  parseDuration,
  print,
  ridOption,
  type Scope,
  table,
  userRefOption,
  withContext,
} from '../shared.ts'
import { type Found, findNamed, type Named, named, recordOf, type Shown, shown } from './record.ts'

const STATUSES: readonly SubscriptionStatus[] = [
  'trialing',
  'active',
  'past_due',
  'canceled',
  'ended',
]

/** Returns the command, so that further subcommands can be added to it. */
export function addSubscriptionCommands(program: Command): Command {
  const subscription = program.command('subscription').description('what is paid again and again')
  subscription
    .command('list')
    .description('subscriptions, ended ones too: by application, the newest first')
    .addOption(aidOption())
    .addOption(envOption())
    .addOption(ridOption())
    .addOption(userRefOption())
    .addOption(new Option('--status <status>', 'only these').choices([...STATUSES]))
    .addOption(limitOption('at most so many', 100))
    .action((options) => withContext((ctx) => list(ctx, options)))
  named(subscription.command('show'))
    .description('one subscription, with its payments and the history of its access')
    .action((id, options) => withContext((ctx) => show(ctx, id, options)))
  named(subscription.command('cancel'))
    .description('no more renewals; access goes on to the end of what was paid')
    .action((id, options) => withContext((ctx) => cancel(ctx, id, options)))
  named(subscription.command('resume'))
    .description('renew again what was canceled and has not ended')
    .action((id, options) => withContext((ctx) => resume(ctx, id, options)))
  named(subscription.command('link'))
    .description('print the link with which its reader changes the card, cancels or resumes')
    .addOption(
      new Option('--lifetime <duration>', 'how long the link is good')
        .argParser(parseDuration)
        .default(86_400, '24h'),
    )
    .action((id, options) => withContext((ctx) => link(ctx, id, options)))
  return subscription
}

interface ListOptions extends Output, Scope {
  rid?: string
  userRef?: string
  status?: SubscriptionStatus
  limit: number
}

async function list(ctx: Context, options: ListOptions): Promise<void> {
  const { rid, userRef, status, limit } = options
  const found: { env: Environment; row: ShownSubscription }[] = []
  for (const [env, aid] of await listScopedApplications(ctx, options)) {
    const window = { offset: 0, limit: limit - found.length }
    const filter = { aid, rid, userRef, status }
    const { rows } = await searchSubscriptions(env.database.read, filter, window)
    found.push(...rows.map((row) => ({ env, row })))
  }
  const data = found.map(({ env, row }) => shown(env, row))
  print(options, data, () =>
    table(
      ['id', 'aid', 'environment', 'rid', 'user_ref', 'status', 'price', 'period ends'],
      found.map(({ env, row }) => [
        row.id,
        row.aid,
        env.name,
        row.rid,
        row.user_ref ?? row.uid,
        row.status,
        showTerms({ ...row, recurring: 1, trial_days: 0 }),
        formatTime(row.current_period_end),
      ]),
      'No subscriptions.',
    ),
  )
}

const MAX_PAYMENTS = 1_000

async function show(ctx: Context, id: string | undefined, options: Named): Promise<void> {
  const { env, row } = await findNamed(ctx, id, options)
  const { aid } = row
  const { shownRow, payments, refunds, history } = await env.database.snapshot(async (db) => {
    const filter = { aid, subscriptionId: row.id }
    const { rows } = await searchPayments(db, filter, { offset: 0, limit: MAX_PAYMENTS })
    const ids = rows.map((payment) => payment.id)
    return {
      shownRow: await getShownSubscription(db, aid, row.id),
      payments: rows,
      refunds: await listRefunds(db, aid, ids),
      history: await listHistory(db, aid, { accessId: row.access_id }),
    }
  })
  const plain = shown(env, shownRow)
  const data = {
    ...plain,
    payments: payments.map((payment) => paymentRecord(payment, refunds)),
    history: history.map(changeDetails),
  }
  print(options, data, () =>
    [recordOf(plain), paymentTable(payments), historyTable(history)].join('\n\n'),
  )
}

/** Changes a subscription that has not ended, and returns it in its JSON form. */
async function change(
  { env, row }: Found,
  how: (trx: Trx, who: Changing) => Promise<SubscriptionRow>,
): Promise<Shown> {
  requireGoing(row)
  const { aid, id } = row
  const changed = await env.database.write(async (trx) => {
    await how(trx, { aid, id, actor: ACTOR })
    return await getShownSubscription(trx, aid, id)
  })
  return shown(env, changed)
}

function requireGoing({ id, ended }: SubscriptionRow): void {
  if (ended !== null)
    throw new OperatorError(`the subscription ${id} has ended on ${formatTime(ended)}`)
}

async function cancel(ctx: Context, id: string | undefined, options: Named): Promise<void> {
  const found = await findNamed(ctx, id, options)
  const { env } = found
  const data = await change(found, (trx, who) =>
    cancelSubscription(trx, who, clocksOf(env), env.delivery),
  )
  print(options, data, () =>
    data.status === 'ended'
      ? `Canceled ${data.id}: nothing that was paid is left, and it has ended.`
      : `Canceled ${data.id}: access goes on until ${formatTime(data.current_period_end)}.`,
  )
}

async function resume(ctx: Context, id: string | undefined, options: Named): Promise<void> {
  const found = await findNamed(ctx, id, options)
  const data = await change(found, (trx, who) => resumeSubscription(trx, who, found.env.clock()))
  print(
    options,
    data,
    () => `${data.id} is renewed again, next on ${formatTime(data.current_period_end)}.`,
  )
}

async function link(
  ctx: Context,
  id: string | undefined,
  options: Named & { lifetime: number },
): Promise<void> {
  const { env, row } = await findNamed(ctx, id, options)
  requireGoing(row)
  const now = env.clock()
  const url = await env.manageLink(row.id, now, options.lifetime)
  print(options, { url, expires: now + options.lifetime }, () => url)
}
