import { Argument, type Command, Option } from 'commander'
import { type Context, ENVIRONMENTS, type Environment } from '../../context.ts'
import { findApplicationOf } from '../../db/find-application.ts'
import { showMoney } from '../../domain/apps/currency.ts'
import { clocksOf } from '../../domain/payments/context.ts'
import { applyEvent } from '../../domain/payments/events.ts'
import {
  findPayment,
  getPayment,
  listRefunds,
  type PaymentRow,
  type RefundRow,
  searchPayments,
} from '../../domain/payments/payments.ts'
import { attemptRefunds } from '../../domain/payments/refunds/attempt-refunds.ts'
import { requestRefund } from '../../domain/payments/refunds/orders.ts'
import {
  DISPUTE_OUTCOMES,
  type DisputeOutcome,
  type TestCards,
} from '../../domain/payments/test-cards/test-cards.ts'
import { Failure, fail, OperatorError } from '../../errors.ts'
import * as fields from '../../fields.ts'
import { formatTime } from '../../format-time.ts'
import { paymentDetails } from '../../records/payment.ts'
import { refundRecord } from '../../records/refund.ts'
import { ACTOR, getEnvironment, withContext } from '../context.ts'
import { addList, findInApplications, type RecordFilter, recordFilters } from '../list.ts'
import { aidOption, parseWith } from '../options.ts'
import { formatRecord, type Output, print } from '../output.ts'
import { parseAmountOption } from '../resources/price-options.ts'
import { addReconcileCommands } from './reconcile-commands.ts'
import { addRehearseCommand } from './rehearse-command.ts'
import { formatRefundTable } from './tables.ts'

export function addPaymentCommands(program: Command): void {
  const payment = program.command('payment').description('payments and refunds')

  addList(payment, 'list', {
    description: 'list payments by application, newest first',
    filters: [...recordFilters(), new Option('--flagged', 'only payments that need attention')],
    limit: 100,
    find: findPayments,
    toJson: ({ view }) => view,
    columns: {
      id: ({ row }) => row.id,
      aid: ({ row }) => row.aid,
      environment: ({ view }) => view.environment,
      rid: ({ row }) => row.rid,
      uid: ({ row }) => row.uid,
      created: ({ row }) => formatTime(row.created),
      amount: ({ row }) => showMoney(row.amount, row.currency),
      status: ({ row }) => row.status,
      refunded: ({ row }) => (row.refunded === 0 ? '' : showMoney(row.refunded, row.currency)),
      flag: ({ row }) => row.flag,
    },
    none: 'No payments.',
  })

  payment
    .command('show')
    .argument('<id>')
    .description('show one payment with its refunds')
    .action((id, options) => withContext((ctx) => show(ctx, id, options)))

  addRefundCommand(payment)

  payment
    .command('dispute')
    .argument('<id>')
    .addArgument(new Argument('<outcome>').choices([...DISPUTE_OUTCOMES]))
    .description(
      'simulate a dispute, or a question of the bank, of a test card payment in the sandbox',
    )
    .addOption(aidOption().makeOptionMandatory())
    .option('--amount <amount>', 'what the dispute is about; by default all of the payment')
    .action((id, outcome, options) => withContext((ctx) => dispute(ctx, id, outcome, options)))

  addReconcileCommands(payment)
  addRehearseCommand(payment)
}

function addRefundCommand(payment: Command): void {
  payment
    .command('refund')
    .argument('<id>')
    .description(
      'refund a payment or a part of it; a full refund ends the access that was paid for',
    )
    .addOption(aidOption().makeOptionMandatory())
    .option('--amount <amount>', 'amount in major units, like 2.50; default: all that is left')
    .addOption(
      new Option(
        '--reference <text>',
        'your own id for the refund; repeating it does not refund again',
      ).argParser(parseWith(fields.reference)),
    )
    .action((id, options) => withContext((ctx) => refund(ctx, id, options)))
}

const toView = (env: Environment, row: PaymentRow, refunds: readonly RefundRow[]) => ({
  ...paymentDetails(row, refunds),
  environment: env.name,
})

