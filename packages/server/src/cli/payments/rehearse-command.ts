import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { isPublicAddress } from '../../domain/connections/stripe-webhook.ts'
import type { RehearsalStep } from '../../domain/payments/stripe/rehearsal/rehearsal.ts'
import { OperatorError } from '../../errors.ts'
import { writePrivateFile } from '../../new-file.ts'
import { version } from '../../version.ts'
import { readSecrets } from '../connections/secret-input.ts'
import { withContext } from '../context.ts'
import { type Output, oneLine, print } from '../output.ts'
import { progressBar } from '../progress.ts'

interface Options extends Output {
  report?: string
  restrictedKey?: boolean
}

export function addRehearseCommand(payment: Command): void {
  payment
    .command('rehearse')
    .description(
      "run test sales, and all that Stripe may refuse, with the sandbox's Stripe test keys, and report each step " +
        'with what was expected; no real money moves',
    )
    .option('--report <file>', 'write a report in Markdown, without keys, names or addresses')
    .option(
      '--restricted-key',
      'also try the permissions of a restricted test key: it is the first line of standard input, or asked for',
    )
    .action((options) => withContext((ctx) => rehearse(ctx, options)))
}

async function rehearse(ctx: Context, options: Options): Promise<void> {
  const { keys } = ctx.environments.sandbox.connections.payments
  if (!keys) {
    throw new OperatorError(
      'this check needs the test keys of your Stripe account: connect them with gatehouse payments connect ' +
        '--env sandbox, or set GATEHOUSE_SANDBOX_STRIPE_SECRET_KEY and GATEHOUSE_SANDBOX_STRIPE_WEBHOOK_SECRET',
    )
  }
  const { secretKey } = keys
  const [restrictedKey] = options.restrictedKey
    ? await readSecrets(['Restricted test key: '])
    : [undefined]
  const events = `${ctx.environments.sandbox.address()}/events/stripe`
  const webhookUrl = isPublicAddress(events) ? events : undefined
  const { runRehearsal } = await import('../../domain/payments/stripe/rehearsal/rehearsal.ts')
  const { formatReport } = await import('../../domain/payments/stripe/rehearsal/report.ts')
  const run = () =>
    runRehearsal({ secretKey, restrictedKey, webhookUrl, api: ctx.config.stripeApi, onStep })
  let steps: RehearsalStep[] = []
  async function* report() {
    steps = await run()
    yield formatReport(steps, { version: version(), webhookUrl })
  }
  // The file is opened first, so that one that can't be written is known before the first step.
  if (options.report === undefined) steps = await run()
  else await writePrivateFile(options.report, report())
  await printSteps(options, steps)
}

function onStep(done: number, total: number): void {
  const bar = progressBar(total)
  if (done < total) bar.show(done)
  else bar.end()
}

async function printSteps(options: Options, steps: readonly RehearsalStep[]): Promise<void> {
  const { summarize } = await import('../../domain/payments/stripe/rehearsal/report.ts')
  const { describeAnswer } = await import('../../domain/payments/stripe/rehearsal/recorder.ts')
  const isGood = steps.every(({ status }) => status === 'ok' || status === 'unknown')
  const linesOf = ({ name, status, message, expected, answers }: RehearsalStep) => [
    `${status.padEnd(INDENT)}${name}: ${oneLine(message)}`,
    ...(expected === undefined ? [] : [`${' '.repeat(INDENT)}expected: ${oneLine(expected)}`]),
    ...answers.map((one) => `${' '.repeat(INDENT + 2)}${one.call}: ${describeAnswer(one)}`),
  ]
  print(options, { ok: isGood, steps }, () =>
    [...steps.flatMap(linesOf), '', summarize(steps)].join('\n'),
  )
  if (!isGood) process.exitCode = 1
}

const INDENT = 9
