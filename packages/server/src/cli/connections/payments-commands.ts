import type { Command } from 'commander'
import {
  type Context,
  ENVIRONMENTS,
  type Environment,
  type EnvironmentName,
} from '../../context.ts'
import {
  connectPayments,
  type PaymentsResult,
  testPayments,
} from '../../domain/connections/payments.ts'
import { type PaymentsView, viewPayments } from '../../domain/connections/view.ts'
import { Failure, OperatorError } from '../../errors.ts'
import { formatTime } from '../../format-time.ts'
import { withContext } from '../context.ts'
import { envOption } from '../options.ts'
import { formatRecord, type Output, print } from '../output.ts'
import { audited, COMMAND_LINE } from './audited.ts'
import { readSecrets } from './secret-input.ts'

interface Options extends Output {
  env: EnvironmentName
  yes?: boolean
}

export function addPaymentsCommands(program: Command): void {
  const payments = program.command('payments').description('the connection to the payment provider')

  payments
    .command('connect')
    .description(
      'connect Stripe: the secret key is the first line of standard input, or asked for; the signing ' +
        'secret of a webhook created by hand may be the second',
    )
    .addOption(envOption().makeOptionMandatory())
    .option('--yes', 'connect even if payments or subscriptions depend on another account')
    .action((options) => withContext((ctx) => connect(ctx, options)))

  payments
    .command('show')
    .description('show how payments are connected, without secrets')
    .addOption(envOption('only production or sandbox'))
    .action((options) => withContext((ctx) => show(ctx, options)))

  payments
    .command('test')
    .description('make a harmless request with the keys that are in use')
    .addOption(envOption().makeOptionMandatory())
    .action((options) => withContext((ctx) => test(ctx, options)))
}

const WEBHOOK_ADVICE: Readonly<Record<string, string>> = {
  address_not_public:
    "Stripe can't reach this address, so payments settle by polling, within a minute or so",
  no_permission:
    'the key lacks the right "Webhook Endpoints: Write". Give it that right, or create the webhook by ' +
    'hand as docs/sell/stripe.md says, and pass its signing secret in the second line',
  on_hold: 'the installation is on hold. Connect again after gatehouse resume',
  failed:
    'Stripe did not create the webhook. Connect again later; until then, payments settle by polling',
}

async function connect(ctx: Context, options: Options): Promise<void> {
  const env = ctx.environments[options.env]
  const [secretKey = '', webhookSecret] = await readSecrets([
    'Stripe secret key: ',
    'Webhook signing secret (leave empty to create the webhook through Stripe): ',
  ])
  const input = { secretKey, webhookSecret, isConfirmed: options.yes === true, by: COMMAND_LINE }
  const result = await audited(ctx, 'payments.connect', env.name, async () => {
    try {
      return await connectPayments(env, input)
    } catch (error) {
      if (error instanceof Failure && error.code === 'connection_in_use')
        throw new OperatorError(`${error.message} Pass --yes to connect it anyway`)
      throw error
    }
  })
  printResult(options, env, result)
}

function printResult(options: Output, env: Environment, result: PaymentsResult): void {
  const { webhookProblem: problem } = result
  const data = { ...recordOf(env), webhook_problem: problem ?? null }
  print(options, data, () => {
    const text = formatRecord(forPeople(env))
    return problem === undefined ? text : `${text}\n\nNo webhook: ${WEBHOOK_ADVICE[problem]}.`
  })
}

async function show(ctx: Context, options: Output & { env?: EnvironmentName }): Promise<void> {
  const names = ENVIRONMENTS.filter((name) => (options.env ?? name) === name)
  const all = names.map((name) => ctx.environments[name])
  print(options, all.map(recordOf), () =>
    all.map((env) => formatRecord(forPeople(env))).join('\n\n'),
  )
}

async function test(ctx: Context, options: Options): Promise<void> {
  const env = ctx.environments[options.env]
  const { account } = await audited(ctx, 'payments.test', env.name, () => testPayments(env))
  print(options, { environment: env.name, ok: true, account }, () =>
    account ? `Stripe takes the key. The account is ${nameOf(account)}.` : 'Stripe takes the key.',
  )
}

const recordOf = (env: Environment) => ({ environment: env.name, ...viewPayments(env) })

const SOURCES: Readonly<Record<PaymentsView['source'], string>> = {
  operator: "the operator's environment variables",
  staff: 'stored',
  none: 'not connected',
}
const PROVIDERS: Readonly<Record<PaymentsView['provider'], string>> = {
  stripe: 'Stripe',
  test_cards: 'test cards; no real money moves',
  none: 'none, so nothing can be sold',
}

const nameOf = ({ id, name }: NonNullable<PaymentsView['account']>) =>
  name === null ? id : `${name} (${id})`

function forPeople(env: Environment): Record<string, string> {
  const { source, provider, mode, key_ending, account, connected, connected_by, webhook } =
    viewPayments(env)
  return {
    environment: env.name,
    provider: PROVIDERS[provider],
    settings: SOURCES[source],
    ...(key_ending === null ? {} : { key: `…${key_ending} (${mode} mode)` }),
    ...(account === null ? {} : { account: nameOf(account) }),
    ...(connected === null
      ? {}
      : { connected: `${formatTime(Math.floor(connected / 1000))}, ${connected_by}` }),
    ...(provider === 'stripe' ? { webhook: `${webhook.state}, ${webhook.url}` } : {}),
  }
}