async function findPayments(ctx: Context, options: RecordFilter & { flagged?: boolean }) {
  const { rid, userRef, flagged } = options
  return await findInApplications(ctx, options, async (env, aid, limit) => {
    const filter = { aid, rid, userRef, flagged }
    const { rows } = await searchPayments(env.database.read, filter, { offset: 0, limit })
    const ids = rows.map(({ id }) => id)
    const refunds = await listRefunds(env.database.read, aid, ids)
    return rows.map((row) => ({ row, view: toView(env, row, refunds) }))
  })
}

/** Searches both environments, since the id doesn't say which one the payment belongs to. */
async function find(ctx: Context, id: string): Promise<{ env: Environment; row: PaymentRow }> {
  for (const name of ENVIRONMENTS) {
    const env = ctx.environments[name]
    const { read } = env.database
    const aid = await findApplicationOf(read, 'payments', id)
    const row = aid === undefined ? undefined : await findPayment(read, aid, id)
    if (row) return { env, row }
  }
  throw fail('payment_not_found', `No payment has the id ${id}.`)
}

async function show(ctx: Context, id: string, options: Output): Promise<void> {
  const { env, row } = await find(ctx, id)
  await printPayment(env, row, options)
}

async function printPayment(env: Environment, row: PaymentRow, options: Output): Promise<void> {
  const refunds = await listRefunds(env.database.read, row.aid, [row.id])
  const data = toView(env, row, refunds)
  print(options, data, () => {
    const { refunds: _, ...plain } = data
    const times = ['created', 'settled', 'period_start', 'period_end'] as const
    const spoken = times.flatMap((name) => {
      const at = plain[name]
      return at === undefined ? [] : [[name, formatTime(at)]]
    })
    return `${formatRecord({ ...plain, ...Object.fromEntries(spoken) })}\n\n${formatRefundTable(refunds)}`
  })
}

const REFERENCE_REQUIRED =
  '--reference is required for a partial refund, so that a repeated command does not refund twice'

const isAbout = (error: unknown, parameter: string) =>
  error instanceof Failure && error.parameter === parameter

interface RefundOptions extends Output {
  aid: string
  amount?: string
  reference?: string
}

async function refund(ctx: Context, id: string, options: RefundOptions): Promise<void> {
  const { aid, amount, reference } = options
  const env = await getEnvironment(ctx, aid)
  const order = await env.database.write(async (trx) => {
    const payment = await getPayment(trx, aid, id)
    const input = {
      aid,
      paymentId: id,
      actor: ACTOR,
      isStrict: true as const,
      ...(amount === undefined ? {} : { amount: parseAmountOption(amount, payment.currency) }),
      ...(reference === undefined ? {} : { reference }),
    }
    return await requestRefund(trx, input, clocksOf(env)).catch((error: unknown) => {
      const isMissing = reference === undefined && isAbout(error, 'reference')
      throw isMissing ? new OperatorError(REFERENCE_REQUIRED) : error
    })
  })
  const [settled] = (await attemptRefunds(env, [order])) as [RefundRow]
  const data = { ...refundRecord(settled), payment: id, environment: env.name }
  if (settled.status === 'failed') process.exitCode = 1
  print(options, data, () => {
    const text = formatRecord(data)
    if (settled.status !== 'pending') return text
    return `${text}\n\nThe provider has not answered yet. A running service asks again until it does.`
  })
}

/** Disputes can be simulated only for test cards; those of real payments are up to the bank. */
function requireTestCards(env: Environment, row: PaymentRow): TestCards {
  if (env.provider?.name === 'test' && row.provider === 'test' && row.provider_ref !== null) {
    return env.provider as TestCards
  }
  throw new OperatorError(
    `the payment ${row.id} was not made with a sandbox test card, so a dispute can't be simulated`,
  )
}

async function dispute(
  ctx: Context,
  id: string,
  outcome: DisputeOutcome,
  options: Output & { aid: string; amount?: string },
): Promise<void> {
  const { aid } = options
  const env = await getEnvironment(ctx, aid)
  const row = await getPayment(env.database.read, aid, id)
  const cards = requireTestCards(env, row)
  const amount =
    options.amount === undefined ? undefined : parseAmountOption(options.amount, row.currency)
  await cards.dispute(row.provider_ref as string, outcome, amount)
  await applyEvent(env, { kind: 'payment', paymentId: id, owner: { aid } })
  await printPayment(env, await getPayment(env.database.read, aid, id), options)
}
