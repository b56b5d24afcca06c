import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { OperatorError } from '../../errors.ts'
import { withContext } from '../context.ts'
import { type Output, oneLine, print } from '../output.ts'

export function addRehearseCommand(payment: Command): void {
  payment
    .command('rehearse')
    .description(
      "run a complete test sale with the sandbox's Stripe test keys, and report each step; " +
        'no real money moves',
    )
    .action((options) => withContext((ctx) => rehearse(ctx, options)))
}

async function rehearse(ctx: Context, options: Output): Promise<void> {
  const { keys } = ctx.environments.sandbox.connections.payments
  if (!keys) {
    throw new OperatorError(
      'this check needs the test keys of your Stripe account: connect them with gatehouse payments connect ' +
        '--env sandbox, or set GATEHOUSE_SANDBOX_STRIPE_SECRET_KEY and GATEHOUSE_SANDBOX_STRIPE_WEBHOOK_SECRET',
    )
  }
  const { rehearseSale } = await import('../../domain/payments/stripe/stripe.ts')
  const webhookUrl = `${ctx.environments.sandbox.address()}/events/stripe`
  const steps = await rehearseSale({ ...keys, api: ctx.config.stripeApi }, webhookUrl)
  const isGood = steps.every(({ status }) => status !== 'failed')
  print(options, { ok: isGood, steps }, () =>
    steps
      .map(({ name, status, message }) => `${status.padEnd(8)} ${name}: ${oneLine(message)}`)
      .join('\n'),
  )
  if (!isGood) process.exitCode = 1
}
