import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { openCsv } from '../../domain/transfer/csv.ts'
import {
  type ImportedSubscriptions,
  importSubscriptionFile,
} from '../../domain/transfer/import-subscriptions.ts'
import { problemWithHeader } from '../../domain/transfer/subscription-columns.ts'
import { getEnvironment, withContext } from '../context.ts'
import { aidOption } from '../options.ts'
import { type Output, print } from '../output.ts'

/** Adds `import` to the `subscription` command. */
export function addSubscriptionImportCommand(subscription: Command): void {
  subscription
    .command('import')
    .argument(
      '<file>',
      'CSV file with a header: rid, email, amount, currency, period and current_period_end are required; ' +
        'user_ref, status (active or canceled), created, provider and method are optional',
    )
    .addOption(aidOption().makeOptionMandatory())
    .option(
      '--dry-run',
      'report what would happen without changing anything; blocks other writes meanwhile',
    )
    .option('--events', 'tell sites by events; default: they hear nothing')
    .description(
      'import subscriptions that were sold elsewhere, all of a file or none; exits with 1 if a ' +
        'row is invalid',
    )
    .action((path, options) => withContext((ctx) => runImport(ctx, path, options)))
}

interface ImportOptions extends Output {
  aid: string
  dryRun?: boolean
  events?: boolean
}

async function runImport(ctx: Context, path: string, options: ImportOptions): Promise<void> {
  const { aid, dryRun = false } = options
  const { database, clock, provider } = await getEnvironment(ctx, aid)
  const file = await openCsv(path, problemWithHeader)
  const outcome = await importSubscriptionFile(database, file, {
    aid,
    provider: provider?.name,
    events: options.events,
    now: clock(),
    dryRun,
  })
  const isWrong = outcome.wrong.length > 0
  if (isWrong) process.exitCode = 1
  const done = !isWrong && !dryRun
  print(options, { aid, dry_run: dryRun, done, ...outcome }, () => summaryOf(outcome, dryRun))
}

function summaryOf(
  { rows, imported, unchanged, wrong }: ImportedSubscriptions,
  dryRun: boolean,
): string {
  if (wrong.length > 0) {
    const lines = wrong.map(({ line, reason }) => `line ${line}: ${reason}`)
    return [`Nothing was imported: ${wrong.length} of ${rows} rows are invalid.`, ...lines].join(
      '\n',
    )
  }
  const said = `${rows} rows: ${imported} imported, ${unchanged} already there.`
  return dryRun ? `Dry run, nothing was changed. ${said}` : said
}
