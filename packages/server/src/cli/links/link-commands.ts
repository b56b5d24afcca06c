import { LinkError } from '@gatehouse/sdk'
import { makePurchaseLink, type PurchaseLink } from '@gatehouse/sdk/links'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Context } from '../../context.ts'
import { getApplication } from '../../domain/apps/applications.ts'
import { readPurchaseLink } from '../../domain/payments/checkout/purchase-link.ts'
import { trialDays } from '../../domain/resources/prices.ts'
import { Failure } from '../../errors.ts'
import { getEnvironment, withContext } from '../context.ts'
import {
  aidOption,
  emailOption,
  parseDuration,
  parseWith,
  ridOption,
  userRefOption,
} from '../options.ts'
import { type Output, print } from '../output.ts'
import { parseCurrency, parsePeriodOption } from '../resources/price-options.ts'
import { newestKey, serviceAddresses } from './sign-commands.ts'

export function addLinkCommands(program: Command): void {
  const link = program.command('link').description('create signed purchase links')

  link
    .command('create')
    .description('print a purchase link, after checking that a buyer can open it')
    .addOption(aidOption('the application that sells').makeOptionMandatory())
    .addOption(ridOption().makeOptionMandatory())
    .option('--name <name>', 'name of the resource, if the purchase has to create it')
    .option('--url <url>', 'URL of the resource, if the purchase has to create it')
    .option('--price <id>', 'id of a price; without --price and --amount, the buyer chooses')
    .option('--amount <amount>', 'a price for this link only, like 4.99')
    .addOption(
      new Option('--currency <code>', "currency; default: the application's").argParser(
        parseCurrency,
      ),
    )
    .addOption(
      new Option('--every <period>', 'with --amount: subscription, renewed every "1 month"')
        .argParser(parsePeriodOption)
        .conflicts('for'),
    )
    .addOption(
      new Option('--for <period>', 'with --amount: one payment for "30 days"').argParser(
        parsePeriodOption,
      ),
    )
    .addOption(
      new Option(
        '--trial-days <days>',
        'with --every: days of free trial before the first charge',
      ).argParser(parseWith(trialDays)),
    )
    .addOption(userRefOption('your reference for the reader who gets access'))
    .addOption(emailOption("the reader's email address, which you have verified"))
    .option('--return-url <url>', 'where the buyer returns to after paying')
    .addOption(
      new Option('--lifetime <duration>', 'how long the link is valid')
        .argParser(parseLifetime)
        .default(86_400, '24h'),
    )
    .action((options) => withContext((ctx) => create(ctx, options)))
}

function parseLifetime(text: string): number {
  const seconds = parseDuration(text)
  if (seconds === 0) throw new InvalidArgumentError('Must be at least one second.')
  return seconds
}

/** The options of `link create`, with the names that Commander gives them. */
interface CreateOptions
  extends Output,
    Omit<
      PurchaseLink,
      'period' | 'recurring' | 'trial_days' | 'user_ref' | 'return_url' | 'expires'
    > {
  aid: string
  every?: string
  for?: string
  trialDays?: number
  userRef?: string
  returnUrl?: string
  lifetime: number
}

async function create(ctx: Context, options: CreateOptions): Promise<void> {
  const { json, aid, lifetime, every, for: once, ...rest } = options
  const { trialDays, userRef, returnUrl, ...same } = rest
  const period = every ?? once
  const env = await getEnvironment(ctx, aid)
  await env.refreshClock()
  const { currency } = await getApplication(env.database.read, aid)
  const link: PurchaseLink = {
    ...(same.amount === undefined ? {} : { currency }),
    ...same,
    ...(period === undefined ? {} : { period }),
    ...(every === undefined ? {} : { recurring: true }),
    ...(trialDays === undefined ? {} : { trial_days: trialDays }),
    ...(userRef === undefined ? {} : { user_ref: userRef }),
    ...(returnUrl === undefined ? {} : { return_url: returnUrl }),
    expires: Math.floor(env.realTime() / 1000) + lifetime,
  }
  const target = await sign({ baseUrl: '', aid, privateKey: await newestKey(ctx, aid) }, link)
  // Fail now rather than when the buyer opens the link.
  await readPurchaseLink(env, { aid, rid: link.rid }, target)
  const url = serviceAddresses(ctx)[env.name] + target
  print({ json }, { url, expires: link.expires }, () => url)
}

async function sign(...args: Parameters<typeof makePurchaseLink>): Promise<string> {
  try {
    return await makePurchaseLink(...args)
  } catch (error) {
    if (!(error instanceof LinkError)) throw error
    const { message, parameter = '' } = error
    throw new Failure('invalid_parameter', message, { about: { parameter, problem: message } })
  }
}
