import type { Command } from 'commander'
import { type Context, ENVIRONMENTS, type EnvironmentName } from '../../context.ts'
import { showMoney } from '../../domain/apps/currency.ts'
import { ProviderError } from '../../domain/payments/provider-error.ts'
import { dismissFinding, listOpenFindings } from '../../domain/payments/reconcile/findings.ts'
import { type Finding, reconcile } from '../../domain/payments/reconcile/reconcile.ts'
import { fail, OperatorError } from '../../errors.ts'
import { formatTime } from '../../format-time.ts'
import { withContext } from '../context.ts'
import { envOption, parseTime } from '../options.ts'
import { formatTable, type Output, print } from '../output.ts'

export function addReconcileCommands(payment: Command): void {
  payment
    .command('reconcile')
    .description(
      "compare the payment provider's records with ours, repair what is safe to repair, " +
        'and list the rest for you to decide',
    )
    .addOption(envOption().default('production'))
    .option(
      '--since <when>',
      'seconds since 1970, or a date like 2027-03-01; default: shortly before the last comparison',
      parseTime,
    )
    .action((options) => withContext((ctx) => runReconciliation(ctx, options)))

  payment
    .command('dismiss')
    .argument('<finding>', 'the id that reconcile prints')
    .description(
      'mark a finding as resolved, so that it is no longer shown; an order that waits is tried again at once',
    )
    .action((id, options) => withContext((ctx) => dismiss(ctx, id, options)))
}

interface ReconcileOptions extends Output {
  env: EnvironmentName
  since?: number
}

async function runReconciliation(ctx: Context, options: ReconcileOptions): Promise<void> {
  const env = ctx.environments[options.env]
  if (!env.provider?.ledger) {
    throw new OperatorError(`${env.name} has no payment provider to compare with`)
  }
  const { since } = options
  const found = await asOperatorError(() => reconcile(env, since === undefined ? {} : { since }))
  const rows = await listOpenFindings(env.database.read)
  const open = rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    message: row.message,
    ...(row.payment_id === null ? {} : { paymentId: row.payment_id }),
    ...(row.provider_ref === null ? {} : { providerRef: row.provider_ref }),
    ...(row.aid === null ? {} : { aid: row.aid }),
    ...(row.amount === null ? {} : { amount: row.amount }),
    ...(row.currency === null ? {} : { currency: row.currency }),
  }))
  const data = { environment: env.name, ...found, open }
  print(options, data, () =>
    [
      `${found.charges} charges since ${formatTime(found.since)} compared.`,
      formatFindings('Repaired', found.repaired),
      formatFindings('Open (your decision)', open),
    ].join('\n\n'),
  )
}

function formatFindings(title: string, findings: readonly (Finding & { id?: string })[]): string {
  if (findings.length === 0) return `${title}: none.`
  const rows = findings.map(({ id = '', kind, amount, currency, message }) => [
    ...[id, kind],
    amount === undefined || currency === undefined ? '' : showMoney(amount, currency),
    message,
  ])
  return `${title}:\n${formatTable(['id', 'kind', 'amount', 'what'], rows, '')}`
}

/** Turns an error of the provider into a one-line message. */
async function asOperatorError<R>(work: () => Promise<R>): Promise<R> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ProviderError) throw new OperatorError(error.message)
    throw error
  }
}

async function dismiss(ctx: Context, id: string, options: Output): Promise<void> {
  for (const name of ENVIRONMENTS) {
    const env = ctx.environments[name]
    const open = await listOpenFindings(env.database.read)
    if (!open.some((row) => row.id === id)) continue
    const row = await env.database.write((trx) => dismissFinding(trx, id, env.realTime()))
    const data = { id, kind: row.kind, message: row.message, environment: name }
    return print(options, data, () => `Dismissed ${id}: ${row.message}.`)
  }
  throw fail('finding_not_found')
}
