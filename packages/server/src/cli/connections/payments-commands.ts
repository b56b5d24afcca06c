import { Argument, type Command } from 'commander'
import {
  type Context,
  ENVIRONMENTS,
  type Environment,
  type EnvironmentName,
} from '../../context.ts'
import {
  connectPayments,
  type PaymentsResult,
  setLinkOffered,
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

  payments
    .command('link')
    .description(
      `choose whether readers may pay through Stripe's Link; off by default. ${LINK_COSTS}`,
    )
    .addOption(envOption().makeOptionMandatory())
    .addArgument(new Argument('<state>').choices(['on', 'off']))
    .action((state, options) => withContext((ctx) => link(ctx, state === 'on', options)))
}

const LINK_COSTS =
  'Link also offers bank payments and Klarna, at fees of their own: up to 5.99 % + 0.30 for each payment'

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
  await printResult(options, env, result)
}

async function printResult(
  options: Output,
  env: Environment,
  result: PaymentsResult,
): Promise<void> {
  const { webhookProblem: problem } = result
  const view = await recordOf(env)
  print(options, { ...view, webhook_problem: problem ?? null }, () => {
    const text = forPeople(view)
    return problem === undefined ? text : `${text}\n\nNo webhook: ${WEBHOOK_ADVICE[problem]}.`
  })
}

async function show(ctx: Context, options: Output & { env?: EnvironmentName }): Promise<void> {
  const names = ENVIRONMENTS.filter((name) => (options.env ?? name) === name)
  const all = await Promise.all(names.map((name) => recordOf(ctx.environments[name])))
  print(options, all, () => all.map(forPeople).join('\n\n'))
}

async function test(ctx: Context, options: Options): Promise<void> {
  const env = ctx.environments[options.env]
  const { account } = await audited(ctx, 'payments.test', env.name, () => testPayments(env))
  const { problems } = await viewPayments(env)
  const texts = problems.map(({ text }) => `\n\n${text}`).join('')
  print(options, { environment: env.name, ok: true, account, problems }, () =>
    account
      ? `Stripe takes the key. The account is ${nameOf(account)}.${texts}`
      : `Stripe takes the key.${texts}`,
  )
}

async function link(ctx: Context, isOffered: boolean, options: Options): Promise<void> {
  const env = ctx.environments[options.env]
  await audited(ctx, 'payments.link', env.name, () => setLinkOffered(env, isOffered))
  print(options, { environment: env.name, offers_link: isOffered }, () =>
    isOffered
      ? `Payment pages offer Link within 5 seconds. ${LINK_COSTS}.`
      : 'Payment pages offer cards alone within 5 seconds. Subscriptions that were paid through Link continue.',
  )
}

const recordOf = async (env: Environment) => ({
  environment: env.name,
  ...(await viewPayments(env)),
})

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

function forPeople(view: Awaited<ReturnType<typeof recordOf>>): string {
  const { source, provider, mode, key_ending, account, connected, connected_by, webhook } = view
  const record = {
    environment: view.environment,
    provider: PROVIDERS[provider],
    settings: SOURCES[source],
    ...(key_ending === null ? {} : { key: `…${key_ending} (${mode} mode)` }),
    ...(account === null ? {} : { account: nameOf(account) }),
    ...(connected === null
      ? {}
      : { connected: `${formatTime(Math.floor(connected / 1000))}, ${connected_by}` }),
    ...(provider === 'stripe'
      ? {
          webhook: `${webhook.state}, ${webhook.url}`,
          link: view.offers_link ? 'offered' : 'not offered',
        }
      : {}),
  }
  return [formatRecord(record), ...view.problems.map(({ text }) => text)].join('\n\n')
}
