import { type Command, Option } from 'commander'
import type { Context, Environment } from '../../context.ts'
import { getApplication } from '../../domain/apps/applications.ts'
import {
  archivePrice,
  createPrice,
  listPrices,
  type PriceRow,
  trialDays,
} from '../../domain/resources/prices.ts'
import { priceDetails } from '../../records/price.ts'
import {
  ACTOR,
  aidOption,
  envOption,
  formatTime,
  getEnvironment,
  listScopedApplications,
  type Output,
  parseWith,
  print,
  record,
  ridOption,
  type Scope,
  table,
  withContext,
} from '../shared.ts'
import { amountOf, parseCurrency, parsePeriodOption } from './price-options.ts'

export function addPriceCommands(program: Command): void {
  const price = program.command('price').description('what can be bought of a resource')

  price
    .command('create')
    .description('put a resource up for sale: once and for good, for a while, or again and again')
    .addOption(aidOption().makeOptionMandatory())
    .addOption(ridOption().makeOptionMandatory())
    .requiredOption('--amount <amount>', 'in major units of the currency, like 4.99')
    .addOption(
      new Option('--currency <code>', "the application's unless set").argParser(parseCurrency),
    )
    .addOption(
      new Option('--every <period>', 'paid again every "1 month", until it is canceled')
        .argParser(parsePeriodOption)
        .conflicts('for'),
    )
    .addOption(new Option('--for <period>', 'paid once for "30 days"').argParser(parsePeriodOption))
    .addOption(
      new Option('--trial-days <days>', 'with --every: days before the first charge')
        .argParser(parseWith(trialDays))
        .default(0),
    )
    .action((options) => withContext((ctx) => create(ctx, options)))

  price
    .command('list')
    .description('all prices, archived ones too')
    .addOption(aidOption())
    .addOption(envOption())
    .addOption(ridOption())
    .action((options) => withContext((ctx) => list(ctx, options)))

  price
    .command('archive')
    .argument('<id>')
    .description('sell no more at this price; subscriptions go on under their own terms')
    .addOption(aidOption().makeOptionMandatory())
    .action((id, options) => withContext((ctx) => archive(ctx, id, options)))
}

function shown(env: Environment, row: PriceRow) {
  const { aid, rid } = row
  return {
    ...priceDetails(row),
    environment: env.name,
    /** URL of the page where it can be bought. */
    checkout: `${env.address()}/checkout/${aid}/${encodeURIComponent(rid)}`,
  }
}

type Shown = ReturnType<typeof shown>

interface CreateOptions extends Output {
  aid: string
  rid: string
  amount: string
  currency?: string
  every?: string
  for?: string
  trialDays: number
}

async function create(ctx: Context, options: CreateOptions): Promise<void> {
  const { aid, rid, every, for: once, trialDays } = options
  const env = await getEnvironment(ctx, aid)
  const currency = options.currency ?? (await getApplication(env.database.read, aid)).currency
  const input = {
    aid,
    rid,
    amount: amountOf(options.amount, currency),
    currency,
    recurring: every === undefined ? (0 as const) : (1 as const),
    period: every ?? once ?? null,
    trial_days: trialDays,
  }
  const row = await env.database.write((trx) => createPrice(trx, input, env.clock(), ACTOR))
  const data = shown(env, row)
  const { id, terms, checkout, environment } = data
  print(options, data, () => record({ id, aid, rid, terms, environment, checkout }))
}

async function list(ctx: Context, options: Output & Scope & { rid?: string }): Promise<void> {
  const found: Shown[] = []
  for (const [env, aid] of await listScopedApplications(ctx, options)) {
    const rows = await listPrices(env.database.read, aid, options.rid)
    found.push(...rows.map((row) => shown(env, row)))
  }
  print(options, found, () =>
    table(
      ['id', 'aid', 'environment', 'rid', 'terms', 'created', 'archived'],
      found.map((one) => [
        one.id,
        one.aid,
        one.environment,
        one.rid,
        one.terms,
        formatTime(one.created),
        one.archived === undefined ? '' : formatTime(one.archived),
      ]),
      'No prices. Make one with: gatehouse price create --aid AID --rid RID --amount 4.99',
    ),
  )
}

async function archive(ctx: Context, id: string, options: Output & { aid: string }): Promise<void> {
  const { aid } = options
  const env = await getEnvironment(ctx, aid)
  const row = await env.database.write((trx) => archivePrice(trx, { aid, id }, env.clock(), ACTOR))
  print(options, shown(env, row), () => `Archived ${id}: nobody can buy at this price any more.`)
}
