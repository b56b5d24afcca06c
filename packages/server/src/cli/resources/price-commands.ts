import { type Command, Option } from 'commander'
import type { Context, Environment } from '../../context.ts'
import { getApplication } from '../../domain/apps/applications.ts'
import { requireCurrency } from '../../domain/payments/provider-problems.ts'
import {
  addPrice,
  archivePrice,
  listPrices,
  type PriceRow,
  restorePrice,
  trialDays,
} from '../../domain/resources/prices.ts'
import { formatOptionalTime, formatTime } from '../../format-time.ts'
import { priceDetails } from '../../records/price.ts'
import { ACTOR, getEnvironment, type Scope, withContext } from '../context.ts'
import { addList, fieldColumns, findInApplications } from '../list.ts'
import { addResourceOptions, aidOption, envOption, parseWith, ridOption } from '../options.ts'
import { formatRecord, type Output, print } from '../output.ts'
import { parseAmountOption, parseCurrency, parsePeriodOption } from './price-options.ts'

export function addPriceCommands(program: Command): void {
  const price = program.command('price').description('manage the prices of resources')
  addCreate(price)

  addList(price, 'list', {
    description: 'list prices, including archived ones',
    filters: [aidOption(), envOption(), ridOption()],
    find: (ctx, options: Output & Scope & { rid?: string }) =>
      findInApplications(ctx, options, async (env, aid) =>
        (await listPrices(env.database.read, aid, options.rid)).map((row) => toView(env, row)),
      ),
    columns: {
      ...fieldColumns<View>('id', 'aid', 'environment', 'rid', 'terms'),
      created: (one) => formatTime(one.created),
      archived: (one) => formatOptionalTime(one.archived),
    },
    none: 'No prices yet. Create one with: gatehouse price create --aid AID --rid RID --amount 4.99',
  })

  const idCommand = (name: string, change: Change) =>
    price
      .command(name)
      .argument('<id>')
      .addOption(aidOption().makeOptionMandatory())
      .action((id, options) => withContext((ctx) => changePrice(ctx, id, options, change)))
  idCommand('archive', {
    apply: archivePrice,
    done: (id) => `Archived ${id}. It can no longer be bought.`,
  }).description('stop selling at this price; subscriptions keep their terms')
  idCommand('restore', {
    apply: restorePrice,
    done: (id) => `Restored ${id}. It can be bought again.`,
  }).description('sell at an archived price again')
}

function addCreate(price: Command): void {
  addResourceOptions(price.command('create'))
    .description('create a price: lifetime, for a period, or a subscription')
    .requiredOption('--amount <amount>', 'amount in major units of the currency, like 4.99')
    .addOption(
      new Option('--currency <code>', "currency; default: the application's").argParser(
        parseCurrency,
      ),
    )
    .addOption(
      new Option('--every <period>', 'subscription, renewed every "1 month" until canceled')
        .argParser(parsePeriodOption)
        .conflicts('for'),
    )
    .addOption(
      new Option('--for <period>', 'one payment for "30 days"').argParser(parsePeriodOption),
    )
    .addOption(
      new Option('--trial-days <days>', 'with --every: days of free trial before the first charge')
        .argParser(parseWith(trialDays))
        .default(0),
    )
    .action((options) => withContext((ctx) => create(ctx, options)))
}

function toView(env: Environment, row: PriceRow) {
  const { aid, rid } = row
  return {
    ...priceDetails(row),
    environment: env.name,
    /** URL of the page where it can be bought. */
    checkout: `${env.address()}/checkout/${aid}/${encodeURIComponent(rid)}`,
  }
}

type View = ReturnType<typeof toView>

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
    amount: parseAmountOption(options.amount, currency),
    currency,
    recurring: every === undefined ? (0 as const) : (1 as const),
    period: every ?? once ?? null,
    trial_days: trialDays,
  }
  requireCurrency(env.provider, currency)
  const row = await env.database.write((trx) => addPrice(trx, input, env.clock(), ACTOR))
  const data = toView(env, row)
  const { id, terms, checkout, environment } = data
  print(options, data, () => formatRecord({ id, aid, rid, terms, environment, checkout }))
}

/** A command that changes one price, with the message that it prints. */
interface Change {
  apply: typeof archivePrice
  done(id: string): string
}

async function changePrice(
  ctx: Context,
  id: string,
  options: Output & { aid: string },
  { apply, done }: Change,
): Promise<void> {
  const { aid } = options
  const env = await getEnvironment(ctx, aid)
  const row = await env.database.write((trx) => apply(trx, { aid, id }, env.clock(), ACTOR))
  print(options, toView(env, row), () => done(id))
}
